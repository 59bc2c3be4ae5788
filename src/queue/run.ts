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

/** A handler that throws is broken: its job waits this long. */
const BROKEN_SECONDS = 60;
/** A writer that is busy for 5 s is asked again this often, while the lease is prolonged. */
const SETTLE_TRIES = 3;

async function settle(
  deps: QueueDeps,
  store: JobStore,
  end: { job: Job; owner: string; outcome: Outcome },
): Promise<void> {
  const { job, owner, outcome } = end;
  for (let tries = 1; ; tries += 1) {
    try {
      return await deps.database.write(async () => {
        if (await store.settle(job.id, owner, outcome.retryAt)) await outcome.record?.();
        else deps.log.warn('queue.job.lost', { kind: job.kind, payload: job.payload });
      });
    } catch (error) {
      deps.log.error('queue.job.unsettled', { kind: job.kind, payload: job.payload, error });
      if (tries >= SETTLE_TRIES) return;
    }
  }
}

/** Does one claimed job and settles it, unless it was given back meanwhile. Never throws. Tells whether it failed. */
export async function runJob(
  deps: QueueDeps,
  store: JobStore,
  task: { readonly job: Job; readonly owner: string; readonly handle: Handle; readonly signal: AbortSignal },
): Promise<boolean> {
  const { job, owner, handle, signal } = task;
  let outcome: Outcome;
  try {
    outcome = await handle(job, signal);
  } catch (error) {
    if (!signal.aborted) deps.log.error('queue.job.failed', { kind: job.kind, payload: job.payload, error });
    outcome = { retryAt: secondsOf(deps.clock) + BROKEN_SECONDS };
  }
  if (!signal.aborted) await settle(deps, store, { job, owner, outcome });
  return outcome.isFailed ?? outcome.retryAt !== undefined;
}
