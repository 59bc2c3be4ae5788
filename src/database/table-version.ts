import process from 'node:process';
import { BoundedMap } from '../core/bounded-map.ts';
import { currentScope } from '../core/scope.ts';

/**
 * Counts the writes of each model table. Triggers update it, so raw SQL, cascades and other programs count
 * too.
 */
export const VERSION_TABLE = 'treadle_version';
/** SQLite's own table of what its planner knows. The row of this name in {@link VERSION_TABLE} counts its changes. */
export const PLANNER_TABLE = 'sqlite_stat1';
/** When the rows of each table were counted for the planner. SQLite only; written by `statistics/`. */
export const STATISTICS_TABLE = 'treadle_statistics';

/** The versions of all tables at one moment. */
export interface TableVersions {
  /** Changes with every commit of any process. */
  readonly whole: string;
  /**
   * A text that changes with every commit that wrote one of these tables. Equals {@link TableVersions.whole}
   * if a table is not counted, or if the tables are unknown.
   */
  of(tables: readonly string[] | undefined): string;
}

/**
 * @param structure Changes with every schema change.
 * @param tables The version of each counted table.
 */
export function createTableVersions(
  whole: string,
  structure: string,
  tables: ReadonlyMap<string, string>,
): TableVersions {
  const toVersion = (names: readonly string[]): string => {
    const parts = [`tables ${structure}`];
    for (const name of names) {
      const version = tables.get(name);
      if (version === undefined) return whole;
      parts.push(version);
    }
    return parts.join(' ');
  };
  // Each answer asks for the tables that it was read from: many have the same list, and then one text.
  const known = new Map<readonly string[], string>();
  return {
    whole,
    of(names) {
      if (names === undefined || names.length === 0) return whole;
      const found = known.get(names);
      if (found !== undefined) return found;
      const version = toVersion(names);
      if (known.size < MOST_KNOWN) known.set(names, version);
      return version;
    },
  };
}

/** The version of these tables; of the whole database if one of them is not counted. */
export const readVersion = async (
  database: { tableVersions(): Promise<TableVersions> },
  tables: readonly string[] | undefined,
): Promise<string> => (await database.tableVersions()).of(tables);

/**
 * Matches what follows `from` and `join`: a quoted name, or a plain one that is not a function, and a comma if
 * more follow.
 */
const SOURCE =
  /(?<!\bdistinct\s)\b(?:from|join)\s+(?:"([^"]+)"|(?!lateral\b)([a-z_]\w*)\b(?!\s*\())(?:\s+as\s+"?\w+"?|\s+"\w+")?\s*(,)?/gi;
/** A search index. */
const WORDS = /^treadle_words_(.+)_fts$/;
/** The names that a statement defines by `with`. */
const NAMED =
  /(?:\bwith|,)\s+"?(\w+)"?\s*\([\w\s,]*\)\s+as\s+materialized\b|(?:\bwith|,)\s+"?(\w+)"?\s+as\s+materialized\b/gi;

/** Maximum statements to keep the tables of, and maximum lists of tables. */
const MOST_KNOWN = 5000;
const tablesOf = new BoundedMap<{ readonly names: readonly string[] | undefined }>(MOST_KNOWN);
/** Cached answers share the list of their tables. */
const lists = new BoundedMap<readonly string[]>(MOST_KNOWN);

/** These tables once each and sorted. The same tables give the same list, until 5,000 others came. */
export function shareTables(tables: Iterable<string>): readonly string[] {
  const sorted = [...new Set(tables)].sort();
  return lists.getOrCreate(sorted.join(), () => sorted);
}

function findTables(text: string): readonly string[] | undefined {
  const tables = new Set<string>();
  const named = new Set([...text.matchAll(NAMED)].map(([, listed, bare]) => listed ?? bare));
  const found = [...text.matchAll(SOURCE)];
  for (const [, quoted, plain, comma] of found) {
    if (comma !== undefined) return undefined;
    const name = quoted ?? plain ?? '';
    if (!named.has(name)) tables.add(WORDS.exec(name)?.[1] ?? name);
  }
  return found.length === 0 ? undefined : [...tables];
}

/**
 * The tables that these statements read, sorted; undefined if unknown. Search words are written together with
 * their rows, so they count as the rows' table. A name that is no table may be included; it is never counted.
 */
export function listReadTables(statements: Iterable<string>): readonly string[] | undefined {
  const tables = new Set<string>();
  for (const text of statements) {
    const { names } = tablesOf.getOrCreate(text, () => ({ names: findTables(text) }));
    if (names === undefined) return undefined;
    for (const name of names) tables.add(name);
  }
  return tables.size === 0 ? undefined : shareTables(tables);
}

/** Records a statement for {@link recordReads}. */
export function noteRead(text: string): void {
  currentScope.getStore()?.reads?.add(text);
}

/** Runs work and gives the text of every statement that it has read with so far. */
export function recordReads<T>(work: () => T): { readonly value: T; readonly statements: ReadonlySet<string> } {
  const reads = new Set<string>();
  return { value: currentScope.run({ ...currentScope.getStore(), reads }, work), statements: reads };
}

/** Resolves when the work of this turn of the event loop has gone as far as it can. */
const turnEnd = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/**
 * Shares one query among all callers that ask in the same turn of the event loop, or while another is running. It starts
 * after their request, so it sees every earlier commit.
 */
export function shareReading<T>(read: () => Promise<T>): () => Promise<T> {
  const state: { current: Promise<unknown> | undefined; next: Promise<T> | undefined } = {
    current: undefined,
    next: undefined,
  };
  const begin = (): Promise<T> => {
    state.next = undefined;
    const reading = read();
    const ended = reading.then(
      () => {},
      () => {},
    );
    state.current = ended;
    void ended.then(() => {
      if (state.current === ended) state.current = undefined;
    });
    return reading;
  };
  return () => {
    state.next ??= (state.current ?? turnEnd()).then(begin);
    return state.next;
  };
}
