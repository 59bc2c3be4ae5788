import { bellOf } from './bell.ts';
import type { Queue } from './queue.ts';
import { type QueueDeps, runJob } from './run.ts';
import { createJobStore, secondsOf } from './table.ts';
import { createQueueWorker } from './worker.ts';

/**
 * A queue that is a table of the project's own database, so that its jobs commit with the data.
 *
 * @param name Keeps the jobs of one feature from another's workers, such as `webhook`.
 */
export function createTableQueue(deps: QueueDeps, name: string): Queue {
  const store = createJobStore(deps.database, name);
  const bell = bellOf(deps.database, name);
  return {
    async enqueue(jobs) {
      if (jobs.length === 0) return;
      const now = secondsOf(deps.clock);
      const insert = (): Promise<void> => store.insert(jobs, now);
      await (deps.database.isInTransaction ? insert() : deps.database.write(insert));
      await deps.database.afterCommit(async () => bell.ring());
    },
    work: (options) => createQueueWorker(deps, store, { ...options, name }),
    async runNow(jobs, handle, leaseSeconds) {
      const owner = deps.random(12).toString('base64url');
      const signal = new AbortController().signal;
      const lease = { owner, now: secondsOf(deps.clock), seconds: leaseSeconds };
      await Promise.all(
        jobs.map(async (ref) => {
          const job = await deps.database.write(() => store.claimNow(ref, lease));
          if (job) await runJob(deps, store, { job, owner, handle, signal });
        }),
      );
    },
  };
}
