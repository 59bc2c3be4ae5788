import process from 'node:process';
import { inspect } from 'node:util';
import type { Log } from '../core/log.ts';
import { findErrorPlace } from '../project/module-fault.ts';

interface Fault {
  /** `file:line` of the project's code, where the stack names one. */
  readonly place?: string;
  /** Such as `/app/www`. */
  readonly package?: string;
  readonly error: unknown;
}

/** What a log line says of anything that was thrown. */
function toFault(root: string, thrown: unknown): Fault {
  if (!(thrown instanceof Error)) return { error: { message: inspect(thrown), stack: undefined } };
  const place = findErrorPlace(root, thrown);
  const name = /^app\/[^/]+/.exec(place ?? '')?.[0];
  return {
    ...(place === undefined ? {} : { place }),
    ...(name === undefined ? {} : { package: `/${name}` }),
    error: thrown,
  };
}

/**
 * Keeps a server alive when the project's code forgets a promise: a rejection that nobody handles is logged. An exception
 * that nobody caught is logged too; what it interrupted is unknown, so a server for production then ends in order.
 */
export class CrashGuard {
  /** Resolves at the first exception that nobody caught. */
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
    this.#log.error('unhandled promise rejection', { ...toFault(this.#root, reason) });
  };

  readonly #onException = (thrown: unknown): void => {
    this.#log.error('uncaught exception', { ...toFault(this.#root, thrown) });
    this.#isCrashed = true;
    this.#crash();
  };

  /** Leaves such faults to Node again. */
  release(): void {
    process.off('unhandledRejection', this.#onRejection);
    process.off('uncaughtException', this.#onException);
  }
}
