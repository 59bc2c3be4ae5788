/** About what the map itself takes for a key: two bytes for each character, and the entry. */
export const sizeOfKey = (key: string): number => 2 * key.length + 100;

/** A map of at most `limit` bytes: a new entry drops those that were not read or set for longest. */
export class SizedMap<V> {
  readonly #limit: number;
  readonly #entries = new Map<string, { readonly value: V; readonly bytes: number }>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // Half empty, it will drop nothing soon: reads need not keep the order.
    if (this.#bytes > this.#limit / 2) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry.value;
  }

  /** @param bytes Counted size of the value; more than the limit is not kept. Must not be 0 for keys that clients choose. */
  set(key: string, value: V, bytes: number): void {
    this.delete(key);
    if (bytes > this.#limit) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limit) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}
