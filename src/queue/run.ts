import type { Clock, Random } from '../core/clock.ts';
import type { Log } from '../core/log/log.ts';
import type { Database } from '../database/database.ts';
import type { Handle, Job, Outcome } from './queue.ts';
import type { ResultWriter } from './result-writer.ts';
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
  /** Aborted when the job returns to the queue. */
  readonly signal: AbortSignal;
}

/** Delay before a retry after a handler threw: the handler has a bug. */
const BROKEN_SECONDS = 60;

/** Runs one claimed job and saves its outcome, unless it was released meanwhile. Never throws. */
export async function runJob(deps: QueueDeps, resultWriter: ResultWriter, task: Task): Promise<Outcome> {
  const { job, owner, handle, signal } = task;
  let outcome: Outcome;
  try {
    outcome = await handle(job, signal);
  } catch (error) {
    if (!signal.aborted) deps.log.error('queue.job.failed', { kind: job.kind, payload: job.payload, error });
    outcome = { retryAt: secondsOf(deps.clock) + BROKEN_SECONDS };
  }
  await resultWriter.save({ job, owner, outcome, signal });
  tellSaved(deps.log, outcome);
  return outcome;
}

function tellSaved(log: Log, { saved }: Outcome): void {
  try {
    saved?.();
  } catch (error) {
    log.error('queue.job.untold', { error });
  }
}
