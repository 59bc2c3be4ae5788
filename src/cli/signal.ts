import { EXIT } from './failure.ts';

export interface SignalOptions {
  /** Asks for the end, as SIGTERM would. */
  readonly signal: AbortSignal | undefined;
  readonly exit: (code: number) => void;
  /** Whether npm started the process: npm hands SIGTERM to its shell only, which dies and tells nobody. */
  readonly isByNpm: boolean;
}

/** Ctrl-C, `kill` and a balancer, a terminal that was closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How often a child of npm looks whether npm is still there. */
const ORPHAN_MS = 500;
/** npm repeats the Ctrl-C that the terminal has sent already; a person takes longer for the second one. */
const REPEAT_MS = 100;

/** Listens for the signals that end a server: the first one asks for an orderly end, the second ends the process at once. */
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

  /** Listens no longer. */
  release(): void {
    for (const name of SIGNALS) process.off(name, this.#onSignal);
    clearInterval(this.#watch);
    this.#options.signal?.removeEventListener('abort', this.#begin);
  }
}
