import { SizedMap } from '../core/sized-map.ts';
import type { TableVersions } from './table-version.ts';

/** What was made of rows. */
export interface Versioned {
  /** The tables that were read for it; undefined: any. */
  readonly tables: readonly string[] | undefined;
  /** Their version before they were read; undefined: the value does not depend on rows. */
  readonly version: string | undefined;
}

/** Minimum reads between two searches for outdated values. */
const LEAST_READS = 100;

/**
 * A map of at most `limit` bytes of what was made of rows. Values that a write has outdated leave it after as many reads as
 * it has entries, so that they do not take the memory of a server that writes more than it reads.
 */
export class VersionedMap<V extends Versioned> {
  readonly #entries: SizedMap<V>;
  #reads = 0;
  #cleaned: string | undefined;

  constructor(limit: number) {
    this.#entries = new SizedMap(limit);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value of a key, outdated or not. */
  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  /** The value of a key, if these versions are still the ones that it was made of. */
  find(key: string, versions: TableVersions): V | undefined {
    this.#clean(versions);
    const found = this.#entries.get(key);
    return found !== undefined && isCurrent(found, versions) ? found : undefined;
  }

  set(key: string, value: V, bytes: number): void {
    this.#entries.set(key, value, bytes);
  }

  #clean(versions: TableVersions): void {
    this.#reads += 1;
    if (this.#reads <= LEAST_READS || this.#reads <= this.#entries.size || this.#cleaned === versions.whole) return;
    this.#reads = 0;
    this.#cleaned = versions.whole;
    this.#entries.dropIf((value) => !isCurrent(value, versions));
  }
}

const isCurrent = ({ version, tables }: Versioned, versions: TableVersions): boolean =>
  version === undefined || version === versions.of(tables);
