import { bellOf } from './bell.ts';
import type { Queue } from './queue.ts';
import { type QueueDeps, runJob } from './run.ts';
import { createSettler } from './settle.ts';
import { createJobStore, secondsOf } from './table.ts';
import { createQueueWorker } from './worker.ts';

/** Jobs in one statement. */
const BATCH = 500;

/**
 * A queue that is a table of the project's own database, so that its jobs commit with the data.
 *
 * @param name Keeps the jobs of one feature from another's workers, such as `webhook`.
 */
export function createTableQueue(deps: QueueDeps, name: string): Queue {
  const { database, clock } = deps;
  const store = createJobStore(database, name);
  const settler = createSettler(deps, store);
  const bell = bellOf(database, name);
  return {
    async enqueue(jobs) {
      if (jobs.length === 0) return;
      const now = secondsOf(clock);
      const insert = async (): Promise<void> => {
        for (let from = 0; from < jobs.length; from += BATCH) await store.insert(jobs.slice(from, from + BATCH), now);
      };
      await (database.isInTransaction ? insert() : database.write(insert));
      await database.afterCommit(async () => {
        bell.ring(jobs);
        database.announce?.(name);
      });
    },
    measure: () => store.measure(secondsOf(clock)),
    work: (options) => createQueueWorker({ ...deps, store, settler }, { ...options, name }),
    async runNow(jobs, handle, leaseSeconds) {
      const owner = deps.random(12).toString('base64url');
      // What could not be settled within its lease is another's.
      const abort = new AbortController();
      const { signal } = abort;
      const cancel = clock.after(leaseSeconds * 1000, () => abort.abort());
      const lease = { owner, now: secondsOf(clock), seconds: leaseSeconds };
      await Promise.all(
        jobs.map(async (ref) => {
          const job = await database.write(() => store.claimNow(ref, lease));
          if (job) await runJob(deps, settler, { job, owner, handle, signal });
        }),
      ).finally(cancel);
    },
  };
}
