import timers from 'node:timers';
import promises from 'node:timers/promises';
import { promisify } from 'node:util';

type Callback = (...parameters: unknown[]) => void;
type Timer = NodeJS.Timeout;
type Options = { readonly ref?: boolean; readonly signal?: AbortSignal };

/** The timer functions that the project's modules see instead of Node's. */
export interface OwnTimers {
  /** By name: parameters of each module. */
  readonly globals: Readonly<Record<(typeof TIMER_NAMES)[number], unknown>>;
  /** What `import … from 'node:timers'` gives. */
  readonly module: object;
  /** What `import … from 'node:timers/promises'` gives. */
  readonly promises: object;
  /** Holds callbacks until {@link resume}: loading has ended, and the code is not served yet. */
  pause(): void;
  resume(): void;
  /** Clears everything that still waits. */
  end(): void;
}

export const TIMER_NAMES = ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] as const;

const NEVER = new Promise<never>(() => {});

/** Timers of one load of the project's code. Those that requests set are Node's own. */
class LoadTimers {
  readonly #isOwn: () => boolean;
  readonly #open = new Set<Timer>();
  readonly #held: (() => void)[] = [];
  readonly #ended = new AbortController();
  #isPaused = false;

  constructor(isOwn: () => boolean) {
    this.#isOwn = isOwn;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const run of this.#held.splice(0)) run();
  }

  end(): void {
    for (const timer of this.#open) clearTimeout(timer);
    this.#open.clear();
    this.#held.length = 0;
    this.#ended.abort();
  }

  readonly setTimeout = (callback: Callback, delay?: number, ...parameters: unknown[]): Timer => {
    if (!this.#isOwn()) return setTimeout(callback, delay, ...parameters);
    const run = (): void => callback(...parameters);
    const timer = setTimeout(() => {
      this.#open.delete(timer);
      // A timer of a command that only reads the project never runs.
      if (this.#isPaused) this.#held.push(run);
      else run();
    }, delay);
    return this.#keep(timer);
  };

  readonly setInterval = (callback: Callback, delay?: number, ...parameters: unknown[]): Timer => {
    if (!this.#isOwn()) return setInterval(callback, delay, ...parameters);
    return this.#keep(
      setInterval(() => {
        if (!this.#isPaused) callback(...parameters);
      }, delay),
    );
  };

  readonly clear = (timer: Timer | undefined): void => {
    if (timer !== undefined) this.#open.delete(timer);
    clearTimeout(timer);
  };

  #keep(timer: Timer): Timer {
    if (this.#ended.signal.aborted) clearTimeout(timer);
    else this.#open.add(timer);
    return timer;
  }

  #withEnd(options: Options | undefined): Options {
    const { signal } = this.#ended;
    return { ...options, signal: options?.signal ? AbortSignal.any([options.signal, signal]) : signal };
  }

  /** After the end the promise never settles: the code that waits for it is no longer used. */
  readonly sleep = async <T>(delay?: number, value?: T, options?: Options): Promise<T> => {
    if (!this.#isOwn()) return promises.setTimeout<T>(delay, value, options);
    return promises.setTimeout<T>(delay, value, this.#withEnd(options)).catch((error: unknown) => {
      if (this.#ended.signal.aborted) return NEVER;
      throw error;
    });
  };

  readonly ticks = (delay?: number, value?: unknown, options?: Options): AsyncIterable<unknown> =>
    this.#isOwn() ? this.#tick(delay, value, this.#withEnd(options)) : promises.setInterval(delay, value, options);

  async *#tick(delay: number | undefined, value: unknown, options: Options): AsyncIterable<unknown> {
    try {
      yield* promises.setInterval(delay, value, options);
    } catch (error) {
      if (!this.#ended.signal.aborted) throw error;
    }
  }
}

/** @param isOwn Whether the running code belongs to the load: it runs while the project loads, or in such a timer. */
export function createOwnTimers(isOwn: () => boolean): OwnTimers {
  const own = new LoadTimers(isOwn);
  Object.defineProperty(own.setTimeout, promisify.custom, { value: own.sleep });
  const globals = {
    setTimeout: own.setTimeout,
    setInterval: own.setInterval,
    clearTimeout: own.clear,
    clearInterval: own.clear,
  };
  const later = { ...promises, setTimeout: own.sleep, setInterval: own.ticks };
  return {
    globals,
    module: { ...timers, ...globals, promises: later },
    promises: later,
    pause: () => own.pause(),
    resume: () => own.resume(),
    end: () => own.end(),
  };
}
