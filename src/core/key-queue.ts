/** Runs the work of one key in the order of the calls, one after the other. Other keys do not wait. */
export class KeyQueue {
  readonly #last = new Map<string, Promise<void>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const running = before === undefined ? work() : before.then(work);
    const end = (): void => {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    };
    const ended = running.then(end, end);
    this.#last.set(key, ended);
    return running;
  }

  /** Number of keys that somebody works on. */
  get size(): number {
    return this.#last.size;
  }
}
