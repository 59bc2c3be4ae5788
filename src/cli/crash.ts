import process from 'node:process';
import { inspect } from 'node:util';
import type { Log } from '../core/log/log.ts';
import { toReadableError, toReason } from '../core/text/reason.ts';
import { findErrorPlace } from '../project/module-error.ts';

/** An object may have an inspection of its own, which throws. */
function print(thrown: unknown): string {
  try {
    return inspect(thrown);
  } catch {
    return toReason(thrown);
  }
}

interface CodeError {
  /** `file:line` of the project's code, if the stack names one. */
  readonly place?: string;
  /** For example `/app/www`. */
  readonly package?: string;
  readonly error: unknown;
}

/** The log fields of any thrown value. */
function toCodeError(root: string, given: unknown): CodeError {
  const thrown = toReadableError(given);
  if (!(thrown instanceof Error)) return { error: { message: print(thrown), stack: undefined } };
  const place = findErrorPlace(root, thrown);
  const name = /^app\/[^/]+/.exec(place ?? '')?.[0];
  return {
    ...(place === undefined ? {} : { place }),
    ...(name === undefined ? {} : { package: `/${name}` }),
    error: thrown,
  };
}

/**
 * Keeps a server running after an unhandled rejection in the project's code, and logs it. An uncaught exception
 * is logged too; its effects are unknown, so a production server then shuts down.
 */
export class CrashGuard {
  /** Resolves at the first uncaught exception. */
  readonly crashed: Promise<void>;
  #isCrashed = false;
  #crash: () => void = () => {};
  readonly #log: Log;
  readonly #root: string;

  /** @param root Project root, absolute. */
  constructor(log: Log, root: string) {
    this.#log = log;
    this.#root = root;
    this.crashed = new Promise((resolve) => {
      this.#crash = resolve;
    });
    process.on('unhandledRejection', this.#onRejection);
    process.on('uncaughtException', this.#onException);
  }

  get isCrashed(): boolean {
    return this.#isCrashed;
  }

  readonly #onRejection = (reason: unknown): void => {
    this.#log.error('unhandled promise rejection', { ...toCodeError(this.#root, reason) });
  };

  readonly #onException = (thrown: unknown): void => {
    this.#log.error('uncaught exception', { ...toCodeError(this.#root, thrown) });
    this.#isCrashed = true;
    this.#crash();
  };

  /** Restores Node's default handling. */
  release(): void {
    process.off('unhandledRejection', this.#onRejection);
    process.off('uncaughtException', this.#onException);
  }
}
