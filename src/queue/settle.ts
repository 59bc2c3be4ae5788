import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { currentScope } from '../core/scope.ts';
import type { Database } from '../database/database.ts';
import type { Job, Outcome } from './queue.ts';
import type { JobStore } from './table.ts';

/** What could not be written down is tried again after this time, then after twice as long each time, while the lease is prolonged. */
const AGAIN_MS = 1000;
const MAX_AGAIN_MS = 30_000;
/** Transactions at once, where a database has more than one writer. */
const MAX_WRITING = 4;
/** Rows, more or less, that are written together: an action waits for no more than that. */
const MAX_WEIGHT = 200;

export interface SettleDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** A job that was done, with what came of it. */
export interface Ending {
  readonly job: Job;
  readonly owner: string;
  readonly outcome: Outcome;
  /** Aborted when the job goes back to the queue: then nothing is written. */
  readonly signal: AbortSignal;
}

/** Writes down what came of jobs, with whatever else the queue has to write: on SQLite one commit at a time for all of it. */
export interface Settler {
  /** Resolves when it is written down, or the job went back to the queue. */
  settle(ending: Ending): Promise<void>;
  /** Writes something in the next commit, after what came of jobs. */
  share<T>(work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly ending: Ending;
  readonly done: () => void;
}

interface Shared {
  readonly run: () => Promise<void>;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/** Resolves after a time, or when the signal is aborted. */
function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal.addEventListener('abort', end);
  });
}

/** Whether it fails the same however often it is tried, as where a purge took the rows that it leads to. */
const isForGood = (error: unknown): boolean => error instanceof TreadleError && error.code === 'DATABASE_CONSTRAINT';

const nameOf = ({ job }: Ending) => ({ kind: job.kind, payload: job.payload });

/**
 * Writes in one transaction what waits when its turn at the database comes: the busier the database, the more share it,
 * and all wait for one write at most before theirs begins.
 */
class SharedSettler implements Settler {
  readonly #deps: SettleDeps;
  readonly #store: JobStore;
  readonly #waiting: Waiting[] = [];
  readonly #shared: Shared[] = [];
  /** Transactions under way. */
  #writing = 0;

  constructor(deps: SettleDeps, store: JobStore) {
    this.#deps = deps;
    this.#store = store;
  }

  settle(ending: Ending): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ ending, done: resolve });
      this.#begin();
    });
  }

  share<T>(work: () => Promise<T>): Promise<T> {
    // Where others may write meanwhile, what was answered does not wait for it.
    if (this.#deps.database.dialect === 'postgres') return this.#deps.database.write(work);
    return new Promise((resolve, fail) => {
      const state: { value?: T } = {};
      const run = async (): Promise<void> => {
        state.value = await work();
      };
      this.#shared.push({ run, done: () => resolve(state.value as T), fail });
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#writing >= (this.#deps.database.dialect === 'postgres' ? MAX_WRITING : 1)) return;
    this.#writing += 1;
    // In no scope: it writes for others too.
    void currentScope.run({}, async () => {
      while (this.#waiting.length > 0 || this.#shared.length > 0) await this.#writeNext();
      this.#writing -= 1;
    });
  }

  async #writeNext(): Promise<void> {
    let taken: readonly Waiting[] | undefined;
    let shared: readonly Shared[] | undefined;
    try {
      // Actions go before claims. Results wait behind nobody: what a killed process had not written down is sent twice.
      const isPatient = this.#waiting.length === 0;
      await this.#deps.database.write(
        async () => {
          // Once, also where the database runs the unit again; and only now, so that all that waited for the turn is there.
          taken ??= this.#take();
          shared ??= this.#shared.splice(0);
          await this.#write(taken.map(({ ending }) => ending));
          for (const { run } of shared) await run();
        },
        { isPatient },
      );
      for (const { done } of [...(taken ?? []), ...(shared ?? [])]) done();
    } catch (error) {
      taken ??= this.#take();
      for (const { fail } of shared ?? this.#shared.splice(0)) fail(error);
      // One that cannot be written keeps no other from it.
      const reason = taken.length === 1 ? error : undefined;
      for (const { ending, done } of taken) void this.#insist(ending, reason).then(done);
    }
  }

  #take(): Waiting[] {
    let [count, weight] = [0, 0];
    for (const { ending } of this.#waiting) {
      weight += ending.outcome.entry?.weight ?? 1;
      if (count > 0 && weight > MAX_WEIGHT) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #write(endings: readonly Ending[]): Promise<void> {
    const live = endings.filter(({ signal }) => !signal.aborted);
    if (live.length === 0) return;
    const ends = live.map(({ job, owner, outcome }) => ({ id: job.id, owner, retryAt: outcome.retryAt }));
    const owned = await this.#store.settle(ends);
    const sorts = new Map<(items: readonly unknown[]) => Promise<void>, unknown[]>();
    for (const ending of live) {
      const { job, outcome } = ending;
      if (!owned.has(job.id)) {
        this.#deps.log.warn('queue.job.lost', nameOf(ending));
        continue;
      }
      if (outcome.entry === undefined) continue;
      const { write, item } = outcome.entry;
      const items = sorts.get(write);
      if (items) items.push(item);
      else sorts.set(write, [item]);
    }
    for (const [write, items] of sorts) await write(items);
  }

  /** Tries until it can be written: what was sent would be sent again otherwise. What can never be is left out, told of once. */
  async #insist(ending: Ending, before: unknown): Promise<void> {
    const { database, log } = this.#deps;
    let current = ending;
    let error = before;
    for (let tries = 0; !ending.signal.aborted; ) {
      if (isForGood(error) && current.outcome.entry !== undefined) {
        log.error('queue.job.unwritable', { ...nameOf(ending), error });
        // The job ends all the same: done again it would send again.
        current = { ...ending, outcome: {} };
      } else if (error !== undefined) {
        tries += 1;
        await this.#waitToTry(ending, tries, error);
        if (ending.signal.aborted) return;
      }
      try {
        return await database.write(() => this.#write([current]));
      } catch (thrown) {
        error = thrown ?? new Error('It failed without a reason.');
      }
    }
  }

  async #waitToTry(ending: Ending, tries: number, error: unknown): Promise<void> {
    // Told of after 1, 2, 4, 8 … tries: a database that is away for an hour must not fill the log.
    if (Number.isInteger(Math.log2(tries)))
      this.#deps.log.error('queue.job.unsettled', { ...nameOf(ending), tries, error });
    await pause(this.#deps.clock, Math.min(MAX_AGAIN_MS, AGAIN_MS * 2 ** (tries - 1)), ending.signal);
  }
}

export function createSettler(deps: SettleDeps, store: JobStore): Settler {
  return new SharedSettler(deps, store);
}
