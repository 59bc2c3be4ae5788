/** What an entry takes for itself: its place in the map, and an object of a few short texts. */
const ENTRY_BYTES = 250;

/** About what V8 takes for a text: a byte for each character, or two if one is outside Latin-1. */
export const sizeOfText = (text: string): number =>
  Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;

/** About what the map itself takes for a key. */
export const sizeOfKey = (key: string): number => sizeOfText(key) + ENTRY_BYTES;

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

  get size(): number {
    return this.#entries.size;
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

  /** Drops the values that a test is true for. */
  dropIf(test: (value: V) => boolean): void {
    for (const [key, { value }] of this.#entries) if (test(value)) this.delete(key);
  }
}
