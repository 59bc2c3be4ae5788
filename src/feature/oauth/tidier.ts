import { toSeconds } from '../../core/clock.ts';
import type { Context, Worker } from '../../plan/feature.ts';
import { createRepeating } from '../../plan/repeat.ts';
import { deleteOldTraffic, hasOldTraffic } from './client/traffic-sql.ts';
import { deleteGrants, findOldGrants, hasOld, tidy } from './consent/grant-sql.ts';
import { ABSOLUTE_SECONDS } from './token/issue.ts';

const EVERY_MILLISECONDS = 3_600_000;
/** Steps per round; the rest waits for the next. */
const MOST_STEPS = 100;
/** How long an app's request figures are kept. */
const TRAFFIC_SECONDS = 35 * 86_400;

/** Repeats a step while there may be more. */
async function repeat(isStopped: () => boolean, step: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < MOST_STEPS && !isStopped(); count += 1) if (!(await step())) return;
}

/** Deletes old data each hour, in short writes. */
export function createTidier({ services }: Context): Worker {
  const { database, clock } = services;
  return createRepeating(services, {
    every: EVERY_MILLISECONDS,
    fault: 'oauth-purge-failed',
    async run(isStopped) {
      const now = toSeconds(clock.now());
      const oldest = now - TRAFFIC_SECONDS;
      if (await hasOldTraffic(database, oldest)) await database.write(() => deleteOldTraffic(database, oldest));
      if (await hasOld(database, now, ABSOLUTE_SECONDS)) {
        await repeat(isStopped, () => database.write(() => tidy(database, now, ABSOLUTE_SECONDS)));
      }
      // Selected outside the write, which then only needs ids.
      await repeat(isStopped, async () => {
        const ids = await findOldGrants(database, now);
        return ids.length > 0 && database.write(() => deleteGrants(database, ids));
      });
    },
  });
}
