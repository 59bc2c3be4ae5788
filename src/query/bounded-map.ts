/** A map with a maximum number of entries (least recently used goes first). */
export class BoundedMap<V> {
  readonly #entries = new Map<string, V>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The entry under a key, created if missing. */
  getOrMake(key: string, make: () => V): V {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      if (this.#entries.size > this.#limit / 2) {
        this.#entries.delete(key);
        this.#entries.set(key, known);
      }
      return known;
    }
    const made = make();
    if (this.#entries.size >= this.#limit) this.#entries.delete(this.#entries.keys().next().value as string);
    this.#entries.set(key, made);
    return made;
  }
}
