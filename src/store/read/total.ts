import { BoundedMap } from '../../core/bounded-map.ts';
import { ClientGone } from '../../core/client-gone.ts';
import { memoize } from '../../core/memoize.ts';
import type { Database } from '../../database/database.ts';
import { listSources, noteRead, type Sources } from '../../database/version/read-note.ts';
import { Cache, sizeOfKey } from '../cache.ts';
import { noteSearch } from './note.ts';
import { RowsRead } from './read-rows.ts';
import type { CountQuery, Search } from './search-shape.ts';
import { compileCount } from './sql/count.ts';
import { estimateReadCost } from './sql/select.ts';
import { bind, type Statements } from './values.ts';

/** Bytes of cached totals. */
const MOST_BYTES = 1_048_576;
/** Searches whose misses are counted. */
const COUNTED = 1000;
/** Maximum characters of a cached search; a longer one is rarely repeated. */
const MOST_CHARACTERS = 1000;
/**
 * Caps the back-off: after n checks in a row found the total outdated, the next 2^n - 2 searches count without a
 * check.
 */
const MOST_MISSES = 5;

/** How often a search was found outdated lately. */
interface Misses {
  /** True once a total was cached. */
  isCached: boolean;
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
 * Remembers the number of rows of a search until any process writes one of the rows that it may count. A count reads every
 * matching row, a page only its own rows, and searches are far more frequent than writes.
 */
export class Totals {
  readonly #totals = new Cache<Promise<number>>(MOST_BYTES);
  readonly #misses = new BoundedMap<Misses>(COUNTED);

  /**
   * The total of a search: cached if still valid, else counted. A transaction always counts, since it sees
   * its own changes.
   *
   * @param key What the count depends on, and nothing else.
   * @param sources The rows that are counted. Default: unknown, so that every commit makes the total outdated.
   */
  find(database: Database, key: string, count: () => Promise<number>, sources?: Sources): Promise<number> {
    if (database.isInTransaction || key.length > MOST_CHARACTERS) return count();
    const known = this.#misses.getOrCreate(key, () => ({ isCached: false, misses: 0, rest: 1 }));
    if (known.rest === 0) return this.#check({ key, known, sources }, count, database);
    known.rest -= 1;
    return count();
  }

  async #check({ key, known, sources }: Check, count: () => Promise<number>, database: Database): Promise<number> {
    // Before the rows are counted: a row that changes meanwhile outdates the total.
    const recent = database.recentVersions;
    const versions = recent.find() ?? (await recent.read().catch(() => undefined));
    if (versions === undefined) return count();
    const found = this.#totals.find(key, versions);
    if (found !== undefined) {
      known.misses = 0;
      return shareCount(found, count);
    }
    if (known.isCached) {
      known.misses = Math.min(known.misses + 1, MOST_MISSES);
      known.rest = 2 ** known.misses - 2;
    }
    const total = count();
    known.isCached = true;
    this.#totals.set(key, total, { bytes: sizeOfKey(key), basis: versions.basisOf(sources) });
    // A failed count is not cached for the next search.
    total.catch(() => {
      if (this.#totals.get(key) === total) this.#totals.delete(key);
      known.isCached = false;
    });
    return total;
  }
}

interface Check {
  readonly key: string;
  readonly known: Misses;
  readonly sources: Sources;
}

/** Counts the rows of searches. */
export class TotalReader {
  readonly #statements: Statements;
  readonly #totals = memoize((_database: Database) => new Totals());

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** @param isTimed True if a rule compares with the time: then nothing is cached. */
  read(search: Search, { values }: CountQuery, database: Database, isTimed: boolean): Promise<number> {
    const statement = this.#statements.find('count', values, database, () => ({
      fragment: compileCount(search, database),
      note: noteSearch(search, 'total'),
    }));
    const { sql: text } = statement.query;
    // A cached total runs no statement, so the read is noted here.
    const rows = new RowsRead();
    rows.addSearched(search);
    noteRead(text, rows.list);
    const sources = listSources(text, rows.list);
    const bound = bind(statement, values.list);
    const count = async (): Promise<number> =>
      Number((await database.run(statement.query, bound, estimateReadCost(search), rows.list))[0]?.total ?? 0);
    if (isTimed) return count();
    const key = bound.length === 0 ? values.shape : `${values.shape}|${JSON.stringify(bound)}`;
    return this.#totals(database).find(database, key, count, sources);
  }
}
