import { hashText } from '../core/text/hash-text.ts';
import type { Basis, TableVersions } from '../database/version/table-version.ts';

/** What an entry takes for itself: its place in the map, and an object of a few short texts. */
const ENTRY_BYTES = 250;
/** What V8 takes for a small number in a list. */
const NUMBER_BYTES = 8;

/** About what V8 takes for a text: a byte for each character, or two if one is outside Latin-1. */
export const sizeOfText = (text: string): number =>
  Buffer.byteLength(text) === text.length ? text.length : 2 * text.length;

/** About what V8 and Node take for a body. */
export const sizeOfBody = (body: string | Uint8Array): number =>
  typeof body === 'string' ? sizeOfText(body) : body.byteLength;

/** About what the cache itself takes for a key. */
export const sizeOfKey = (key: string): number => sizeOfText(key) + ENTRY_BYTES;

/** Of what rows a value was made, and what memory it takes. */
export interface Origin {
  /** Counted size of the value; one of more than the limit is not cached. Must not be 0 for keys that clients choose. */
  readonly bytes: number;
  /** The rows that were read for it; undefined: the value does not depend on rows. */
  readonly basis?: Basis | undefined;
}

interface Entry<V> extends Origin {
  readonly value: V;
  /** The number of the last read of it, or of the last read before it was set. */
  usedAt: number;
}

/** Reads, for each entry of a full cache, after which one that none of them wanted makes room for any new one. */
const UNUSED = 4;

/** Minimum reads between two searches for outdated values. */
const LEAST_READS = 100;

const isCurrent = ({ basis }: Origin, versions: TableVersions): boolean => basis === undefined || versions.holds(basis);

/** Where few new values would be read again, one of so many is cached. */
const TAKEN = 8;
/** Values, found or outdated, after which it is judged whether they are found before they are outdated. */
const JUDGED = 256;

/**
 * Values of at most `limit` bytes in all: a new one drops those that were not read or set for longest. A full cache takes only
 * each eighth new value while its values are in use. Otherwise, if slightly more keys than fit are read in turn, each value is
 * dropped before it is read again. A value is found until any process writes one of the rows that it was made of. Those that a write has outdated
 * leave after as many reads as there are entries, so that they do not take the memory of a server that writes more than it reads.
 */
export class Cache<V> {
  readonly #limit: number;
  readonly #entries = new Map<string, Entry<V>>();
  #bytes = 0;
  #reads = 0;
  #cleaned: string | undefined;
  #now = 0;
  /** Values that were outdated, and finds, since the last judgement. */
  #outdated = 0;
  #found = 0;
  /** True if few values are found before they are outdated. */
  #isIdle = false;
  #passed = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value of a key, outdated or not. */
  get(key: string): V | undefined {
    return this.#get(key)?.value;
  }

  /** The value of a key, if these versions are still the ones that it was made of. */
  find(key: string, versions: TableVersions): V | undefined {
    this.#clean(versions);
    const entry = this.#get(key);
    if (entry === undefined) return undefined;
    if (!isCurrent(entry, versions)) {
      this.#outdate(key);
      return undefined;
    }
    this.#found += 1;
    if (this.#found >= JUDGED) this.#judge();
    return entry.value;
  }

  /**
   * Whether to cache the value of a key. If writes outdate more than eight values for each one that is found, as they do with lists of a
   * busy table, only each eighth new value is cached.
   */
  wants(key: string): boolean {
    return !this.#isIdle || this.#entries.has(key) || this.#isTurn();
  }

  set(key: string, value: V, { bytes: own, basis }: Origin): void {
    const isNew = !this.#entries.has(key);
    this.delete(key);
    const bytes = own + NUMBER_BYTES * (basis?.places?.length ?? 0);
    if (bytes > this.#limit || !this.#takes(bytes, isNew)) return;
    this.#entries.set(key, { value, bytes, basis, usedAt: this.#now });
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

  #get(key: string): Entry<V> | undefined {
    const entry = this.#entries.get(key);
    this.#now += 1;
    if (entry !== undefined) entry.usedAt = this.#now;
    // Half empty, it will drop nothing soon: reads need not keep the order.
    if (entry !== undefined && this.#bytes > this.#limit / 2) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry;
  }

  #outdate(key: string): void {
    this.delete(key);
    this.#outdated += 1;
    if (this.#outdated >= JUDGED) this.#judge();
  }

  #judge(): void {
    this.#isIdle = this.#found * TAKEN < this.#outdated;
    this.#outdated = 0;
    this.#found = 0;
  }

  #takes(bytes: number, isNew: boolean): boolean {
    const isFull = isNew && this.#bytes + bytes > this.#limit && !this.#hasUnused();
    return !isFull || this.#isTurn();
  }

  #isTurn(): boolean {
    this.#passed += 1;
    return this.#passed % TAKEN === 1;
  }

  /** True if the entry that would leave was not read for long. */
  #hasUnused(): boolean {
    for (const { usedAt } of this.#entries.values()) return this.#now - usedAt > UNUSED * this.#entries.size;
    return false;
  }

  #clean(versions: TableVersions): void {
    this.#reads += 1;
    if (this.#reads <= LEAST_READS || this.#reads <= this.#entries.size || this.#cleaned === versions.whole) return;
    this.#reads = 0;
    this.#cleaned = versions.whole;
    for (const [key, entry] of this.#entries) if (!isCurrent(entry, versions)) this.#outdate(key);
  }
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
