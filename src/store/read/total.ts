import { BoundedMap } from '../../core/bounded-map.ts';
import { ClientGone } from '../../core/client-gone.ts';
import type { Database } from '../../database/database.ts';
import type { ReadCost } from '../../database/read-cost.ts';
import { readVersion } from '../../database/table-version.ts';
import type { Search } from './question.ts';

/** Maximum number of remembered totals. */
const KEPT = 1000;
/** Maximum characters of a remembered search; a longer one is rarely repeated. */
const MOST_CHARACTERS = 1000;
/**
 * Caps the back-off: after n checks in a row found the total outdated, the next 2^n - 2 searches count without a
 * check.
 */
const MOST_MISSES = 5;

/** A total, the version of its tables before it was counted, and its recent misses. */
interface Known {
  version: string;
  total: Promise<number> | undefined;
  isCounting: boolean;
  misses: number;
  /** Number of searches left that count without checking the version. */
  rest: number;
}

/** Waits for another request's count; counts itself if that request's client left. */
async function shareCount(total: Promise<number>, count: () => Promise<number>): Promise<number> {
  try {
    return await total;
  } catch (error) {
    if (!(error instanceof ClientGone)) throw error;
    return count();
  }
}

/**
 * Remembers the number of rows of a search until any process writes one of its tables. A count reads every
 * matching row, a page only its own rows, and searches are far more frequent than writes.
 */
export class Totals {
  readonly #known = new BoundedMap<Known>(KEPT);

  /**
   * The total of a search: remembered if still valid, else counted. A transaction always counts, since it sees
   * its own changes.
   *
   * @param key What the count depends on, and nothing else.
   * @param tables The tables that are counted. Default: unknown, so that every commit makes the total outdated.
   */
  find(database: Database, key: string, count: () => Promise<number>, tables?: readonly string[]): Promise<number> {
    if (!database.version || database.isInTransaction || key.length > MOST_CHARACTERS) return count();
    const known = this.#known.getOrCreate(key, () => ({
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
      // A failed count is not kept for the next search.
      () => {
        if (known.total === total) known.total = undefined;
      },
    );
    return total;
  }
}

/** Assumed milliseconds of a search that has not run yet: it could take seconds. */
const GUESS = 50;
/** Words of at least this many letters are assumed equally rare. */
const MOST_LETTERS = 4;

const PLAIN: ReadCost = { kind: '', guess: GUESS };

/**
 * Key for a search's measured cost, in addition to its statement: a prefix of one letter finds far more rows than
 * one of four, and rows skipped by `offset` are read too.
 */
export function toReadCost({ words, offset }: Search): ReadCost {
  if (words === undefined && offset === 0) return PLAIN;
  const letters = words === undefined ? '' : Math.min(words.letters, MOST_LETTERS);
  return { kind: `${letters}/${offset === 0 ? '' : Math.floor(Math.log10(offset))}`, guess: GUESS };
}
