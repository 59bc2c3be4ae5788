/** Milliseconds before the first restart. */
const FIRST_MS = 100;
const LONGEST_MS = 30_000;
/** A worker that served this long was healthy: the pauses start over. */
const HEALTHY_MS = 10_000;

/** Computes the pause before a restart: twice the last one, unless the worker served well meanwhile. */
export class RestartPause {
  #next = FIRST_MS;

  /** @param servedMs Milliseconds that the worker served; 0 if its start failed. */
  take(servedMs: number): number {
    if (servedMs >= HEALTHY_MS) this.#next = FIRST_MS;
    const pause = this.#next;
    this.#next = Math.min(LONGEST_MS, pause * 2);
    return pause;
  }
}
