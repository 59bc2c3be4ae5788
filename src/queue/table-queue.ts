import { createInline } from './inline.ts';
import { notifierOf } from './notify.ts';
import type { Queue } from './queue.ts';
import { createResultWriter } from './result-writer.ts';
import type { QueueDeps } from './run.ts';
import { createJobStore, secondsOf } from './table.ts';
import { createQueueWorker } from './worker.ts';

/** Jobs per statement. */
const BATCH = 500;

/**
 * A queue in a table of the project's own database, so that jobs commit with the data.
 * @param name Separates the jobs of one feature from those of others, such as `webhook`.
 */
export function createTableQueue(deps: QueueDeps, name: string): Queue {
  const { database, clock } = deps;
  const store = createJobStore(database, name);
  const resultWriter = createResultWriter(deps, store);
  const inline = createInline({ ...deps, store, resultWriter, name });
  const notifier = notifierOf(database, name);
  return {
    async enqueue(jobs) {
      if (jobs.length === 0) return;
      const now = secondsOf(clock);
      const insert = async (): Promise<void> => {
        for (let from = 0; from < jobs.length; from += BATCH) await store.insert(jobs.slice(from, from + BATCH), now);
      };
      await (database.isInTransaction ? insert() : database.write(insert));
      await database.afterCommit(async () => {
        notifier.notify(jobs);
        database.announce(name);
      });
    },
    measure: () => store.measure(secondsOf(clock)),
    work: (options) => createQueueWorker({ ...deps, store, resultWriter, inline }, { ...options, name }),
    runNow: (jobs, handle, leaseSeconds) => inline.run(jobs, handle, leaseSeconds),
  };
}
