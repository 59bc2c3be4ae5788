import { once } from '../core/memoize.ts';
import { needsUpkeep, refreshStatistics } from '../database/statistics/refresh.ts';
import type { Services, Worker } from '../plan/feature.ts';

/** Milliseconds until the first look, which is thorough: what a restore or raw SQL did before the start shows no count. */
const FIRST_MS = 5000;
/** Milliseconds between two looks, of which each costs one short read. */
const LOOK_MS = 10_000;

/**
 * Keeps the planner's statistics true to the data while the server runs, and looks a last time when it ends. Nothing for a
 * database that does so itself.
 */
export function startStatisticsUpkeep({ database, clock, log }: Pick<Services, 'database' | 'clock' | 'log'>): Worker {
  const state = { isStopped: false, cancel: () => {}, running: Promise.resolve<unknown>(undefined) };
  const look = (isThorough: boolean, isOver: () => boolean): Promise<unknown> =>
    refreshStatistics(database, { clock, log, isThorough, isOver });
  const plan = (milliseconds: number, isThorough: boolean): void => {
    state.cancel = clock.after(milliseconds, () => {
      state.running = look(isThorough, () => state.isStopped).finally(() => {
        if (!state.isStopped) plan(LOOK_MS, false);
      });
    });
  };
  const end = (): void => {
    state.isStopped = true;
    state.cancel();
  };
  if (needsUpkeep(database)) plan(FIRST_MS, true);
  return {
    wake() {},
    async hurry() {
      end();
    },
    stop: once(async () => {
      end();
      await state.running;
      const until = clock.now() + LAST_MS;
      if (needsUpkeep(database)) await look(false, () => clock.now() > until);
    }),
  };
}

/** Milliseconds that a server may take at its end; tables that it does not reach are counted after the next start. */
const LAST_MS = 1000;
