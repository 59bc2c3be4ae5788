import { type Clock, waitAtMost } from '../core/clock.ts';
import type { Log } from '../core/log/log.ts';
import type { Database } from '../database/database.ts';
import { notifierOf } from './notify.ts';
import { type JobStore, secondsOf } from './table.ts';

const GRACE_MS = 3000;
/** How long to wait for aborted jobs and for the results that are being written. */
const ABORT_MS = 1000;

/** A job that is running. */
export interface RunningJob {
  readonly lane: string;
  /** Resolves when it has ended; never rejects. */
  readonly promise: Promise<unknown>;
  readonly abort: AbortController;
}

export interface ReleaseDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly store: JobStore;
  /** Name of the queue. */
  readonly name: string;
}

type Jobs = ReadonlyMap<number, RunningJob>;

export async function waitForAll(jobs: Jobs): Promise<void> {
  await Promise.all([...jobs.values()].map((entry) => entry.promise));
}

/** Waits up to 3 s for an owner's jobs. Then aborts the rest and returns them to the queue, due at once. */
export async function releaseJobs(deps: ReleaseDeps, owner: string, jobs: Jobs): Promise<void> {
  const { clock, database, log, store, name } = deps;
  await waitAtMost(clock, waitForAll(jobs), GRACE_MS);
  if (jobs.size === 0) return;
  for (const { abort } of jobs.values()) abort.abort();
  const left = [...jobs];
  await waitAtMost(clock, waitForAll(jobs), ABORT_MS);
  try {
    const ids = left.map(([id]) => id);
    await database.write(() => store.release(ids, owner, secondsOf(clock)));
  } catch (error) {
    // The jobs become due again when their leases expire.
    log.error('queue.release.failed', { error });
  }
  // Wakes the next plan's worker and other processes.
  notifierOf(database, name).notify(left.map(([, { lane }]) => ({ lane })));
  database.announce(name);
}
