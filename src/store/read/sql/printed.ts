import { sql } from 'kysely';
import type { Database, Dialect } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { fromStoredDecimal, printUnits, toStoredDecimal } from '../../../database/stored-decimal.ts';
import { buildRef } from '../parse/condition.ts';
import { buildMask, type RowTest, type RowVisibility } from '../parse/predicate.ts';
import { bindSight } from '../parse/sight.ts';
import { isReal, type Source, type SourceColumn } from '../source/source.ts';
import type { Fragment } from './exact-double.ts';

/** A row from the JSON text that a database made of it. */
export const parseRow = (text: string): Row => JSON.parse(text);
/** The same of a list of rows. */
export const parseRowList = (text: string): Row[] => JSON.parse(text);

function decode(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    // Invalid JSON, written by another program: returned as it is.
    return value;
  }
}

/** The column that lists the columns which a row hides, with commas between them. */
export const HIDDEN = 'treadle_hidden';

/** A hidden column is absent, so that nobody takes it for an empty one. */
function removeHidden(row: Row): void {
  for (const name of String(row[HIDDEN]).split(',')) delete row[name];
  delete row[HIDDEN];
}

/** Decodes JSON columns and decimals, and removes the columns that a row hides, in place. */
export function decodeRows({ json, scales }: Source, rows: Row[], dialect: Dialect): Row[] {
  const [first] = rows;
  if (first !== undefined && Object.hasOwn(first, HIDDEN)) for (const row of rows) removeHidden(row);
  if (json.length > 0) {
    for (const row of rows) for (const name of json) if (Object.hasOwn(row, name)) row[name] = decode(row[name]);
  }
  for (const [name, scale] of scales) {
    for (const row of rows) if (Object.hasOwn(row, name)) row[name] = fromStoredDecimal(row[name], scale, dialect);
  }
  return rows;
}

/** A key as the column compares it; undefined if no row can have it. */
export function toKeyValue(
  { type, scale }: SourceColumn,
  value: unknown,
  dialect: Dialect,
): string | number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (scale !== undefined) return toStoredDecimal(value, scale, dialect);
  if (type !== 'integer') return String(value);
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
}

/** SQLite limits a function's arguments; each column takes two. */
const MAX_PRINTED = 60;
/** The column that holds a row as JSON text; with a number after it, the rest of a row that has doubles. */
export const PRINTED = 'treadle_row';
/** The name of a double's column begins so. The column's own name follows. */
const REAL = 'treadle_real_';

/**
 * True if the database may format rows of this many columns as JSON: on SQLite that is half the work of returning
 * values.
 */
export const isPrintable = (count: number, { dialect }: Database): boolean =>
  dialect === 'sqlite' && count <= MAX_PRINTED;

/** A path that no row has: SQLite's `json_remove` gives null for a path that is null. */
const NO_PATH = `$.${HIDDEN}`;

/** A column of a row as its table stores it, or computed for those who may see it. */
const refer = (column: SourceColumn, { sight, dialect }: Masking): Fragment =>
  buildRef(bindSight(column, sight, dialect), dialect);

/** The text of a decimal. What is computed is computed once for it: a subquery without a table is not flattened. */
function printDecimal(item: SourceColumn, stored: Fragment): Fragment {
  const { scale = 0, computed } = item;
  if (computed === undefined) return printUnits(stored, scale);
  const units = sql.ref('treadle_units');
  return sql`(select ${printUnits(sql`${units}`, scale)} from (select ${stored} as ${units}))`;
}

/** A value inside a JSON text. Invalid JSON in a JSON column becomes a string. */
function printValue(item: SourceColumn, masking: Masking): Fragment {
  const stored = refer(item, masking);
  const ref = buildShown(item, item.scale === undefined ? stored : printDecimal(item, stored), masking);
  if (item.type === 'json') return sql`json(case when json_valid(${ref}) then ${ref} else json_quote(${ref}) end)`;
  // By itself SQLite prints 15 digits. 21 digits read back as the same double; the shortest text needs JavaScript.
  return isReal(item) ? sql`case when ${ref} is not null then json(printf('%!.20e', ${ref})) end` : ref;
}

/**
 * A row as one JSON text, without the columns that it hides. Doubles have 21 digits: read the text, and do not answer with
 * it.
 */
export function printText(columns: Iterable<SourceColumn>, masking: Masking): Fragment {
  const all = [...columns];
  const removed = listMasked(all, masking, (name) => [NO_PATH, `$."${name}"`]);
  const whole = sql`json_object(${sql.join(all.map((item) => sql`${sql.lit(item.name)}, ${printValue(item, masking)}`))})`;
  return removed.length === 0 ? whole : sql`json_remove(${whole}, ${sql.join(removed)})`;
}

/** A select list, and the names of its columns. */
export interface PrintedColumns {
  readonly list: Fragment;
  readonly names: readonly string[];
}

/** The doubles one by one, and what is between them in groups. */
function splitAtReals(columns: Iterable<SourceColumn>): [SourceColumn, ...SourceColumn[]][] {
  const parts: [SourceColumn, ...SourceColumn[]][] = [];
  for (const column of columns) {
    const last = parts.at(-1);
    if (last === undefined || isReal(column) || isReal(last[0])) parts.push([column]);
    else last.push(column);
  }
  return parts;
}

/**
 * A row as JSON text. A double is a column of its own, as the driver returns it: SQLite's text of a double is not exact.
 * {@link toTexts} puts them together.
 */
export function printRow(columns: Iterable<SourceColumn>, masking: Masking): PrintedColumns {
  const parts = splitAtReals(columns).map((part, index) => {
    const [first] = part;
    if (!isReal(first)) return { name: index === 0 ? PRINTED : `${PRINTED}_${index}`, value: printText(part, masking) };
    const mask = findMask(first, masking);
    // A text says that the row hides the column.
    const own = refer(first, masking);
    const value = mask === undefined ? own : sql`case when ${mask} then ${own} else '' end`;
    return { name: `${REAL}${first.name}`, value };
  });
  return {
    list: sql.join(parts.map(({ name, value }) => sql`${value} as ${sql.ref(name)}`)),
    names: parts.map(({ name }) => name),
  };
}

/** A column of {@link printRow}, with the key of a double. */
interface Part {
  readonly name: string;
  readonly key: string | undefined;
}

function listParts(row: Row): Part[] {
  const names = Object.keys(row).filter((name) => name.startsWith(PRINTED) || name.startsWith(REAL));
  return names.map((name) => ({
    name,
    key: name.startsWith(REAL) ? `${JSON.stringify(name.slice(REAL.length))}:` : undefined,
  }));
}

/** JavaScript prints the shortest text that reads back as the same double (ECMA-262 6.1.6.1.20). */
function joinParts(row: Row, parts: readonly Part[]): string {
  let text = '{';
  for (const { name, key } of parts) {
    const value = row[name];
    const isText = typeof value === 'string';
    if (isText && (key !== undefined || value.length === 2)) continue;
    if (text.length > 1) text += ',';
    text += isText ? value.slice(1, -1) : `${key}${value}`;
  }
  return `${text}}`;
}

/** Rows of {@link printRow} as JSON texts. */
export function toTexts(found: readonly Row[]): string[] {
  const [first] = found;
  if (first === undefined) return [];
  const parts = listParts(first);
  if (parts.length === 1 && parts[0]?.key === undefined) return found.map((row) => String(row[PRINTED]));
  return found.map((row) => joinParts(row, parts));
}

/** A row of {@link printRow}. @param hasReals False if no column is a double. */
export const parsePrinted = (row: Row, hasReals: boolean): Row =>
  parseRow(hasReals ? joinParts(row, listParts(row)) : String(row[PRINTED]));

/** What the columns of a statement are masked by: some rows show a column, and others do not. */
export interface Masking {
  readonly source: Source;
  readonly rows: RowTest | undefined;
  readonly sight: RowVisibility;
  readonly dialect: Dialect;
}

/**
 * Tests whether a row shows a column; undefined if every row does. A row without a 1:1 row hides nothing of it: there its
 * columns are null.
 */
export function findMask(
  { alias, column }: SourceColumn,
  { source, rows, sight, dialect }: Masking,
): Fragment | undefined {
  const join = alias === 't' ? undefined : source.joins.find((entry) => entry.alias === alias);
  if (join === undefined) return buildMask(rows, column, dialect);
  const key = sql`${sql.ref(`${alias}.${join.primary}`)}`;
  const mask = buildMask(sight.get(join.schema), column, dialect, key);
  return mask && sql`(${key} is null or ${mask})`;
}

/** The column's value, or null in rows that do not show it. */
export function buildShown(column: SourceColumn, ref: Fragment, masking: Masking): Fragment {
  const mask = findMask(column, masking);
  return mask === undefined ? ref : sql`case when ${mask} then ${ref} end`;
}

/** For each column that some rows hide, one value where a row shows it and another where it does not. */
export function listMasked(
  columns: readonly SourceColumn[],
  masking: Masking,
  toTexts: (name: string) => readonly [shown: string, hidden: string],
): Fragment[] {
  return columns.flatMap((column) => {
    const mask = findMask(column, masking);
    if (mask === undefined) return [];
    const [shown, hidden] = toTexts(column.name);
    return [sql`case when ${mask} then ${sql.lit(shown)} else ${sql.lit(hidden)} end`];
  });
}
