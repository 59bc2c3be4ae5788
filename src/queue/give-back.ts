import { type Clock, waitAtMost } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import { bellOf } from './bell.ts';
import { type JobStore, secondsOf } from './table.ts';

const GRACE_MS = 3000;
/** What was told to end, and is being written down, is waited for this long. */
const ABORT_MS = 1000;

/** A job that is done now. */
export interface UnderWay {
  readonly lane: string;
  /** Resolves when it has ended; never rejects. */
  readonly promise: Promise<unknown>;
  readonly abort: AbortController;
}

export interface GiveBackDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly store: JobStore;
  /** The queue's. */
  readonly name: string;
}

type Jobs = ReadonlyMap<number, UnderWay>;

export async function waitForAll(jobs: Jobs): Promise<void> {
  await Promise.all([...jobs.values()].map((entry) => entry.promise));
}

/** Waits for an owner's jobs, 3 s at most; what is left then is aborted and goes back to the queue, due at once. */
export async function giveBack(deps: GiveBackDeps, owner: string, jobs: Jobs): Promise<void> {
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
    // They are due again when their leases end.
    log.error('queue.release.failed', { error });
  }
  // The next plan's worker, and other processes.
  bellOf(database, name).ring(left.map(([, { lane }]) => ({ lane })));
  database.announce?.(name);
}
