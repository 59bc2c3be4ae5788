import process from 'node:process';
import { TreadleError } from '../../core/errors.ts';
import { findErrorPlace } from '../../project/module-error.ts';
import type { Terminal } from '../terminal.ts';

export interface StrayOptions {
  readonly terminal: Terminal;
  /** Project root. @throws if there is no project. */
  readonly root: () => string;
}

/**
 * Prints one line for an error that nothing awaits, such as an emit at the top of a controller, in place of Node's dump
 * of the bundled program. `dev` and `start` have a guard of their own: `CrashGuard`.
 */
export class StrayErrors {
  /** True if an error was printed: the command has not succeeded. */
  isFound = false;
  readonly #options: StrayOptions;

  constructor(options: StrayOptions) {
    this.#options = options;
    process.on('unhandledRejection', this.#onRejection);
    process.on('uncaughtException', this.#onException);
  }

  readonly #onRejection = (reason: unknown): void => {
    if (process.listenerCount('unhandledRejection') === 1) this.#tell(reason);
  };

  readonly #onException = (thrown: unknown): void => {
    if (process.listenerCount('uncaughtException') === 1) this.#tell(thrown);
  };

  #findPlace(thrown: Error): string | undefined {
    try {
      return findErrorPlace(this.#options.root(), thrown);
    } catch {
      return undefined;
    }
  }

  #tell(thrown: unknown): void {
    this.isFound = true;
    this.#options.terminal.say(this.#toText(thrown));
  }

  #toText(thrown: unknown): string {
    if (!(thrown instanceof Error)) return `An error was not caught: ${String(thrown)}`;
    const place = this.#findPlace(thrown);
    // Without a place in the project the error is Treadle's, and its stack tells where.
    if (place === undefined && !(thrown instanceof TreadleError)) return thrown.stack ?? thrown.message;
    const hint = thrown instanceof TreadleError && thrown.hint !== undefined ? ` ${thrown.hint}` : '';
    return `${place === undefined ? '' : `${place}: `}An error was not caught: ${thrown.message}${hint}`;
  }

  /** Restores Node's default handling. */
  release(): void {
    process.off('unhandledRejection', this.#onRejection);
    process.off('uncaughtException', this.#onException);
  }
}
