import { createHook, executionAsyncId } from 'node:async_hooks';
import { type Clock, systemClock, waitAtMost } from '../core/clock.ts';
import type { Log } from '../core/log/log.ts';
import { currentScope } from '../core/scope.ts';
import type { OwnVariables } from './environment.ts';
import { findErrorPlace, findPlace } from './module-error.ts';
import { createOwnTimers, type OwnTimers } from './own-timer.ts';
import { giveVariables } from './own-variables.ts';

/** A socket or server that the project's code opened while it loaded. */
interface OpenHandle {
  /** In words, such as `a connection`. */
  readonly what: string;
  /** `file:line` of the project's code; undefined if the stack does not show it. */
  readonly place: string | undefined;
  isOpen(): boolean;
}

/** Node's names of the resources that hold a descriptor. */
const WORDS: Readonly<Record<string, string>> = {
  TCPWRAP: 'a connection',
  PIPEWRAP: 'a connection',
  TCPSERVERWRAP: 'a server',
  PIPESERVERWRAP: 'a server',
  UDPWRAP: 'a socket',
};
/** Steps between the call of the project's code and the socket: a lookup of the host's name. */
const STEPS = new Set(['TickObject', 'GETADDRINFOREQWRAP']);
/**
 * Notes the sockets that are made until `end`. Watching makes promises slower, so it ends with the loading.
 * @param isOwn Whether to watch the current code.
 */
function watchHandles(root: string, isOwn: () => boolean): { end(): readonly OpenHandle[] } {
  const found: OpenHandle[] = [];
  const places = new Map<number, string | undefined>();
  const findOwnPlace = (): string | undefined => findPlace(root) ?? places.get(executionAsyncId());
  const hook = createHook({
    init(id, type, _trigger, resource) {
      const what = WORDS[type];
      if ((what === undefined && !STEPS.has(type)) || !isOwn()) return;
      if (what === undefined) return void places.set(id, findOwnPlace());
      // A closed handle has no descriptor; a collected one was closed.
      const handle = new WeakRef<{ readonly fd?: number }>(resource);
      found.push({ what, place: findOwnPlace(), isOpen: () => (handle.deref()?.fd ?? -1) >= 0 });
    },
  }).enable();
  return {
    end() {
      hook.disable();
      return found;
    },
  };
}

/** Milliseconds for all functions of `app.onClose` together. */
const CLOSE_MS = 1500;
/** Milliseconds after which a connection that is still open was forgotten. */
const LEFT_MS = 2000;

export type Close = () => unknown;

/**
 * What one load of the project's code started and must end again: its timers, what it closes by `app.onClose`, and its own
 * variables in `process.env`. A
 * reload makes a new life and ends the old one, because the old code would go on beside the new.
 */
export interface Life {
  /** Runs the code while it loads. Timers and sockets that it makes belong to this life. */
  load<T>(work: () => Promise<T>): Promise<T>;
  /** The timer functions that modules of this load get. */
  readonly timers: OwnTimers;
  /** Adds a function that runs when this life ends; at once if it has ended. */
  onClose(close: Close): void;
  /** The code is served from now on: its timers run. */
  start(): void;
  /** Clears the timers, so that old code does nothing by itself. */
  silence(): void;
  /** Silences, then runs the functions of `onClose`, the last added first, for 1.5 s at most. Never rejects. */
  end(): Promise<void>;
  /** Logs later which sockets are still open. Call it after {@link end} if the process goes on. */
  tellLeft(): void;
}

export interface LifeOptions {
  /** Project root, absolute. */
  readonly root: string;
  readonly log: Log;
  /** Variables of `.env` for the code. Default: none. */
  readonly variables?: OwnVariables;
  /** Default: the system's. The limits are real time. */
  readonly clock?: Clock;
}

interface CloseHandler {
  readonly close: Close;
  readonly place: string | undefined;
}

type Options = Required<Omit<LifeOptions, 'variables'>> & Pick<LifeOptions, 'variables'>;

class ProjectLife implements Life {
  readonly timers: OwnTimers;
  readonly #options: Options;
  readonly #takeVariables: () => void;
  readonly #closings: CloseHandler[] = [];
  #handles: readonly OpenHandle[] = [];
  #ending: Promise<void> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#takeVariables = options.variables === undefined ? () => {} : giveVariables(options.variables);
    this.timers = createOwnTimers(() => currentScope.getStore()?.life === this);
  }

  async load<T>(work: () => Promise<T>): Promise<T> {
    const watch = watchHandles(this.#options.root, () => currentScope.getStore()?.life === this);
    try {
      return await currentScope.run({ ...currentScope.getStore(), life: this }, work);
    } finally {
      this.#handles = watch.end();
      this.timers.pause();
    }
  }

  onClose(close: Close): void {
    const closing = { close, place: findPlace(this.#options.root) };
    if (this.#ending === undefined) this.#closings.push(closing);
    else void this.#run(closing);
  }

  start(): void {
    this.timers.resume();
  }

  silence(): void {
    this.timers.end();
  }

  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.silence();
    const { clock, log } = this.#options;
    const running: { place: string | undefined } = { place: undefined };
    const runAll = async (): Promise<boolean> => {
      for (const closing of this.#closings.splice(0).reverse()) {
        running.place = closing.place;
        await this.#run(closing);
      }
      return true;
    };
    const all = { isDone: false };
    const done = runAll().then(() => {
      all.isDone = true;
    });
    await waitAtMost(clock, done, CLOSE_MS);
    if (!all.isDone) log.warn('a function of app.onClose did not end in time', { place: running.place });
    this.#takeVariables();
  }

  async #run({ close, place }: CloseHandler): Promise<void> {
    try {
      await close();
    } catch (error) {
      const { root, log } = this.#options;
      const thrownAt = error instanceof Error ? findErrorPlace(root, error) : undefined;
      log.error('a function of app.onClose failed', { place: thrownAt ?? place, error });
    }
  }

  tellLeft(): void {
    const { clock, log } = this.#options;
    clock.after(LEFT_MS, () => {
      for (const { what, place } of this.#handles.filter((handle) => handle.isOpen()))
        log.warn('the code before the reload left something open', { what, place, hint: 'Close it in app.onClose.' });
      this.#handles = [];
    });
  }
}

export function createLife(options: LifeOptions): Life {
  return new ProjectLife({ clock: systemClock, ...options });
}
