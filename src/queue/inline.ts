import type { Handle, JobRef } from './queue.ts';
import { type ReleaseDeps, type RunningJob, releaseJobs } from './release.ts';
import type { ResultWriter } from './result-writer.ts';
import { type QueueDeps, runJob } from './run.ts';
import { secondsOf } from './table.ts';

/**
 * Jobs at once for all callers together, because each may hold a socket. Workers have a limit of their own.
 */
const CONCURRENCY = 64;

/** Called with true when it is a job's turn, with false if it stays in the queue. */
type Turn = (isNow: boolean) => void;

/** Jobs that run while a caller waits for them: a limited number at once, callers in turn. */
export interface Inline {
  /** See {@link Queue.runNow}. */
  run(jobs: readonly JobRef[], handle: Handle, leaseSeconds: number): Promise<void>;
  /** Jobs that wait for their turn stay in the queue. Running ones have 3 s, then they return to it. */
  stop(): Promise<void>;
  /** Starts no more jobs: new ones stay in the queue. */
  end(): void;
}

interface InlineDeps extends QueueDeps, ReleaseDeps {
  readonly resultWriter: ResultWriter;
}

class BoundedInline implements Inline {
  readonly #deps: InlineDeps;
  readonly #owner: string;
  readonly #underWay = new Map<number, RunningJob>();
  /** Waiting jobs by call, so that a call with a thousand jobs does not hold up the others. */
  readonly #calls = new Set<Turn[]>();
  #taken = 0;
  #isEnding = false;

  constructor(deps: InlineDeps) {
    this.#deps = deps;
    this.#owner = deps.random(12).toString('base64url');
  }

  async run(jobs: readonly JobRef[], handle: Handle, leaseSeconds: number): Promise<void> {
    const call: Turn[] = [];
    // By then the jobs are due and the workers take them.
    const cancel = this.#deps.clock.after(leaseSeconds * 1000, () => this.#turnAway(call));
    const runs = await Promise.allSettled(
      jobs.map(async (ref) => {
        if (!(await this.#enter(call))) return;
        try {
          await this.#do(ref, handle, leaseSeconds);
        } finally {
          this.#leave();
        }
      }),
    );
    cancel();
    for (const run of runs) if (run.status === 'rejected') throw run.reason;
  }

  async stop(): Promise<void> {
    for (const call of this.#calls) this.#turnAway(call);
    await releaseJobs(this.#deps, this.#owner, this.#underWay);
  }

  end(): void {
    this.#isEnding = true;
    for (const call of this.#calls) this.#turnAway(call);
  }

  #enter(call: Turn[]): Promise<boolean> {
    if (this.#isEnding) return Promise.resolve(false);
    if (this.#taken < CONCURRENCY) {
      this.#taken += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      call.push(resolve);
      this.#calls.add(call);
    });
  }

  #leave(): void {
    const [call] = this.#calls;
    const turn = call?.shift();
    if (call === undefined || turn === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#calls.delete(call);
    if (call.length > 0) this.#calls.add(call);
    turn(true);
  }

  #turnAway(call: Turn[]): void {
    this.#calls.delete(call);
    for (const turn of call.splice(0)) turn(false);
  }

  async #do(ref: JobRef, handle: Handle, leaseSeconds: number): Promise<void> {
    const { database, clock, store, resultWriter } = this.#deps;
    const abort = new AbortController();
    // After its lease another process may own the job.
    const cancel = clock.after(leaseSeconds * 1000, () => abort.abort());
    try {
      const lease = { owner: this.#owner, now: secondsOf(clock), seconds: leaseSeconds };
      const job = await database.write(() => store.claimNow(ref, lease));
      if (!job) return;
      if (this.#isEnding) {
        await database.write(() => store.release([job.id], this.#owner, lease.now));
        return;
      }
      const promise = runJob(this.#deps, resultWriter, { job, owner: this.#owner, handle, signal: abort.signal });
      this.#underWay.set(job.id, { lane: job.lane, promise, abort });
      await promise.finally(() => this.#underWay.delete(job.id));
    } finally {
      cancel();
    }
  }
}

export function createInline(deps: InlineDeps): Inline {
  return new BoundedInline(deps);
}
