import { toSeconds } from '../../core/clock.ts';
import { createRepeating } from '../../plan/emit/repeat.ts';
import type { Context, Worker } from '../../plan/feature.ts';
import { RETENTION_SECONDS } from './idempotency.ts';
import { hasOldKey, removeOldKeys } from './sql.ts';

const EVERY_MILLISECONDS = 3_600_000;

/** Deletes expired answers each hour, in short writes. */
export function createCleanup({ services }: Context): Worker {
  const { database, clock } = services;
  return createRepeating(services, {
    every: EVERY_MILLISECONDS,
    errorCode: 'rest-purge-failed',
    async run() {
      const since = toSeconds(clock.now()) - RETENTION_SECONDS;
      return (await hasOldKey(database, since)) && (await database.write(() => removeOldKeys(database, since)));
    },
  });
}
