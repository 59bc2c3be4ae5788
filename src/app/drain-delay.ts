import type { Clock } from '../core/clock.ts';
import type { Lifecycle } from '../http/exchange.ts';

/**
 * The time between the signal to stop and the shutdown: readiness answers 503, so that load balancers send requests
 * elsewhere.
 */
export class DrainDelay {
  readonly #lifecycle: Lifecycle;
  readonly #clock: Clock;
  #hurry: (() => void) | undefined;

  constructor(lifecycle: Lifecycle, clock: Clock) {
    this.#lifecycle = lifecycle;
    this.#clock = clock;
  }

  /** Readiness answers 503 from now on; all other requests are still served. */
  tell(): void {
    this.#lifecycle.isDraining = true;
  }

  /** Fails readiness and waits so many seconds; returns at once if readiness already fails. */
  async wait(seconds: number): Promise<void> {
    if (this.#lifecycle.isDraining || seconds === 0) return;
    this.tell();
    await new Promise<void>((resolve) => {
      this.#hurry = resolve;
      this.#clock.after(seconds * 1000, resolve);
    });
  }

  /** Ends the wait. */
  hurry(): void {
    this.#hurry?.();
  }
}
