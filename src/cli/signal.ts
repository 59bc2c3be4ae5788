import { EXIT } from './failure.ts';

export interface SignalOptions {
  /** Requests shutdown, as SIGTERM does. */
  readonly signal: AbortSignal | undefined;
  readonly exit: (code: number) => void;
  /** True if npm started the process: npm sends SIGTERM only to its shell, which exits without notice. */
  readonly isByNpm: boolean;
}

/** Sent by Ctrl-C; `kill` and supervisors; a closed terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Interval of the check that npm, the parent process, still runs. */
const ORPHAN_MS = 500;
/** npm repeats the Ctrl-C of the terminal; a user takes longer to press it twice. */
const REPEAT_MS = 100;

/**
 * Handles the signals that stop a server: the first requests an orderly shutdown, the second ends the process at
 * once.
 */
export class Signals {
  readonly asked: Promise<void>;
  readonly #options: SignalOptions;
  #ask: () => void = () => {};
  #askedAt: number | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: SignalOptions) {
    this.#options = options;
    this.asked = new Promise((resolve) => {
      this.#ask = resolve;
    });
    for (const name of SIGNALS) process.on(name, this.#onSignal);
    const parent = process.ppid;
    if (options.isByNpm) this.#watch = setInterval(() => process.ppid !== parent && this.#begin(), ORPHAN_MS).unref();
    if (options.signal?.aborted) this.#begin();
    else options.signal?.addEventListener('abort', this.#begin);
  }

  readonly #begin = (): void => {
    clearInterval(this.#watch);
    this.#askedAt ??= performance.now();
    this.#ask();
  };

  readonly #onSignal = (): void => {
    if (this.#askedAt === undefined) this.#begin();
    else if (performance.now() - this.#askedAt > REPEAT_MS) this.#options.exit(EXIT.interrupted);
  };

  /** Removes the handlers. */
  release(): void {
    for (const name of SIGNALS) process.off(name, this.#onSignal);
    clearInterval(this.#watch);
    this.#options.signal?.removeEventListener('abort', this.#begin);
  }
}
