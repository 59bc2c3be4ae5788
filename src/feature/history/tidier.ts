import { toSeconds } from '../../core/clock.ts';
import { createRepeating } from '../../plan/emit/repeat.ts';
import type { Context, Worker } from '../../plan/feature.ts';
import { deleteOld } from './sql.ts';

const EVERY_MILLISECONDS = 600_000;
/** Entries per write, so that others need not wait for long. */
const BATCH = 500;
const DAY_SECONDS = 86_400;

/** Deletes entries that are older than `history.days`. With 0 days it deletes all that were kept before. */
export function createTidier({ plan, services }: Context): Worker {
  const { database, clock } = services;
  return createRepeating(services, {
    every: EVERY_MILLISECONDS,
    errorCode: 'history-purge-failed',
    async run() {
      const before = toSeconds(clock.now()) - plan.model.settings.history.days * DAY_SECONDS;
      const deleted = await database.write(() => deleteOld(database, before, BATCH), { isPatient: true });
      return deleted === BATCH;
    },
  });
}
