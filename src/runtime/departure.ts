import type { Clock } from '../core/clock.ts';
import type { Lifecycle } from './exchange.ts';

/** The time between the wish to end and the end: readiness answers 503, so that balancers send their requests elsewhere. */
export class Departure {
  readonly #lifecycle: Lifecycle;
  readonly #clock: Clock;
  #hurry: (() => void) | undefined;

  constructor(lifecycle: Lifecycle, clock: Clock) {
    this.#lifecycle = lifecycle;
    this.#clock = clock;
  }

  /** Readiness answers 503 from now on; all else goes on. */
  tell(): void {
    this.#lifecycle.isDraining = true;
  }

  /** Tells, and waits so many seconds; not at all where it was told before. */
  async wait(seconds: number): Promise<void> {
    if (this.#lifecycle.isDraining || seconds === 0) return;
    this.tell();
    await new Promise<void>((resolve) => {
      this.#hurry = resolve;
      this.#clock.after(seconds * 1000, resolve);
    });
  }

  /** Waits no longer. */
  hurry(): void {
    this.#hurry?.();
  }
}
