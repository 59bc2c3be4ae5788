import type { Clock } from '../core/clock.ts';

/** Milliseconds that requests in flight have to end. */
const PATIENCE_MS = 5000;

/**
 * Holds new requests back while the database changes in a way that the plan which serves could not live with. Those in
 * flight end first, and nobody is refused.
 */
export class Gate {
  readonly #clock: Clock;
  readonly #state: { inFlight: number; idle?: () => void; opened?: Promise<void>; open?: () => void } = { inFlight: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What a new request waits for; undefined where it may go on. */
  get closed(): Promise<void> | undefined {
    return this.#state.opened;
  }

  enter(): void {
    this.#state.inFlight += 1;
  }

  leave(): void {
    const state = this.#state;
    state.inFlight -= 1;
    if (state.inFlight === 0) state.idle?.();
  }

  /** Closes, and resolves when no request is in flight any more, after 5 s at most. */
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

  /** Lets in who waits. Does nothing where it is open. */
  open(): void {
    const state = this.#state;
    state.open?.();
    delete state.opened;
    delete state.open;
  }
}
