import type { Log } from '../../core/log/log.ts';
import type { Frame } from '../transaction.ts';

/** Counts running work, so that closing can wait for it and for its tasks after the commit. */
export class RunningWork {
  #count = 0;
  #quiet: (() => void) | undefined;

  async track<T>(work: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await work();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) this.#quiet?.();
    }
  }

  /** Resolves when nothing is running. */
  async quiet(): Promise<void> {
    while (this.#count > 0) {
      await new Promise<void>((resolve) => {
        this.#quiet = resolve;
      });
    }
  }
}

/** Runs a task after a commit; logs its error. */
export async function runTask(task: () => Promise<void>, log: Log): Promise<void> {
  try {
    await task();
  } catch (error) {
    log.error('database-after-commit', { error });
  }
}

/** Runs the tasks for after the outermost commit, in order. */
export async function runTasks({ tasks }: Frame, log: Log): Promise<void> {
  for (const task of tasks) await runTask(task, log);
}
