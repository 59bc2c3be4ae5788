import { toSeconds } from '../../core/clock.ts';
import { createRepeating } from '../../plan/emit/repeat.ts';
import type { Context, Worker } from '../../plan/feature.ts';
import { removeSettled } from '../../plan/table/settled.ts';
import { createJobQueue, toQueued, toRef } from './enqueue.ts';
import { Runner } from './runner.ts';
import { listUnhandled, ownJobTable } from './sql.ts';
import { createTally, type Tally } from './tally.ts';
import { createTicker } from './ticker.ts';

/** Jobs at once, of one process; and of one name. */
const CONCURRENCY = 16;
const PER_NAME = 4;
const DAY = 86_400;
/** Days that jobs are stored, by how they ended. */
const DONE_DAYS = 1;
const FAILED_DAYS = 30;
const PURGE_MS = 3_600_000;
/** Jobs without a handler that one start brings back at once; each process looks again for the others. */
const MAX_UNHANDLED = 10_000;
/** Seconds that `treadle job run` may take. */
const RUN_NOW_SECONDS = 600;

/** Brings back at once what waited for a handler that this plan has. */
export async function seedUnhandled({ plan, services }: Context): Promise<void> {
  const names = plan.jobs.map((job) => job.name);
  const found = await listUnhandled(services.database, names, MAX_UNHANDLED);
  const now = toSeconds(services.clock.now());
  await createJobQueue(services).enqueue(found.map(({ id, name }) => toQueued(id, name, now)));
}

/** Removes what was settled long ago, in batches. */
function createPurge({ services }: Context): Worker {
  const { database, clock } = services;
  return createRepeating(services, {
    every: PURGE_MS,
    errorCode: 'job.purge.failed',
    async run() {
      const now = toSeconds(clock.now());
      const isMoreDone = await removeSettled(ownJobTable, database, {
        states: ['done', 'replaced'],
        before: now - DONE_DAYS * DAY,
      });
      const isMoreFailed = await removeSettled(ownJobTable, database, {
        states: ['failed'],
        before: now - FAILED_DAYS * DAY,
      });
      return isMoreDone || isMoreFailed;
    },
  });
}

export interface JobWorker extends Worker {
  /** Resolves when nothing is running and nothing is due. */
  idle(): Promise<void>;
}

/** Runs what is queued and queues the runs of schedules, in the background, until stopped. */
export function createJobWorker(context: Context, tally: Tally): JobWorker {
  const { handle } = new Runner(context, tally);
  const worker = createJobQueue(context.services).work({ handle, concurrency: CONCURRENCY, perLane: PER_NAME });
  const ticker = createTicker(context);
  const purge = createPurge(context);
  return {
    wake: () => worker.wake(),
    async idle() {
      await ticker.idle();
      await worker.idle();
    },
    async hurry() {
      await Promise.all([ticker.stop(), worker.hurry()]);
    },
    async stop() {
      await Promise.all([ticker.stop(), purge.stop(), worker.stop()]);
    },
  };
}

/** Runs a job in this process and resolves when it has ended, for a command that waits for it. */
export async function runJobNow(context: Context, id: number): Promise<void> {
  const { handle } = new Runner(context, createTally());
  await createJobQueue(context.services).runNow([toRef(id)], handle, RUN_NOW_SECONDS);
}
