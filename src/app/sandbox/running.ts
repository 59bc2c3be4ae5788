import type { Clock } from '../../core/clock.ts';
import type { DiskUse } from './disk-use.ts';
import type { SandboxSite } from './site.ts';

/** The application of one sandbox in this process, with the work that it has under way, such as requests. */
export class RunningSandbox {
  readonly site: Promise<SandboxSite>;
  readonly disk: DiskUse;
  readonly #clock: Clock;
  /** Clock time in milliseconds. */
  usedAt: number;
  #works = 0;
  #tellIdle: (() => void) | undefined;

  constructor(site: Promise<SandboxSite>, disk: DiskUse, clock: Clock) {
    this.site = site;
    this.disk = disk;
    this.#clock = clock;
    this.usedAt = clock.now();
  }

  get isIdle(): boolean {
    return this.#works === 0;
  }

  /** Counts work that must end before it is closed. Gives the function that ends it. */
  begin(): () => void {
    this.usedAt = this.#clock.now();
    this.#works += 1;
    return () => {
      this.#works -= 1;
      if (this.isIdle) this.#tellIdle?.();
    };
  }

  /** Closes the application once its work has ended, or after this many milliseconds. */
  async end(graceMs: number): Promise<void> {
    if (!this.isIdle && graceMs > 0) await this.#untilIdle(graceMs);
    const site = await this.site.catch(() => undefined);
    await site?.close();
  }

  #untilIdle(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(graceMs, resolve);
      this.#tellIdle = () => {
        cancel();
        resolve();
      };
    });
  }
}
