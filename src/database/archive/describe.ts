import { sql } from 'kysely';
import type { DecimalShape } from '../../model/decimal/decimal.ts';
import { readDecimalShape } from '../../model/field/field-kind-decimal.ts';
import type { Database, Dialect } from '../database.ts';
import { readRemembered } from '../migration/journal.ts';
import { readStructure } from '../read-structure.ts';
import { fromStoredDecimal } from '../stored-decimal.ts';
import type { ActualColumn, ActualIndex, ActualTable } from '../structure.ts';
import type { Table } from '../table.ts';
import { type ArchiveColumn, type ArchiveTable, COLUMN_KINDS, type ColumnKind } from './shape.ts';
import { isLeftOut } from './tables.ts';

/** Contents of a database, as an archive describes them. */
export interface ArchiveContents {
  readonly tables: readonly ArchiveTable[];
  /** What is not archived, as sentences. */
  readonly left: readonly string[];
}

type Tables = ReadonlyMap<string, ActualTable>;

interface Context {
  readonly dialect: Dialect;
  readonly memory: ReadonlyMap<string, Table>;
  readonly untyped: ReadonlyMap<string, ColumnKind>;
  readonly all: Tables;
}

const KINDS: Readonly<Record<Dialect, readonly (readonly [RegExp, ColumnKind])[]>> = {
  sqlite: [
    [/int/i, 'integer'],
    [/char|clob|text/i, 'text'],
    [/blob/i, 'blob'],
    [/real|floa|doub/i, 'real'],
  ],
  postgres: [
    [/^(bigint|integer|smallint|boolean)/i, 'integer'],
    [/^(text|character|varchar|char)/i, 'text'],
    [/^bytea/i, 'blob'],
    [/^(double precision|real)/i, 'real'],
    [/^json/i, 'json'],
  ],
};

/** What the values of a column without a type are, as SQLite's copies of changed values have it. */
async function findUntypedKind(database: Database, table: string, { name }: ActualColumn): Promise<ColumnKind> {
  const { rows } = await sql<{ type: string }>`select distinct typeof(${sql.ref(name)}) as type from ${sql.table(table)}
    where ${sql.ref(name)} is not null order by 1`.execute(database.kysely);
  const types = rows.map(({ type }) => type).join();
  if (types === 'integer,real') return 'real';
  return COLUMN_KINDS.find((kind) => kind === types) ?? 'other';
}

/** The kinds of SQLite's columns without a type, by `table.column`. */
async function readUntyped(database: Database, tables: readonly ActualTable[]): Promise<Map<string, ColumnKind>> {
  const kinds = new Map<string, ColumnKind>();
  if (database.dialect !== 'sqlite') return kinds;
  for (const { name, columns } of tables) {
    for (const column of columns.values()) {
      if (column.type !== '') continue;
      kinds.set(`${name}.${column.name}`, await findUntypedKind(database, name, column));
    }
  }
  return kinds;
}

function toKind({ type }: ActualColumn, dialect: Dialect): ColumnKind {
  return KINDS[dialect].find(([pattern]) => pattern.test(type))?.[1] ?? 'other';
}

/** A default as a value; undefined for an expression, which another database may not understand. */
function toDefault(text: string | undefined): string | number | undefined {
  if (text === undefined || /^null$/i.test(text)) return undefined;
  const quoted = /^'(.*)'$/s.exec(text);
  if (quoted) return (quoted[1] ?? '').replaceAll("''", "'");
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
}

/** A foreign key with an explicit column; undefined if its table is not in the archive. */
function toReference({ references }: ActualColumn, all: Tables): ArchiveColumn['references'] {
  const target = references === undefined ? undefined : all.get(references.table);
  if (references === undefined || target === undefined) return undefined;
  const column = references.column === '' ? target.primaryKey[0] : references.column;
  return column === undefined ? undefined : { table: references.table, column, onDelete: references.onDelete };
}

function toColumn(actual: ActualColumn, { dialect, all }: Context, { isJson, shape, untyped }: Meaning): ArchiveColumn {
  const found = untyped ?? toKind(actual, dialect);
  const kind = shape !== undefined ? 'decimal' : isJson && found === 'text' ? 'json' : found;
  const value = toDefault(actual.default);
  const references = toReference(actual, all);
  if (shape !== undefined) {
    const text = value === undefined ? undefined : fromStoredDecimal(Number(value), shape.scale, dialect);
    const { name, isRequired } = actual;
    return { name, kind, ...shape, isRequired, ...(typeof text === 'string' ? { default: text } : {}) };
  }
  return {
    name: actual.name,
    kind,
    ...(kind === 'other' && /^[a-z][a-z0-9 _(),]*$/i.test(actual.type) ? { type: actual.type } : {}),
    isRequired: actual.isRequired,
    ...(value === undefined ? {} : { default: value }),
    ...(references === undefined ? {} : { references }),
  };
}

/**
 * Whether the definitions make an index by `indexes` or `exclude`: the migration after a restore makes it, in the target's own form.
 */
const isDefined = ({ name, isExclusion }: ActualIndex, wanted: Table | undefined): boolean =>
  isExclusion !== undefined ||
  wanted?.indexes.some((index) => index.name === name && index.lowNulls !== undefined) === true;

/** Whether an index covers plain columns, of all rows or as Treadle limits it, so that any database can create it. */
function isPlain({ columns, sql: text, only }: ActualIndex): boolean {
  if (columns.length === 0 || columns.includes('')) return false;
  if (text !== undefined && only === undefined && /\)\s*where\b/i.test(text)) return false;
  return text === undefined || !/\bdesc\b|\busing\s+(?!btree)/i.test(text);
}

/** What the type of a column does not say. */
interface Meaning {
  /** SQLite stores JSON as text. */
  readonly isJson: boolean;
  /** Of a decimal, which SQLite stores as a whole number. */
  readonly shape: DecimalShape | undefined;
  /** Of a column without a type. */
  readonly untyped: ColumnKind | undefined;
}

/** The digits of a column of decimals: those that the database itself remembers, which is what its values have. */
function findShape(name: string, tables: readonly (Table | undefined)[]): DecimalShape | undefined {
  const notes = tables.map((table) => table?.columns.find((column) => column.name === name)?.field);
  const note = notes.find((field) => field !== undefined);
  return note?.type === 'decimal' ? readDecimalShape({ name, ...note }) : undefined;
}

function toTable(actual: ActualTable, wanted: Table | undefined, context: Context): ArchiveTable {
  const known = context.memory.get(actual.name);
  // Only the model says which columns are JSON.
  const json = new Set(wanted?.columns.filter(({ type }) => /^json/i.test(type)).map(({ name }) => name));
  const indexes = [...actual.indexes.values()].filter(
    (index) => isPlain(index) && !isDefined(index, wanted) && index.columns.join() !== actual.primaryKey.join(),
  );
  return {
    name: actual.name,
    columns: [...actual.columns.values()].map((column) => {
      const shape = findShape(column.name, [known, wanted]);
      const untyped = context.untyped.get(`${actual.name}.${column.name}`);
      return toColumn(column, context, { isJson: json.has(column.name), shape, untyped });
    }),
    primaryKey: [...actual.primaryKey],
    isCounting: actual.isCounting,
    indexes: indexes.map((index) => ({
      // SQLite names the index of a `unique` constraint itself; no other index may have that name.
      name: index.name.startsWith('sqlite_') ? `${actual.name}_${index.columns.join('_')}_unique` : index.name,
      columns: [...index.columns],
      isUnique: index.isUnique,
      ...(index.only === undefined ? {} : { only: index.only }),
    })),
  };
}

function listLeft(actual: ActualTable, wanted: Table | undefined): string[] {
  const indexes = [...actual.indexes.values()]
    .filter((index) => !isPlain(index) && !isDefined(index, wanted))
    .map(({ name }) => `the index ${name}`);
  const defaults = [...actual.columns.values()].filter(
    (column) =>
      column.default !== undefined && !/^null$/i.test(column.default) && toDefault(column.default) === undefined,
  );
  const own = actual.triggers.filter((text) => !/treadle_(words|version|exclude|computed|tree)_/.test(text));
  const triggers = own.map((text) => `the trigger ${/trigger\s+("[^"]+"|\S+)/i.exec(text)?.[1] ?? ''}`);
  const expressions = defaults.map(({ name }) => `the default of the column ${name}`);
  return [...indexes, ...triggers, ...expressions].map((what) => `${what} of ${actual.name}`);
}

async function listViews({ dialect, kysely }: Database): Promise<string[]> {
  const { rows } =
    dialect === 'sqlite'
      ? await sql<{ name: string }>`select name from sqlite_schema where type = 'view' order by name`.execute(kysely)
      : await sql<{ name: string }>`select c.relname::text as name from pg_class c where c.relkind in ('v', 'm')
          and c.relnamespace = current_schema()::regnamespace order by c.relname`.execute(kysely);
  return rows.filter(({ name }) => !isLeftOut(name)).map(({ name }) => `the view ${name}`);
}

/** What the database computes is computed again by the migration after a restore. */
function withoutComputed(actual: ActualTable, wanted: readonly Table[]): ActualTable {
  const computed = wanted.find(({ name }) => name === actual.name)?.computed;
  if (computed === undefined) return actual;
  const isLost = ([name, { columns }]: readonly [string, ActualIndex]): boolean =>
    computed.indexes.some((index) => index.name === name) ||
    columns.some((column) => computed.columns.includes(column));
  return {
    ...actual,
    columns: new Map([...actual.columns].filter(([name]) => !computed.columns.includes(name))),
    indexes: new Map([...actual.indexes].filter((entry) => !isLost(entry))),
  };
}

/**
 * All tables of a database, including those that no definition names. Leaves out the word index of `q`,
 * which is rebuilt.
 * @param wanted The model's tables for PostgreSQL, which say what is JSON.
 */
export async function describe(database: Database, wanted: readonly Table[]): Promise<ArchiveContents> {
  const structure = await readStructure(database);
  const actual = [...structure.tables.values()]
    .filter(({ name }) => !isLeftOut(name))
    .map((table) => withoutComputed(table, wanted));
  actual.sort((a, b) => (a.name < b.name ? -1 : 1));
  const all = new Map(actual.map((table) => [table.name, table]));
  const find = (table: ActualTable): Table | undefined => wanted.find(({ name }) => name === table.name);
  const { memory } = await readRemembered(database, structure);
  const context = { dialect: database.dialect, memory, untyped: await readUntyped(database, actual), all };
  const tables = actual.map((table) => toTable(table, find(table), context));
  return { tables, left: [...actual.flatMap((table) => listLeft(table, find(table))), ...(await listViews(database))] };
}
