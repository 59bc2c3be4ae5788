import type { Clock, Random } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import type { Handle, Job, Outcome } from './queue.ts';
import { type JobStore, secondsOf } from './table.ts';

export interface QueueDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface Task {
  readonly job: Job;
  readonly owner: string;
  readonly handle: Handle;
  /** Aborted when the job goes back to the queue. */
  readonly signal: AbortSignal;
}

/** A handler that throws is broken: its job waits this long. */
const BROKEN_SECONDS = 60;
/** What could not be written down is tried again after this time, while the lease is prolonged. */
const SETTLE_MS = 1000;

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

/**
 * Writes down what came of a job. Where the database cannot be written to, it is tried until it can: what was sent
 * would be sent again otherwise.
 */
async function settle(deps: QueueDeps, store: JobStore, task: Task, outcome: Outcome): Promise<void> {
  const { job, owner, signal } = task;
  const named = { kind: job.kind, payload: job.payload };
  while (!signal.aborted) {
    try {
      return await deps.database.write(async () => {
        if (await store.settle(job.id, owner, outcome.retryAt)) await outcome.record?.();
        else deps.log.warn('queue.job.lost', named);
      });
    } catch (error) {
      deps.log.error('queue.job.unsettled', { ...named, error });
      await pause(deps.clock, SETTLE_MS, signal);
    }
  }
}

/** Does one claimed job and settles it, unless it was given back meanwhile. Never throws. Tells what came of it. */
export async function runJob(deps: QueueDeps, store: JobStore, task: Task): Promise<Outcome> {
  const { job, handle, signal } = task;
  let outcome: Outcome;
  try {
    outcome = await handle(job, signal);
  } catch (error) {
    if (!signal.aborted) deps.log.error('queue.job.failed', { kind: job.kind, payload: job.payload, error });
    outcome = { retryAt: secondsOf(deps.clock) + BROKEN_SECONDS };
  }
  await settle(deps, store, task, outcome);
  return outcome;
}
