import type { JobStore } from './table.ts';

/** What other processes of this machine enqueue is seen at the latest after this time. */
const POLL_SECONDS = 1;
/** Each look goes this far back: what a slow transaction enqueued is committed after it was due. */
const OVERLAP_SECONDS = 10;
/** Jobs that one look reads at most; where more fell due, a walk finds the lanes of the rest. */
const MAX_JOBS = 5000;
/** Lanes in one step of a walk. */
const STEP = 500;
/** A walk over all lanes finds, now and then, whatever a look has missed, as after a clock that was set back. */
const WALK_SECONDS = 60;

/** Finds lanes with something due that nobody rang a bell for. */
export interface Lookout {
  /** The next {@link find} asks what fell due since the last one. */
  look(): void;
  /** The next {@link find} begins a walk over all lanes. */
  walk(): void;
  /** Something falls due at this time (unix seconds). */
  expect(dueAt: number): void;
  /** Lanes with something due, as far as one step finds them; nothing is asked where there was no call for it. */
  find(now: number): Promise<{ readonly lanes: readonly string[]; readonly isMore: boolean }>;
  /** Unix seconds of the next time to look. */
  next(): number;
}

class TableLookout implements Lookout {
  readonly #store: JobStore;
  #isLooking = true;
  /** The lane after which the walk goes on; undefined where none is under way. */
  #cursor: string | undefined = '';
  #walkedAt = 0;
  #lookedAt = 0;
  #dueAt: number | undefined;

  constructor(store: JobStore) {
    this.#store = store;
  }

  look(): void {
    this.#isLooking = true;
  }

  walk(): void {
    this.#isLooking = true;
    this.#cursor = '';
  }

  expect(dueAt: number): void {
    if (this.#dueAt === undefined || dueAt < this.#dueAt) this.#dueAt = dueAt;
  }

  next(): number {
    return Math.min(this.#dueAt ?? Number.POSITIVE_INFINITY, this.#lookedAt + POLL_SECONDS);
  }

  async find(now: number): Promise<{ readonly lanes: readonly string[]; readonly isMore: boolean }> {
    const looked = this.#isLooking ? await this.#look(now) : [];
    if (this.#cursor === undefined) return { lanes: looked, isMore: false };
    const steps = await this.#store.walkLanes(this.#cursor, now, STEP);
    this.#cursor = steps.length < STEP ? undefined : steps.at(-1)?.lane;
    const walked = steps.filter((step) => step.isDue).map((step) => step.lane);
    return { lanes: [...looked, ...walked], isMore: this.#cursor !== undefined };
  }

  async #look(now: number): Promise<readonly string[]> {
    const isBack = now < this.#lookedAt;
    const after = this.#lookedAt - OVERLAP_SECONDS;
    this.#isLooking = false;
    this.#lookedAt = now;
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

/** The first look is a walk. */
export function createLookout(store: JobStore): Lookout {
  return new TableLookout(store);
}
