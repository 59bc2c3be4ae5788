const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** 32-bit FNV-1a of the UTF-16 code units. @see draft-eastlake-fnv */
function hashText(text: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return hash >>> 0;
}

/**
 * Remembers which keys came lately, in a table of fixed size: a newer key of the same slot replaces an older one. Two
 * keys with the same hash count as one, so use it only where a mistake costs no more than some memory.
 */
export class SeenKeys {
  readonly #hashes: Uint32Array;

  /** @param slots A power of two; each takes 4 bytes. */
  constructor(slots = 65_536) {
    this.#hashes = new Uint32Array(slots);
  }

  /** Adds a key. True if it was there. */
  add(key: string): boolean {
    const hash = hashText(key);
    const slot = hash & (this.#hashes.length - 1);
    if (this.#hashes[slot] === hash) return true;
    this.#hashes[slot] = hash;
    return false;
  }
}
