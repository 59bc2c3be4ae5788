import { toSeconds } from '../../core/clock.ts';
import type { Context, Worker } from '../../plan/feature.ts';
import { createRepeating } from '../../plan/repeat.ts';
import { hasOld, tidy } from './grant-sql.ts';
import { ABSOLUTE_SECONDS } from './issue.ts';
import { deleteOldTraffic, hasOldTraffic } from './traffic-sql.ts';

const EVERY_MILLISECONDS = 3_600_000;
/** Steps of one round; what is left waits for the next. */
const MOST_STEPS = 100;
/** So long an app's request figures are kept. */
const TRAFFIC_SECONDS = 35 * 86_400;

/** Forgets what ended long ago, each hour, in short writes. */
export function createTidier({ services }: Context): Worker {
  const { database, clock } = services;
  return createRepeating(services, {
    every: EVERY_MILLISECONDS,
    fault: 'oauth-untidied',
    async run(isStopped) {
      const now = toSeconds(clock.now());
      const oldest = now - TRAFFIC_SECONDS;
      if (await hasOldTraffic(database, oldest)) await database.write(() => deleteOldTraffic(database, oldest));
      if (!(await hasOld(database, now, ABSOLUTE_SECONDS))) return;
      for (let step = 0; step < MOST_STEPS && !isStopped(); step += 1) {
        if (!(await database.write(() => tidy(database, now, ABSOLUTE_SECONDS)))) return;
      }
    },
  });
}
