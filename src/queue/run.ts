import type { Clock, Random } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import type { Handle, Job, Outcome } from './queue.ts';
import type { Settler } from './settle.ts';
import { secondsOf } from './table.ts';

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

/** Does one claimed job and settles it, unless it was given back meanwhile. Never throws. Tells what came of it. */
export async function runJob(deps: QueueDeps, settler: Settler, task: Task): Promise<Outcome> {
  const { job, owner, handle, signal } = task;
  let outcome: Outcome;
  try {
    outcome = await handle(job, signal);
  } catch (error) {
    if (!signal.aborted) deps.log.error('queue.job.failed', { kind: job.kind, payload: job.payload, error });
    outcome = { retryAt: secondsOf(deps.clock) + BROKEN_SECONDS };
  }
  await settler.settle({ job, owner, outcome, signal });
  return outcome;
}
