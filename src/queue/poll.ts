import type { JobStore } from './table.ts';

/** Jobs from other processes on this machine are seen after this time at the latest. */
const POLL_SECONDS = 1;
/** Each poll also reads this far back: a slow transaction commits a job after it was due. */
const OVERLAP_SECONDS = 10;
/** Jobs that one poll reads at most. If more fell due, a walk finds the other lanes. */
const MAX_JOBS = 5000;
/** Lanes in one step of a walk. */
const STEP = 500;
/** How often a walk over all lanes finds what polls missed, for example after the clock was set back. */
const WALK_SECONDS = 60;

/** Finds lanes with due jobs that no notifier announced. */
export interface Poller {
  /** Lets the next {@link find} read what fell due since the last one. */
  poll(): void;
  /** Lets the next {@link find} start a walk over all lanes. */
  walk(): void;
  /** Announces that a job falls due at this time (unix seconds). */
  expect(dueAt: number): void;
  /** Lanes with due jobs that one step finds. Does not query if nothing was requested. */
  find(now: number): Promise<{ readonly lanes: readonly string[]; readonly isMore: boolean }>;
  /** Unix seconds of the next poll. */
  next(): number;
}

class TablePoller implements Poller {
  readonly #store: JobStore;
  #isPolling = true;
  /** The walk continues after this lane; undefined if no walk is running. */
  #cursor: string | undefined = '';
  #walkedAt = 0;
  #polledAt = 0;
  #dueAt: number | undefined;

  constructor(store: JobStore) {
    this.#store = store;
  }

  poll(): void {
    this.#isPolling = true;
  }

  walk(): void {
    this.#isPolling = true;
    this.#cursor = '';
  }

  expect(dueAt: number): void {
    if (this.#dueAt === undefined || dueAt < this.#dueAt) this.#dueAt = dueAt;
  }

  next(): number {
    return Math.min(this.#dueAt ?? Number.POSITIVE_INFINITY, this.#polledAt + POLL_SECONDS);
  }

  async find(now: number): Promise<{ readonly lanes: readonly string[]; readonly isMore: boolean }> {
    const polled = this.#isPolling ? await this.#poll(now) : [];
    if (this.#cursor === undefined) return { lanes: polled, isMore: false };
    const steps = await this.#store.walkLanes(this.#cursor, now, STEP);
    this.#cursor = steps.length < STEP ? undefined : steps.at(-1)?.lane;
    const walked = steps.filter((step) => step.isDue).map((step) => step.lane);
    return { lanes: [...polled, ...walked], isMore: this.#cursor !== undefined };
  }

  async #poll(now: number): Promise<readonly string[]> {
    const isBack = now < this.#polledAt;
    const after = this.#polledAt - OVERLAP_SECONDS;
    this.#isPolling = false;
    this.#polledAt = now;
    this.#dueAt = undefined;
    const isWalking = this.#cursor !== undefined || isBack || now - this.#walkedAt >= WALK_SECONDS;
    const next = await this.#store.findNextDue(now);
    if (next !== undefined) this.expect(next);
    if (!isWalking) {
      const { lanes, isAll } = await this.#store.findLanes(after, now, MAX_JOBS);
      if (isAll) return lanes;
    }
    this.#cursor ??= '';
    this.#walkedAt = now;
    return [];
  }
}

/** The first poll is a walk. */
export function createPoller(store: JobStore): Poller {
  return new TablePoller(store);
}
