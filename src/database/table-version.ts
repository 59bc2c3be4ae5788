import { currentScope } from '../core/scope.ts';
import type { Database } from './database.ts';

/**
 * Counts the writes of each model table. Triggers update it, so raw SQL, cascades and other programs count
 * too.
 */
export const VERSION_TABLE = 'treadle_version';

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
  return {
    whole,
    of(names) {
      if (names === undefined || names.length === 0) return whole;
      const parts = [`tables ${structure}`];
      for (const name of names) {
        const version = tables.get(name);
        if (version === undefined) return whole;
        parts.push(version);
      }
      return parts.join(' ');
    },
  };
}

/** The version of these tables; of the whole database if it does not count by table. */
export async function readVersion(
  database: Database,
  tables: readonly string[] | undefined,
): Promise<string | undefined> {
  if (database.tableVersions === undefined) return database.version?.();
  return (await database.tableVersions()).of(tables);
}

/**
 * Matches what follows `from` and `join`: a quoted name, or a plain one that is no function, and a comma if
 * more follow.
 */
const SOURCE =
  /(?<!\bdistinct\s)\b(?:from|join)\s+(?:"([^"]+)"|(?!lateral\b)([a-z_]\w*)\b(?!\s*\())(?:\s+as\s+"?\w+"?|\s+"\w+")?\s*(,)?/gi;
const WORDS = /^treadle_words_(.+)_fts$/;
/** The names that a statement defines by `with`. */
const NAMED =
  /(?:\bwith|,)\s+"?(\w+)"?\s*\([\w\s,]*\)\s+as\s+materialized\b|(?:\bwith|,)\s+"?(\w+)"?\s+as\s+materialized\b/gi;

/**
 * The tables that these statements read, sorted; undefined if unknown. Search words are written together with
 * their rows, so they count as the rows' table. A name that is no table may be included; it is never counted.
 */
export function listReadTables(statements: Iterable<string>): readonly string[] | undefined {
  const tables = new Set<string>();
  for (const text of statements) {
    const named = new Set([...text.matchAll(NAMED)].map(([, listed, bare]) => listed ?? bare));
    const found = [...text.matchAll(SOURCE)];
    for (const [, quoted, plain, comma] of found) {
      if (comma !== undefined) return undefined;
      const name = quoted ?? plain ?? '';
      if (!named.has(name)) tables.add(WORDS.exec(name)?.[1] ?? name);
    }
    if (found.length === 0) return undefined;
  }
  return tables.size === 0 ? undefined : [...tables].sort();
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
