import type { Services, Worker } from '../feature.ts';

export interface RepeatedTask {
  /** Milliseconds from the end of one round to the next, unless the round says that there is more to do. */
  readonly every: number;
  /** Log message of a failed round; the next round runs anyway. */
  readonly errorCode: string;
  /**
   * True if a last round follows when it is stopped, for what was collected in the meantime. Default false.
   */
  readonly isLast?: boolean;
  /** Runs one round. If it resolves with true, there is more to do: the next round follows after {@link PAUSE_MS}. */
  run(): Promise<unknown>;
}

/** Milliseconds between two rounds of a job that has more to do, so that other writers get their turn. */
export const PAUSE_MS = 50;

/** Creates a worker that repeats one job, one round at a time, until it is stopped. */
export function createRepeating({ clock, log }: Pick<Services, 'clock' | 'log'>, repeated: RepeatedTask): Worker {
  const state: { isStopped: boolean; cancel: () => void; under: Promise<void> } = {
    isStopped: false,
    cancel: () => {},
    under: Promise.resolve(),
  };
  const run = async (): Promise<boolean> => {
    try {
      return (await repeated.run()) === true;
    } catch (error) {
      log.warn(repeated.errorCode, { error });
      return false;
    }
  };
  const schedule = (milliseconds: number): void => {
    state.cancel = clock.after(milliseconds, () => {
      state.under = run().then((isMore) => {
        if (!state.isStopped) schedule(isMore ? PAUSE_MS : repeated.every);
      });
    });
  };
  schedule(repeated.every);
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
