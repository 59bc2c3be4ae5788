/** Idle lanes whose state is remembered. */
const MAX_LANES = 10_000;
/** Lanes that wait for their turn; those beyond are found by the next walk over the table. */
const MAX_WAITING = 20_000;
/** A lane is quick, steady or slow by the mean of its calls, milliseconds. A call that takes longer makes it slow. */
const [STEADY_MS, SLOW_MS] = [250, 1000];
/** What the last call weighs in a lane's mean. */
const LAST_WEIGHT = 1 / 4;
/** Milliseconds that a call counts for at most, so that a lane is quick again soon after a long call or a leap of the clock. */
const MAX_CALL_MS = 15_000;

/**
 * What is to be expected of a lane's next call, from the best to the worst, with the sixteenths of the places that lanes
 * of this standing and of those below it take together at most. So each standing has some to itself that no worse one
 * can take: calls that have begun cannot be interrupted for others.
 */
const SIXTEENTHS = { idle: 16, quick: 15, steady: 14, new: 12, slow: 10, failing: 8 };
/** `idle` is a quick lane with nothing under way, `new` one that has not answered yet. */
type Standing = keyof typeof SIXTEENTHS;
const STANDINGS = Object.keys(SIXTEENTHS) as Standing[];

interface Lane {
  /** See {@link LaneOptions.isOwn}. */
  readonly isOwn: boolean;
  underWay: number;
  /** When the calls began that are not answered yet, milliseconds, the oldest first. */
  readonly unanswered: number[];
  /** How many may be under way: doubles with each success, falls to one with each failure. */
  allowance: number;
  /** Milliseconds that a call takes, the last ones above all; undefined before the first answer. */
  mean: number | undefined;
  /** Whether the last call failed. */
  isFailing: boolean;
}

const createLane = (isOwn: boolean): Lane => ({
  isOwn,
  underWay: 0,
  unanswered: [],
  allowance: 1,
  mean: undefined,
  isFailing: false,
});

/** Of which nothing is known yet. */
const [UNKNOWN, OWN]: readonly [Lane, Lane] = [createLane(false), createLane(true)];

const isLive = ({ isOwn, mean, isFailing }: Lane): boolean =>
  !isFailing && (isOwn || (mean !== undefined && mean < SLOW_MS));

/** @param count Calls under way, or about to be. */
function standingOf(lane: Lane, count: number, now: number): Standing {
  const { isOwn, isFailing, mean, unanswered } = lane;
  const live = count > 0 ? 'quick' : 'idle';
  if (isFailing) return 'failing';
  if (isOwn) return live;
  if ((mean ?? 0) >= SLOW_MS || now - (unanswered[0] ?? now) >= SLOW_MS) return 'slow';
  if (mean === undefined) return 'new';
  if (mean >= STEADY_MS) return 'steady';
  return live;
}

/** The places that are taken, against what each standing may have. */
class Places {
  readonly #left: Record<Standing, number>;

  constructor(concurrency: number) {
    const shareOf = (standing: Standing) => Math.max(1, Math.floor((concurrency * SIXTEENTHS[standing]) / 16));
    this.#left = { ...SIXTEENTHS };
    for (const standing of STANDINGS) this.#left[standing] = shareOf(standing);
  }

  get isFull(): boolean {
    return this.#left.idle <= 0;
  }

  hasRoom(standing: Standing): boolean {
    return STANDINGS.every((other) => SIXTEENTHS[other] < SIXTEENTHS[standing] || this.#left[other] > 0);
  }

  take(standing: Standing, count: number): void {
    for (const other of STANDINGS) if (SIXTEENTHS[other] >= SIXTEENTHS[standing]) this.#left[other] -= count;
  }
}

export interface LaneOptions {
  /** Jobs under way at once. */
  readonly concurrency: number;
  /** Jobs under way at once of one lane. */
  readonly perLane: number;
  /** Whether a lane waits for nobody outside: how long its jobs take then says nothing against it. Default: none does. */
  readonly isOwn?: (name: string) => boolean;
}

/**
 * Fairness between lanes, in memory. A lane starts with one job under way, as TCP starts slowly, so that a hundred
 * receivers that hang take a hundred places and not all. Slow and failing lanes have a share of the places together,
 * whatever they answer: only quick calls let others have their turn. Times are milliseconds of one clock.
 */
export interface Lanes {
  /** These may have jobs that are due. */
  add(names: Iterable<string>): void;
  /** These failed before, as others remember. */
  distrust(names: Iterable<string>): void;
  /** How many jobs to take of which lane now, in turn; the lanes are no longer waiting, see {@link took}. */
  choose(now: number): Map<string, number>;
  /** Tells what was found and begins now; a lane that had as many as were asked for may have more, and waits again. */
  took(name: string, asked: number, found: number, now: number): void;
  /** A call that began at that time has come to an end; its place is kept until {@link ended}, when that is written down. */
  answered(name: string, startedAt: number, now: number): void;
  ended(name: string, isFailed: boolean): void;
  /** Nothing is taken of it until then; what is under way goes on. */
  rest(name: string, until: number): void;
  readonly free: number;
}

class FairLanes implements Lanes {
  readonly #options: LaneOptions;
  /** Those that ended something last are at the end. */
  readonly #lanes = new Map<string, Lane>();
  /** In the order of their turns. */
  readonly #waiting = new Set<string>();
  /** Until when lanes are left alone; then they wait for their turn again. */
  readonly #resting = new Map<string, number>();
  /** Lanes with something under way. */
  readonly #busy = new Set<Lane>();

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  get free(): number {
    let { concurrency: free } = this.#options;
    for (const { underWay } of this.#busy) free -= underWay;
    return free;
  }

  add(names: Iterable<string>): void {
    for (const name of names) {
      if (this.#resting.has(name)) continue;
      // Those that answer in time are never left out for the many that wait long.
      if (this.#waiting.size < MAX_WAITING || isLive(this.#peek(name))) this.#waiting.add(name);
    }
  }

  distrust(names: Iterable<string>): void {
    for (const name of names) this.#get(name).isFailing = true;
  }

  /** To read only. */
  #peek(name: string): Lane {
    return this.#lanes.get(name) ?? (this.#options.isOwn?.(name) ? OWN : UNKNOWN);
  }

  #get(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known) return known;
    const lane = createLane(this.#peek(name).isOwn);
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

  rest(name: string, until: number): void {
    this.#resting.set(name, Math.max(until, this.#resting.get(name) ?? 0));
    this.#waiting.delete(name);
  }

  #endRests(now: number): void {
    for (const [name, until] of this.#resting) {
      if (until > now) continue;
      this.#resting.delete(name);
      this.add([name]);
    }
  }

  choose(now: number): Map<string, number> {
    this.#endRests(now);
    const chosen = new Map<string, number>();
    const places = new Places(this.#options.concurrency);
    for (const lane of this.#busy) places.take(standingOf(lane, lane.underWay, now), lane.underWay);
    /** Takes one more of a lane; false where it may not. */
    const take = (name: string): boolean => {
      const lane = this.#peek(name);
      const planned = chosen.get(name) ?? 0;
      const count = lane.underWay + planned;
      if (count >= lane.allowance) return false;
      const standing = standingOf(lane, count, now);
      if (!places.hasRoom(standing)) return false;
      chosen.set(name, planned + 1);
      places.take(standing === 'idle' ? 'quick' : standing, 1);
      return true;
    };
    // One of each lane, then one more of those that have room, until nothing is left to give.
    let round: Iterable<string> = this.#waiting;
    for (;;) {
      const more: string[] = [];
      for (const name of round) {
        if (places.isFull) break;
        if (take(name)) more.push(name);
      }
      if (more.length === 0 || places.isFull) break;
      round = more;
    }
    for (const name of chosen.keys()) this.#waiting.delete(name);
    return chosen;
  }

  took(name: string, asked: number, found: number, now: number): void {
    if (found >= asked) this.add([name]);
    if (found === 0) return;
    const lane = this.#get(name);
    lane.underWay += found;
    for (let call = 0; call < found; call += 1) lane.unanswered.push(now);
    this.#busy.add(lane);
  }

  answered(name: string, startedAt: number, now: number): void {
    const lane = this.#get(name);
    const index = lane.unanswered.indexOf(startedAt);
    if (index >= 0) lane.unanswered.splice(index, 1);
    const milliseconds = Math.min(MAX_CALL_MS, Math.max(0, now - startedAt));
    const { mean = milliseconds } = lane;
    lane.mean = mean + (milliseconds - mean) * LAST_WEIGHT;
  }

  ended(name: string, isFailed: boolean): void {
    const lane = this.#get(name);
    lane.underWay -= 1;
    if (lane.underWay === 0) this.#busy.delete(lane);
    lane.isFailing = isFailed;
    lane.allowance = isFailed ? 1 : Math.min(this.#options.perLane, lane.allowance * 2);
    // The lanes that are used least are forgotten first.
    this.#lanes.delete(name);
    this.#lanes.set(name, lane);
  }
}

export function createLanes(options: LaneOptions): Lanes {
  return new FairLanes(options);
}
