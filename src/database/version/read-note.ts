import { BoundedMap } from '../../core/bounded-map.ts';
import { currentScope, type ReadRows, type Reads } from '../../core/scope.ts';

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

/** Maximum statements to keep the tables of. */
const MOST_KNOWN = 5000;
/** Maximum values of a table that an answer depends on; of more it depends on the table. */
const MOST_TAGS = 200;

type Counts = ReadonlyMap<string, number>;

const countsOf = new BoundedMap<{ readonly counts: Counts | undefined }>(MOST_KNOWN);

/** What the driver itself says before and after a query that must not write. */
const SETTING = /^(?:select set_config\('transaction_read_only'|pragma query_only\b)/;

function countTables(text: string): Counts | undefined {
  if (SETTING.test(text)) return new Map();
  const counts = new Map<string, number>();
  const named = new Set([...text.matchAll(NAMED)].map(([, listed, bare]) => listed ?? bare));
  const found = [...text.matchAll(SOURCE)];
  for (const [, quoted, plain, comma] of found) {
    if (comma !== undefined) return undefined;
    const name = quoted ?? plain ?? '';
    if (named.has(name)) continue;
    const table = WORDS.exec(name)?.[1] ?? name;
    counts.set(table, (counts.get(table) ?? 0) + 1);
  }
  return found.length === 0 ? undefined : counts;
}

/** How often a statement names each table that it reads; undefined if that is unknown. */
const findCounts = (text: string): Counts | undefined =>
  countsOf.getOrCreate(text, () => ({ counts: countTables(text) })).counts;

/** The rows that a value depends on: names of tables, and tags. Undefined if unknown. */
export type Sources = readonly string[] | undefined;

/** The rows of a table that have a value in a column: its primary key, or a foreign key. */
const toTag = (table: string, column: string, value: unknown): string => `${table}@${column}#${value}`;

/** The table of a tag. */
export const toTable = (source: string): string => source.split('@', 1)[0] ?? source;

/** The rows of a table with one of these values in a column; the whole table if a value is no whole number. */
export function toReadRows(table: string, column: string, values: readonly unknown[]): ReadRows {
  const isKnown = values.length <= MOST_TAGS && values.every((value) => Number.isSafeInteger(value));
  return { table, tags: isKnown ? values.map((value) => toTag(table, column, value)) : undefined };
}

/**
 * What a statement reads: of a table that it names as often as `rows` do, or of which they are all, these rows; of any other the
 * whole table. Search
 * words are written together with their rows, so they count as the rows' table. A name that is no table may be included; it
 * is never counted. Undefined if unknown.
 */
function splitRead(text: string, rows: readonly ReadRows[]): readonly ReadRows[] | undefined {
  const counts = findCounts(text);
  if (counts === undefined) return undefined;
  return [...counts].flatMap(([table, count]) => {
    const own = rows.filter((one) => one.table === table);
    return own.length === count || own.some(({ isAll }) => isAll) ? own : [{ table, tags: undefined }];
  });
}

const collect = (parts: Iterable<ReadRows>): Sources => {
  const tables = new Set<string>();
  const tags = new Map<string, Set<string>>();
  for (const { table, tags: own } of parts) {
    if (own === undefined) tables.add(table);
    const known = tags.get(table) ?? new Set();
    for (const tag of own ?? []) known.add(tag);
    tags.set(table, known);
    if (known.size > MOST_TAGS) tables.add(table);
  }
  return [...tags].flatMap(([table, own]) => (tables.has(table) ? [table] : [...own])).sort();
};

/** What one statement reads. @see splitRead */
export function listSources(text: string, rows: readonly ReadRows[] = []): Sources {
  const parts = splitRead(text, rows);
  return parts && collect(parts);
}

/** What recorded work has read; undefined if it is unknown, or if the work has read nothing. */
export function listReadSources({ statements, rows }: Reads): Sources {
  const parts = [...rows];
  for (const text of statements) {
    const own = splitRead(text, []);
    if (own === undefined) return undefined;
    parts.push(...own);
  }
  return parts.length === 0 ? undefined : collect(parts);
}

/**
 * Records a statement for {@link recordReads}.
 *
 * @param rows What it reads of a table, one for each time that it names the table. Their tags may be set later, when the rows
 * that tell them are read. Default: whole tables.
 */
export function noteRead(text: string, rows?: readonly ReadRows[]): void {
  const reads = currentScope.getStore()?.reads;
  if (reads === undefined) return;
  const parts = rows === undefined || rows.length === 0 ? undefined : splitRead(text, rows);
  if (parts === undefined) reads.statements.add(text);
  else for (const part of parts) reads.rows.add(part);
}

/** Runs work and gives what it has read so far. */
export function recordReads<T>(work: () => T): { readonly value: T; readonly reads: Reads } {
  const reads: Reads = { statements: new Set(), rows: new Set() };
  return { value: currentScope.run({ ...currentScope.getStore(), reads }, work), reads };
}
