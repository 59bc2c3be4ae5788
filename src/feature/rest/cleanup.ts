import { toSeconds } from '../../core/clock.ts';
import type { Context, Worker } from '../../plan/feature.ts';
import { createRepeating } from '../../plan/repeat.ts';
import { KEPT_SECONDS } from './idempotency.ts';
import { hasOldKey, removeOldKeys } from './sql.ts';

const EVERY_MILLISECONDS = 3_600_000;
/** Steps per round; the rest waits for the next round. */
const MOST_STEPS = 100;

/** Deletes expired answers each hour, in short writes. */
export function createCleanup({ services }: Context): Worker {
  const { database, clock } = services;
  return createRepeating(services, {
    every: EVERY_MILLISECONDS,
    fault: 'rest-purge-failed',
    async run(isStopped) {
      const since = toSeconds(clock.now()) - KEPT_SECONDS;
      if (!(await hasOldKey(database, since))) return;
      for (let step = 0; step < MOST_STEPS && !isStopped(); step += 1) {
        if (!(await database.write(() => removeOldKeys(database, since)))) return;
      }
    },
  });
}
