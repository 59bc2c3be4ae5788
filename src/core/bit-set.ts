/** Bytes of a new set; always a power of two, so that it can be read by words of four. */
const FEW = 4096;

/** Number of ones in 32 bits. */
function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** A set of whole numbers from 0 to 2 ** 31 - 1, for which a Set would take a hundred times the memory. */
export class BitSet {
  #bytes = new Uint8Array(FEW);

  add(value: number): void {
    const bytes = this.reserve(value);
    bytes[value >> 3] = (bytes[value >> 3] as number) | (1 << (value & 7));
  }

  /** The bits themselves, the lowest of a byte first, with room for a value. They are valid until more room is reserved. */
  reserve(value: number): Uint8Array {
    const at = value >> 3;
    if (at >= this.#bytes.length) {
      const bytes = new Uint8Array(2 ** Math.ceil(Math.log2(at + 1)));
      bytes.set(this.#bytes);
      this.#bytes = bytes;
    }
    return this.#bytes;
  }

  has(value: number): boolean {
    return ((this.#bytes[value >> 3] ?? 0) & (1 << (value & 7))) !== 0;
  }

  delete(value: number): void {
    const at = value >> 3;
    if (at < this.#bytes.length) this.#bytes[at] = (this.#bytes[at] as number) & ~(1 << (value & 7));
  }

  /** Keeps the values that the other set has, too. */
  intersect(other: BitSet): void {
    const [words, others] = [new Int32Array(this.#bytes.buffer), new Int32Array(other.#bytes.buffer)];
    for (let at = 0; at < words.length; at += 1) words[at] = (words[at] as number) & (others[at] ?? 0);
  }

  /** Number of values. */
  get size(): number {
    const words = new Int32Array(this.#bytes.buffer);
    let size = 0;
    for (let at = 0; at < words.length; at += 1) size += countOnes(words[at] as number);
    return size;
  }
}
