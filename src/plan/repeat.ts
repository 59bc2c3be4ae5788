import type { Services, Worker } from './feature.ts';

export interface Repeated {
  /** Milliseconds from the end of one round to the next. */
  readonly every: number;
  /** Log message of a failed round; the next round runs anyway. */
  readonly fault: string;
  /**
   * True if a last round follows when it is stopped, for what was collected in the meantime. Default false.
   */
  readonly isLast?: boolean;
  /** Runs one round. `isStopped` tells a long round to leave the rest to the next process. */
  run(isStopped: () => boolean): Promise<void>;
}

/** Creates a worker that repeats one job, one round at a time, until it is stopped. */
export function createRepeating({ clock, log }: Pick<Services, 'clock' | 'log'>, repeated: Repeated): Worker {
  const state: { isStopped: boolean; cancel: () => void; under: Promise<void> } = {
    isStopped: false,
    cancel: () => {},
    under: Promise.resolve(),
  };
  const run = (): Promise<void> =>
    repeated.run(() => state.isStopped).catch((error: unknown) => log.warn(repeated.fault, { error }));
  const schedule = (): void => {
    state.cancel = clock.after(repeated.every, () => {
      state.under = run().finally(() => {
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
      if (repeated.isLast) await run();
    },
    wake() {},
  };
}
