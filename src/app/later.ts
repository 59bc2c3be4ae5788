import type { Clock } from '../core/clock.ts';
import { once } from '../core/memoize.ts';
import type { Worker } from '../plan/feature.ts';

const LATER_MS = 500;

/** Workers that begin soon after the start: their first look at the database would delay the first answer. */
export function startLater(make: () => readonly Worker[], clock: Clock): Worker {
  const start = once(make);
  const cancel = clock.after(LATER_MS, start);
  const startNow = (): readonly Worker[] => {
    cancel();
    return start();
  };
  return {
    wake() {
      for (const worker of startNow()) worker.wake();
    },
    async hurry() {
      await Promise.all(startNow().map((worker) => worker.hurry?.()));
    },
    // A worker that stops writes what requests have left for it, so it begins even now.
    async stop() {
      await Promise.all(startNow().map((worker) => worker.stop()));
    },
  };
}
