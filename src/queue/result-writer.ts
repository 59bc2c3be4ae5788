import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log/log.ts';
import { currentScope } from '../core/scope.ts';
import type { Database } from '../database/database.ts';
import type { Job, Outcome } from './queue.ts';
import type { JobStore } from './table.ts';

/** Delay before writing a result is tried again. Doubles each time, while the lease is renewed. */
const AGAIN_MS = 1000;
const MAX_AGAIN_MS = 30_000;
/** Transactions at once, if the database supports several writers. */
const MAX_WRITING = 4;
/** Approximate rows per transaction: limits how long an action waits. */
const MAX_WEIGHT = 200;

export interface ResultWriterDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** A job that ran, with its outcome. */
export interface JobResult {
  readonly job: Job;
  readonly owner: string;
  readonly outcome: Outcome;
  /** Aborted when the job returns to the queue: then nothing is written. */
  readonly signal: AbortSignal;
}

/**
 * Saves the outcomes of jobs and other writes of the queue: on SQLite one commit at a time for all of them.
 */
export interface ResultWriter {
  /** Resolves when the outcome is saved or the job returned to the queue. */
  save(result: JobResult): Promise<void>;
  /** Runs a write in the next commit, after the outcomes of jobs. */
  share<T>(work: () => Promise<T>): Promise<T>;
}

interface WaitingResult {
  readonly result: JobResult;
  readonly done: () => void;
}

interface SharedRun {
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

/** Whether a retry cannot help, for example because a purge removed the related rows. */
const isForGood = (error: unknown): boolean => error instanceof TreadleError && error.code === 'DATABASE_CONSTRAINT';

const nameOf = ({ job }: JobResult) => ({ kind: job.kind, payload: job.payload });

/**
 * Writes everything that waits in one transaction when it gets the database. The busier the database, the
 * larger the batch. Each caller waits for one other transaction at most.
 */
class SharedResultWriter implements ResultWriter {
  readonly #deps: ResultWriterDeps;
  readonly #store: JobStore;
  readonly #waiting: WaitingResult[] = [];
  readonly #shared: SharedRun[] = [];
  /** Running transactions. */
  #writing = 0;

  constructor(deps: ResultWriterDeps, store: JobStore) {
    this.#deps = deps;
    this.#store = store;
  }

  save(result: JobResult): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ result, done: resolve });
      this.#begin();
    });
  }

  share<T>(work: () => Promise<T>): Promise<T> {
    // If the database allows parallel writes, this one does not wait for the batch.
    if (this.#deps.database.writesInParallel) return this.#deps.database.write(work);
    return new Promise((resolve, fail) => {
      let done = (): void => {};
      const run = async (): Promise<void> => {
        const value = await work();
        done = () => resolve(value);
      };
      this.#shared.push({ run, done: () => done(), fail });
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#writing >= (this.#deps.database.writesInParallel ? MAX_WRITING : 1)) return;
    this.#writing += 1;
    // In no scope: the batch includes the writes of other callers.
    void currentScope.run({}, async () => {
      while (this.#waiting.length > 0 || this.#shared.length > 0) await this.#writeNext();
      this.#writing -= 1;
    });
  }

  async #writeNext(): Promise<void> {
    let taken: readonly WaitingResult[] | undefined;
    let shared: readonly SharedRun[] | undefined;
    try {
      // Actions go before claims. Outcomes wait for nothing: a killed process sends again what it had not
      // saved.
      const isPatient = this.#waiting.length === 0;
      await this.#deps.database.write(
        async () => {
          // Takes the batch once, even if the database retries the transaction; and only now, so that all
          // waiting writes are included.
          taken ??= this.#take();
          shared ??= this.#shared.splice(0);
          await this.#write(taken.map(({ result }) => result));
          for (const { run } of shared) await run();
        },
        { isPatient },
      );
      for (const { done } of [...(taken ?? []), ...(shared ?? [])]) done();
    } catch (error) {
      taken ??= this.#take();
      for (const { fail } of shared ?? this.#shared.splice(0)) fail(error);
      // One outcome that cannot be saved must not stop the others.
      const reason = taken.length === 1 ? error : undefined;
      for (const { result, done } of taken) void this.#insist(result, reason).then(done);
    }
  }

  #take(): WaitingResult[] {
    let [count, weight] = [0, 0];
    for (const { result } of this.#waiting) {
      weight += result.outcome.entry?.weight ?? 1;
      if (count > 0 && weight > MAX_WEIGHT) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #write(results: readonly JobResult[]): Promise<void> {
    const live = results.filter(({ signal }) => !signal.aborted);
    if (live.length === 0) return;
    const ends = live.map(({ job, owner, outcome }) => ({ id: job.id, owner, retryAt: outcome.retryAt }));
    const owned = await this.#store.finish(ends);
    const sorts = new Map<(items: readonly unknown[]) => Promise<void>, unknown[]>();
    for (const result of live) {
      const { job, outcome } = result;
      if (!owned.has(job.id)) {
        this.#deps.log.warn('queue.job.lost', nameOf(result));
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

  /**
   * Retries until the outcome is saved, because an unsaved call would be sent again. Drops and logs rows
   * that can never be saved.
   */
  async #insist(result: JobResult, before: unknown): Promise<void> {
    const { database, log } = this.#deps;
    let current = result;
    let error = before;
    for (let tries = 0; !result.signal.aborted; ) {
      if (isForGood(error) && current.outcome.entry !== undefined) {
        log.error('queue.result.dropped', { ...nameOf(result), error });
        // The job ends anyway: a second run would send again.
        current = { ...result, outcome: {} };
      } else if (error !== undefined) {
        tries += 1;
        await this.#waitToTry(result, tries, error);
        if (result.signal.aborted) return;
      }
      try {
        return await database.write(() => this.#write([current]));
      } catch (thrown) {
        error = thrown ?? new Error('It failed without a reason.');
      }
    }
  }

  async #waitToTry(result: JobResult, tries: number, error: unknown): Promise<void> {
    // Logs after 1, 2, 4, 8 … tries: an hour without the database must not fill the log.
    if (Number.isInteger(Math.log2(tries)))
      this.#deps.log.error('queue.result.unsaved', { ...nameOf(result), tries, error });
    await pause(this.#deps.clock, Math.min(MAX_AGAIN_MS, AGAIN_MS * 2 ** (tries - 1)), result.signal);
  }
}

export function createResultWriter(deps: ResultWriterDeps, store: JobStore): ResultWriter {
  return new SharedResultWriter(deps, store);
}
