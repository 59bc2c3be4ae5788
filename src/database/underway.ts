import type { Log } from '../core/log.ts';
import type { Frame } from './transaction.ts';

/** Counts what is under way, so that closing waits for it and for the tasks that follow its commit. */
export class Underway {
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

  /** Resolves when nothing is under way. */
  async quiet(): Promise<void> {
    while (this.#count > 0) {
      await new Promise<void>((resolve) => {
        this.#quiet = resolve;
      });
    }
  }
}

/** Runs a task that follows a commit; its error undoes nothing. */
export async function runTask(task: () => Promise<void>, log: Log): Promise<void> {
  try {
    await task();
  } catch (error) {
    log.error('database-after-commit', { error });
  }
}

/** What was kept for after the outermost commit, in order. */
export async function runTasks({ tasks }: Frame, log: Log): Promise<void> {
  for (const task of tasks) await runTask(task, log);
}
