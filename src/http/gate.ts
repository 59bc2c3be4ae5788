import { type Clock, waitAtMost } from '../core/clock.ts';

/** Maximum milliseconds for requests in flight to end. */
const PATIENCE_MS = 5000;

/** Requests that began between two calls of {@link Gate.passed}. */
interface Turn {
  inFlight: number;
  ended?: () => void;
}

/**
 * Holds new requests while the database changes in a way that is incompatible with the serving plan. Requests in
 * flight end first, and no request is refused.
 */
export class Gate {
  readonly #clock: Clock;
  readonly #state: { inFlight: number; idle?: () => void; opened?: Promise<void>; open?: () => void } = { inFlight: 0 };

  #turn: Turn = { inFlight: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The promise that a new request awaits; undefined if the gate is open. */
  get closed(): Promise<void> | undefined {
    return this.#state.opened;
  }

  /** Returns what {@link leave} takes. */
  enter(): Turn {
    this.#state.inFlight += 1;
    this.#turn.inFlight += 1;
    return this.#turn;
  }

  leave(turn?: Turn): void {
    const state = this.#state;
    state.inFlight -= 1;
    if (state.inFlight === 0) state.idle?.();
    if (turn === undefined) return;
    turn.inFlight -= 1;
    if (turn.inFlight === 0) turn.ended?.();
  }

  /** Resolves when the requests that are in flight now have ended, after 5 s at most. Later ones do not count. */
  async passed(): Promise<void> {
    const turn = this.#turn;
    this.#turn = { inFlight: 0 };
    if (turn.inFlight === 0) return;
    const ended = new Promise<void>((resolve) => {
      turn.ended = resolve;
    });
    await waitAtMost(this.#clock, ended, PATIENCE_MS);
  }

  /** Closes the gate; resolves when no request is in flight, after 5 s at most. */
  async close(): Promise<void> {
    const state = this.#state;
    state.opened ??= new Promise((resolve) => {
      state.open = resolve;
    });
    if (state.inFlight === 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(PATIENCE_MS, resolve);
      state.idle = () => {
        cancel();
        resolve();
      };
    });
    delete state.idle;
  }

  /** Releases waiting requests. Does nothing if the gate is open. */
  open(): void {
    const state = this.#state;
    state.open?.();
    delete state.opened;
    delete state.open;
  }
}
