import { ClientGone } from '../core/client-gone.ts';
import type { Database } from '../database/database.ts';
import { readVersion } from '../database/table-version.ts';
import { BoundedMap } from './bounded-map.ts';

/** Searches whose totals are remembered. */
const KEPT = 1000;
/** Characters of a search that is remembered; what is longer is hardly asked twice. */
const MOST_CHARACTERS = 1000;
/** After so many commits in a row that each made a total old, it is looked at whether it still holds once in 2^n times. */
const MOST_MISSES = 5;

/** A total, the version of its tables before it was counted, and how it fared lately. */
interface Known {
  version: string;
  total: Promise<number> | undefined;
  isCounting: boolean;
  misses: number;
  /** Times that it is counted without a look at the version. */
  rest: number;
}

/** What another one counts; counted again where that one's client leaves. */
async function shareCount(total: Promise<number>, count: () => Promise<number>): Promise<number> {
  try {
    return await total;
  } catch (error) {
    if (!(error instanceof ClientGone)) throw error;
    return count();
  }
}

/**
 * Remembers how many rows a search has until one of its tables is written, by whichever process. To count costs as much as there
 * are rows, to give a page only as much as the page has; and a search is asked far more often than its rows change.
 */
export class Totals {
  readonly #known = new BoundedMap<Known>(KEPT);

  /**
   * The total of a search, counted where it isn't known or no longer sure: as fresh as one that is counted now. In a
   * transaction, which sees what nobody else does, it is always counted.
   *
   * @param key What the count depends on, and nothing else.
   * @param tables The tables that it counts from. Default: not known, so that every commit makes the total old.
   */
  find(database: Database, key: string, count: () => Promise<number>, tables?: readonly string[]): Promise<number> {
    if (!database.version || database.isInTransaction || key.length > MOST_CHARACTERS) return count();
    const known = this.#known.getOrMake(key, () => ({
      version: '',
      total: undefined,
      isCounting: false,
      misses: 0,
      rest: 1,
    }));
    if (known.rest > 0) {
      known.rest -= 1;
      return count();
    }
    return this.#check(known, count, () => readVersion(database, tables));
  }

  async #check(known: Known, count: () => Promise<number>, read: () => Promise<string | undefined>): Promise<number> {
    const version = await read().catch(() => undefined);
    if (version === undefined) return count();
    if (known.total !== undefined && known.version === version) {
      known.misses = 0;
      return known.isCounting ? shareCount(known.total, count) : known.total;
    }
    if (known.total !== undefined) {
      known.misses = Math.min(known.misses + 1, MOST_MISSES);
      known.rest = 2 ** known.misses - 2;
    }
    const total = count();
    Object.assign(known, { version, total, isCounting: true });
    total.then(
      () => {
        if (known.total === total) known.isCounting = false;
      },
      // One that failed is not the next one's answer.
      () => {
        if (known.total === total) known.total = undefined;
      },
    );
    return total;
  }
}
