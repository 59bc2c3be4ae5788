/** Idle lanes whose state is remembered. */
const MAX_LANES = 10_000;
/** Lanes that wait for their turn; those beyond are found by the next walk over the table. */
const MAX_WAITING = 20_000;

/** What a lane showed last: nothing yet, that it answers, or that it fails. */
type Health = 'new' | 'live' | 'failing';

interface Lane {
  underWay: number;
  /** How many may be under way: doubles with each success, falls to one with each failure. */
  allowance: number;
  health: Health;
}

export interface LaneOptions {
  /** Jobs under way at once. */
  readonly concurrency: number;
  /** Jobs under way at once of one lane. */
  readonly perLane: number;
}

/**
 * Fairness between lanes, in memory. A lane starts with one job under way, as TCP starts slowly, so that a hundred
 * receivers that hang take a hundred places and not all. Failing lanes together get at most half of the places, and
 * with those that have not answered yet at most three quarters: the rest is for lanes that answer.
 */
export interface Lanes {
  /** These may have jobs that are due. */
  add(names: Iterable<string>): void;
  /** These failed before, as others remember. */
  distrust(names: Iterable<string>): void;
  /** How many jobs to take of which lane now, in turn; the lanes are no longer waiting, see {@link took}. */
  choose(): Map<string, number>;
  /** Tells what was found; a lane that had as many as were asked for may have more, and waits again. */
  took(name: string, asked: number, found: number): void;
  ended(name: string, isFailed: boolean): void;
  readonly free: number;
}

class FairLanes implements Lanes {
  readonly #options: LaneOptions;
  readonly #lanes = new Map<string, Lane>();
  /** In the order of their turns. */
  readonly #waiting = new Set<string>();
  readonly #busy: Record<Health, number> = { new: 0, live: 0, failing: 0 };

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  get free(): number {
    const { new: unknown, live, failing } = this.#busy;
    return this.#options.concurrency - unknown - live - failing;
  }

  add(names: Iterable<string>): void {
    for (const name of names) if (this.#waiting.size < MAX_WAITING) this.#waiting.add(name);
  }

  distrust(names: Iterable<string>): void {
    for (const name of names) this.#get(name).health = 'failing';
  }

  #get(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known) return known;
    const lane: Lane = { underWay: 0, allowance: 1, health: 'new' };
    this.#lanes.set(name, lane);
    if (this.#lanes.size > MAX_LANES) this.#forget(name);
    return lane;
  }

  #forget(but: string): void {
    for (const [name, lane] of this.#lanes) {
      if (lane.underWay > 0 || name === but) continue;
      this.#lanes.delete(name);
      return;
    }
  }

  choose(): Map<string, number> {
    const { concurrency } = this.#options;
    const chosen = new Map<string, number>();
    const left = {
      all: this.free,
      failing: Math.max(1, Math.floor(concurrency / 2)) - this.#busy.failing,
      notLive: Math.max(1, Math.floor((concurrency * 3) / 4)) - this.#busy.failing - this.#busy.new,
    };
    const mayTake = (health: Health): boolean =>
      left.all > 0 && (health === 'live' || (left.notLive > 0 && (health === 'new' || left.failing > 0)));
    /** Takes one more of a lane; false where it may not. */
    const take = (name: string): boolean => {
      const { underWay, allowance, health } = this.#lanes.get(name) ?? { underWay: 0, allowance: 1, health: 'new' };
      const planned = chosen.get(name) ?? 0;
      if (underWay + planned >= allowance || !mayTake(health)) return false;
      chosen.set(name, planned + 1);
      left.all -= 1;
      if (health !== 'live') left.notLive -= 1;
      if (health === 'failing') left.failing -= 1;
      return true;
    };
    // One of each lane, then one more of those that have room, until nothing is left to give.
    let round: Iterable<string> = this.#waiting;
    for (;;) {
      const more: string[] = [];
      for (const name of round) {
        if (left.all <= 0) break;
        if (take(name)) more.push(name);
      }
      if (more.length === 0 || left.all <= 0) break;
      round = more;
    }
    for (const name of chosen.keys()) this.#waiting.delete(name);
    return chosen;
  }

  took(name: string, asked: number, found: number): void {
    if (found >= asked) this.add([name]);
    if (found === 0) return;
    const lane = this.#get(name);
    lane.underWay += found;
    this.#busy[lane.health] += found;
  }

  ended(name: string, isFailed: boolean): void {
    const lane = this.#get(name);
    this.#busy[lane.health] -= lane.underWay;
    lane.underWay -= 1;
    lane.health = isFailed ? 'failing' : 'live';
    this.#busy[lane.health] += lane.underWay;
    lane.allowance = isFailed ? 1 : Math.min(this.#options.perLane, lane.allowance * 2);
  }
}

export function createLanes(options: LaneOptions): Lanes {
  return new FairLanes(options);
}
