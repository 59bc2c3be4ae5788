import { toSeconds } from '../../core/clock.ts';
import type { Context, Worker } from '../../plan/feature.ts';
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
  const { database, clock, log } = services;
  const state: { isStopped: boolean; cancel: () => void; under: Promise<void> } = {
    isStopped: false,
    cancel: () => {},
    under: Promise.resolve(),
  };
  const run = async (): Promise<void> => {
    const now = toSeconds(clock.now());
    const oldest = now - TRAFFIC_SECONDS;
    if (await hasOldTraffic(database, oldest)) await database.write(() => deleteOldTraffic(database, oldest));
    if (!(await hasOld(database, now, ABSOLUTE_SECONDS))) return;
    for (let step = 0; step < MOST_STEPS && !state.isStopped; step += 1) {
      if (!(await database.write(() => tidy(database, now, ABSOLUTE_SECONDS)))) return;
    }
  };
  const schedule = (): void => {
    state.cancel = clock.after(EVERY_MILLISECONDS, () => {
      state.under = run()
        .catch((error: unknown) => log.warn('oauth-untidied', { error }))
        .finally(() => {
          if (!state.isStopped) schedule();
        });
    });
  };
  schedule();
  return {
    async stop() {
      state.isStopped = true;
      state.cancel();
      await state.under;
    },
    wake() {},
  };
}
