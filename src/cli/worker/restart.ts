/** Pause before the first new start. */
const FIRST_MS = 100;
const LONGEST_MS = 30_000;
/** A worker that served for so long was healthy: the pauses begin again. */
const HEALTHY_MS = 10_000;

/** Says how long to wait before a worker is started again: twice as long as the last time, unless it served well meanwhile. */
export class RestartPause {
  #next = FIRST_MS;

  /** @param servedMs Milliseconds that the worker served; 0 where its start failed. */
  take(servedMs: number): number {
    if (servedMs >= HEALTHY_MS) this.#next = FIRST_MS;
    const pause = this.#next;
    this.#next = Math.min(LONGEST_MS, pause * 2);
    return pause;
  }
}
