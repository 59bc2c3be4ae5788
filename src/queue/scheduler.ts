import { BoundedMap } from '../core/bounded-map.ts';
import { listKeys } from '../core/record.ts';
import type { RestingLanes } from './resting.ts';

/** Maximum idle lanes with cached state. */
const MAX_LANES = 10_000;
/** Lanes that wait for their turn. The next walk over the table finds the rest. */
const MAX_WAITING = 20_000;
/**
 * Limits in milliseconds: the mean of its calls makes a lane quick, steady or slow. A longer call makes it
 * slow at once.
 */
const [STEADY_MS, SLOW_MS] = [250, 1000];
/** Weight of the last call in a lane's mean. */
const LAST_WEIGHT = 1 / 4;
/**
 * Upper limit in milliseconds for one call in the mean: a lane is quick again soon after a long call or a
 * clock jump.
 */
const MAX_CALL_MS = 15_000;

/**
 * Lane health, best to worst. The number caps, in sixteenths of the concurrency, what lanes in this state
 * or worse may use together. So each state has places that no worse one can take: a running call cannot be
 * interrupted for others.
 */
const SIXTEENTHS = { idle: 16, quick: 15, steady: 14, new: 12, slow: 10, failing: 8 };
/** `idle` is a quick lane with nothing running, `new` a lane that has not answered yet. */
type Health = keyof typeof SIXTEENTHS;
const HEALTH_STATES = listKeys(SIXTEENTHS);

interface Lane {
  /** See {@link SchedulerOptions.isOwn}. */
  readonly isOwn: boolean;
  underWay: number;
  /** Start times of unanswered calls in milliseconds, oldest first. */
  readonly unanswered: number[];
  /** How many jobs may run at once: doubles with each success, falls to one with each failure. */
  allowance: number;
  /** Moving average of call duration in milliseconds; undefined before the first answer. */
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

/** State of a lane that nothing is known about yet. */
const [UNKNOWN, OWN]: readonly [Lane, Lane] = [createLane(false), createLane(true)];

const isLive = ({ isOwn, mean, isFailing }: Lane): boolean =>
  !isFailing && (isOwn || (mean !== undefined && mean < SLOW_MS));

/** @param count Calls that run or are about to. */
function healthOf(lane: Lane, count: number, now: number): Health {
  const { isOwn, isFailing, mean, unanswered } = lane;
  const live = count > 0 ? 'quick' : 'idle';
  if (isFailing) return 'failing';
  if (isOwn) return live;
  if ((mean ?? 0) >= SLOW_MS || now - (unanswered[0] ?? now) >= SLOW_MS) return 'slow';
  if (mean === undefined) return 'new';
  if (mean >= STEADY_MS) return 'steady';
  return live;
}

/** The places in use, against the cap of each state. */
class Places {
  readonly #left: Record<Health, number>;

  constructor(concurrency: number) {
    const shareOf = (health: Health) => Math.max(1, Math.floor((concurrency * SIXTEENTHS[health]) / 16));
    this.#left = { ...SIXTEENTHS };
    for (const health of HEALTH_STATES) this.#left[health] = shareOf(health);
  }

  get isFull(): boolean {
    return this.#left.idle <= 0;
  }

  hasRoom(health: Health): boolean {
    return HEALTH_STATES.every((other) => SIXTEENTHS[other] < SIXTEENTHS[health] || this.#left[other] > 0);
  }

  take(health: Health, count: number): void {
    for (const other of HEALTH_STATES) if (SIXTEENTHS[other] >= SIXTEENTHS[health]) this.#left[other] -= count;
  }
}

export interface SchedulerOptions {
  /** Jobs that run at once. */
  readonly concurrency: number;
  /** Jobs of one lane that run at once. */
  readonly perLane: number;
  /** Whether a lane calls no outside receiver: it is then never counted as slow. Default: no lane. */
  readonly isOwn?: (name: string) => boolean;
  /** Lanes that rest already. Default: none. */
  readonly resting?: RestingLanes;
}

/**
 * Fairness between lanes, in memory. A lane starts with one job, like TCP slow start, so that a hundred
 * receivers that hang take a hundred places and not all. Slow and failing lanes share a limited number of
 * places, whatever they answer: only quick calls free places for others. Times are milliseconds of one
 * clock.
 */
export interface Scheduler {
  /** Adds lanes that may have due jobs. */
  add(names: Iterable<string>): void;
  /** Marks lanes that failed before in another process. */
  distrust(names: Iterable<string>): void;
  /** How many jobs to claim of each lane now, in turn. The lanes stop waiting; see {@link took}. */
  choose(now: number): Map<string, number>;
  /**
   * Records the jobs that were found and start now. A lane that had as many as were requested may have more
   * and waits again.
   */
  took(name: string, requested: number, found: number, now: number): void;
  /**
   * Records the answer of a call that started at `startedAt`. It keeps its place until {@link ended}, when
   * the result is saved.
   */
  answered(name: string, startedAt: number, now: number): void;
  ended(name: string, isFailed: boolean): void;
  /** Claims nothing of a lane until then; running jobs continue. */
  rest(name: string, until: number): void;
  readonly free: number;
}

class FairScheduler implements Scheduler {
  readonly #options: SchedulerOptions;
  /** The most recently used are at the end. */
  readonly #lanes = new BoundedMap<Lane>(MAX_LANES, { canDrop: ({ underWay }) => underWay === 0 });
  /** In the order of their turns. */
  readonly #waiting = new Set<string>();
  /** Times until which lanes are paused; then they wait for their turn again. */
  readonly #resting: RestingLanes;
  /** Lanes with running jobs. */
  readonly #busy = new Set<Lane>();

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#resting = options.resting ?? new Map<string, number>();
  }

  get free(): number {
    let { concurrency: free } = this.#options;
    for (const { underWay } of this.#busy) free -= underWay;
    return free;
  }

  add(names: Iterable<string>): void {
    for (const name of names) {
      if (this.#resting.has(name)) continue;
      // Responsive lanes are always added, however many slow ones wait.
      if (this.#waiting.size < MAX_WAITING || isLive(this.#peek(name))) this.#waiting.add(name);
    }
  }

  distrust(names: Iterable<string>): void {
    for (const name of names) this.#get(name).isFailing = true;
  }

  /** For reading only. */
  #peek(name: string): Lane {
    return this.#lanes.get(name) ?? (this.#options.isOwn?.(name) ? OWN : UNKNOWN);
  }

  #get(name: string): Lane {
    return this.#lanes.getOrCreate(name, () => createLane(this.#peek(name).isOwn));
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
    for (const lane of this.#busy) places.take(healthOf(lane, lane.underWay, now), lane.underWay);
    /** Reserves one more job of a lane; false if it may not have one. */
    const take = (name: string): boolean => {
      const lane = this.#peek(name);
      const planned = chosen.get(name) ?? 0;
      const count = lane.underWay + planned;
      if (count >= lane.allowance) return false;
      const health = healthOf(lane, count, now);
      if (!places.hasRoom(health)) return false;
      chosen.set(name, planned + 1);
      places.take(health === 'idle' ? 'quick' : health, 1);
      return true;
    };
    // One of each lane, then one more of those below their limit, until nothing is left.
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

  took(name: string, requested: number, found: number, now: number): void {
    if (found >= requested) this.add([name]);
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
  }
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  return new FairScheduler(options);
}
