import { toSeconds } from '../../core/clock.ts';
import { createRepeating } from '../../plan/emit/repeat.ts';
import type { Context, Worker } from '../../plan/feature.ts';
import { deleteOldTraffic, hasOldTraffic } from './client/traffic-sql.ts';
import { deleteGrants, findOldGrants, hasOld, tidy } from './consent/grant-sql.ts';
import { ABSOLUTE_SECONDS } from './token/issue.ts';

const EVERY_MILLISECONDS = 3_600_000;
/** How long an app's request figures are stored. */
const TRAFFIC_SECONDS = 35 * 86_400;

/** Deletes old data each hour, in short writes. */
export function createTidier({ services }: Context): Worker {
  const { database, clock } = services;
  return createRepeating(services, {
    every: EVERY_MILLISECONDS,
    errorCode: 'oauth-purge-failed',
    async run() {
      const now = toSeconds(clock.now());
      const oldest = now - TRAFFIC_SECONDS;
      if (await hasOldTraffic(database, oldest)) await database.write(() => deleteOldTraffic(database, oldest));
      const isOld = await hasOld(database, now, ABSOLUTE_SECONDS);
      const isMore = isOld && (await database.write(() => tidy(database, now, ABSOLUTE_SECONDS)));
      // Selected outside the write, which then only needs ids.
      const ids = await findOldGrants(database, now);
      const isMoreGrants = ids.length > 0 && (await database.write(() => deleteGrants(database, ids)));
      return isMore || isMoreGrants;
    },
  });
}
