import { BoundedMap } from './bounded-map.ts';
import { ClientGone } from './client-gone.ts';

/** A caller that waits for a turn. */
export interface TurnCaller {
  /** Callers with the same key wait for each other; keys take turns. */
  readonly key: string;
  /**
   * `holding` goes first, because others wait for what it holds, such as a transaction. `known` and
   * `stranger` alternate, so that neither waits for all of the other.
   */
  readonly lane: Lane;
  /**
   * When it began to wait, in milliseconds of the turns' own clock. Default now: a request may need several
   * turns.
   */
  readonly since?: number;
  /** Whether the client has disconnected: then its turn is dropped. */
  readonly isGone?: () => boolean;
}

export type Lane = 'holding' | 'known' | 'stranger';

export interface TurnsOptions {
  /** Tasks that run at once. */
  readonly parallel: number;
  /** Initial estimate for the duration of a task. */
  readonly usualMilliseconds: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Creates the error for a caller that is refused. */
  readonly toBusy: (retrySeconds: number) => Error;
}

/** Figures for operators. */
export interface TurnsFigures {
  readonly waiting: number;
  readonly running: number;
  /** Moving average of a task's duration. */
  readonly taskMilliseconds: number;
  /** Refused since the process started. */
  readonly refused: number;
  /** Dropped because the client had disconnected. */
  readonly dropped: number;
}

interface Entry {
  readonly caller: TurnCaller;
  readonly since: number;
  start(): void;
  fail(error: unknown): void;
}

/** A caller with a longer expected wait is refused at once. */
const PATIENCE_MS = 10_000;
/** A caller that has waited this long is refused: a handler is cut off after 30 s. */
const LATEST_MS = 25_000;
/** Maximum waiting tasks per key when the queue is crowded. */
const MOST_EACH = 2;
/** The queue counts as crowded when its tasks take longer than this. */
const CROWDED_MS = 3000;
/** Half-life of the usage counted for a key. */
const HALF_LIFE_MS = 30_000;
const MOST_KEYS = 10_000;
/** Weight of the newest measurement in the average. */
const NEWEST = 0.2;

interface Use {
  amount: number;
  at: number;
}

/**
 * Runs expensive tasks, a few at a time. The key with the least recent usage goes first, so that a newcomer
 * waits for one task and not for a flood. Callers are refused because of the expected wait, never because
 * of the key alone.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #uses = new BoundedMap<Use>(MOST_KEYS);
  #waiting: Entry[] = [];
  #running = 0;
  #average: number;
  #lastLane: Lane = 'stranger';
  #refused = 0;
  #dropped = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#average = options.usualMilliseconds;
  }

  get figures(): TurnsFigures {
    return {
      waiting: this.#waiting.length,
      running: this.#running,
      taskMilliseconds: this.#average,
      refused: this.#refused,
      dropped: this.#dropped,
    };
  }

  /**
   * Runs a task when its turn comes.
   * @throws The error of `toBusy` if the wait would exceed 10 s, or has reached 25 s. @throws ClientGone if
   *   the client has disconnected.
   */
  take<T>(caller: TurnCaller, task: () => Promise<T>): Promise<T> {
    this.#sweep();
    this.#charge(caller.key);
    const now = this.#options.now();
    const since = caller.since ?? now;
    const busy = this.#judge(caller, now - since);
    if (busy) {
      this.#refused += 1;
      return Promise.reject(busy);
    }
    return new Promise<T>((resolve, reject) => {
      const start = (): void => void this.#run(task).then(resolve, reject);
      this.#waiting.push({ caller: caller, since, start, fail: reject });
      this.#pump();
    });
  }

  #judge(caller: TurnCaller, waited: number): Error | undefined {
    if (caller.lane === 'holding') return undefined;
    const wait = this.#estimate(caller);
    const isLate = wait > PATIENCE_MS || waited + wait > LATEST_MS;
    return isLate || this.#isGreedy(caller) ? this.#toBusy(wait) : undefined;
  }

  #toBusy(wait: number): Error {
    return this.#options.toBusy(Math.max(1, Math.ceil(wait / 1000)));
  }

  #span(tasks: number): number {
    return (tasks / this.#options.parallel) * this.#average;
  }

  /** Milliseconds until a newcomer's task starts. */
  #estimate(caller: TurnCaller): number {
    if (this.#running < this.#options.parallel && this.#waiting.length === 0) return 0;
    const used = this.#used(caller.key);
    const ahead = { same: 0, other: 0 };
    for (const { caller: other } of this.#waiting) {
      if (other.lane === 'holding') ahead.same += 1;
      else if (other.lane !== caller.lane) ahead.other += 1;
      else if (this.#used(other.key) <= used) ahead.same += 1;
    }
    return this.#span(ahead.same + Math.min(ahead.other, ahead.same + 1) + 1);
  }

  /** Whether a key already has its share of a queue in which others wait. */
  #isGreedy({ key }: TurnCaller): boolean {
    if (this.#span(this.#waiting.length) <= CROWDED_MS) return false;
    const own = this.#waiting.filter(({ caller }) => caller.key === key).length;
    return own >= MOST_EACH && own < this.#waiting.length;
  }

  #used(key: string): number {
    const use = this.#uses.get(key);
    return use ? use.amount * 0.5 ** ((this.#options.now() - use.at) / HALF_LIFE_MS) : 0;
  }

  #charge(key: string): void {
    this.#uses.set(key, { amount: this.#used(key) + 1, at: this.#options.now() });
  }

  async #run<T>(task: () => Promise<T>): Promise<T> {
    const begun = this.#options.now();
    try {
      return await task();
    } finally {
      this.#average += (this.#options.now() - begun - this.#average) * NEWEST;
      this.#running -= 1;
      this.#sweep();
      this.#pump();
    }
  }

  /** Drops disconnected callers, and refuses those that waited too long. */
  #sweep(): void {
    const now = this.#options.now();
    const out = (entry: Entry): boolean => entry.caller.isGone?.() === true || now - entry.since > LATEST_MS;
    if (!this.#waiting.some(out)) return;
    const [left, kept] = [this.#waiting.filter(out), this.#waiting.filter((entry) => !out(entry))];
    this.#waiting = kept;
    for (const { caller, fail } of left) {
      const isGone = caller.isGone?.() === true;
      if (isGone) this.#dropped += 1;
      else this.#refused += 1;
      fail(isGone ? new ClientGone() : this.#toBusy(this.#span(kept.length)));
    }
  }

  #pump(): void {
    while (this.#running < this.#options.parallel) {
      const next = this.#pick();
      if (!next) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#running += 1;
      next.start();
    }
  }

  #pick(): Entry | undefined {
    const lanes: Lane[] = [
      'holding',
      ...(this.#lastLane === 'known' ? (['stranger', 'known'] as const) : (['known', 'stranger'] as const)),
    ];
    for (const lane of lanes) {
      const found = this.#least(lane);
      if (!found) continue;
      if (lane !== 'holding') this.#lastLane = lane;
      return found;
    }
    return undefined;
  }

  /** The entry of a lane with the least usage; on a tie the oldest. */
  #least(lane: Lane): Entry | undefined {
    const best: { entry?: Entry; used: number } = { used: Number.POSITIVE_INFINITY };
    for (const entry of this.#waiting) {
      if (entry.caller.lane !== lane) continue;
      const used = this.#used(entry.caller.key);
      if (used < best.used) Object.assign(best, { entry, used });
    }
    return best.entry;
  }
}
