import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import { pruneSqliteChanges } from '../../database/sqlite/table-versions.ts';
import { countUnits, fromStoredDecimal } from '../../database/stored-decimal.ts';
import type { RelationModel, SchemaModel } from '../../model/model.ts';
import { fromStoredRow } from './stored-row.ts';

/** A column with its PostgreSQL type, to which the values of a JSON parameter are cast. */
export interface TypedColumn {
  readonly name: string;
  readonly type: string;
  /** Of a decimal: its digits after the point. */
  readonly scale?: number;
}

/** Values bound as one JSON parameter, so that the statement's text does not depend on their number. */
function listed(
  database: Database,
  values: readonly unknown[],
  { type, scale }: Omit<TypedColumn, 'name'>,
): RawBuilder<unknown> {
  const list = JSON.stringify(values);
  if (database.dialect === 'postgres')
    return sql`select value::${sql.raw(type)} from jsonb_array_elements_text(${list}::text::jsonb) as given(value)`;
  const value = scale === undefined ? sql`value` : countUnits(sql`value`, scale);
  return sql`select ${value} as value from json_each(${list})`;
}

const KEY = { type: 'bigint' };

/** The cell at an index of each row of {@link given}. */
function toCell(database: Database, index: number, { type, scale }: Omit<TypedColumn, 'name'>): RawBuilder<unknown> {
  const cell = sql`value->>${sql.raw(String(index))}`;
  if (database.dialect === 'postgres') return sql`(${cell})::${sql.raw(type)}`;
  return scale === undefined ? cell : countUnits(cell, scale);
}

/** Rows, each as a JSON array, bound as one parameter. */
function given(database: Database, rows: readonly string[]): RawBuilder<unknown> {
  const list = `[${rows.join(',')}]`;
  return database.dialect === 'postgres'
    ? sql`jsonb_array_elements(${list}::text::jsonb) as given(value)`
    : sql`json_each(${list})`;
}

function execute<R = Row>(database: Database, statement: RawBuilder<unknown>): Promise<R[]>;
async function execute(database: Database, statement: RawBuilder<unknown>): Promise<unknown[]> {
  return (await statement.execute(database.kysely)).rows;
}

/** Writes many rows. On SQLite each is noted by itself: an import would fill the file with notes that nobody will read. */
async function writeMany(database: Database, statement: RawBuilder<unknown>): Promise<void> {
  await execute(database, statement);
  if (database.dialect === 'sqlite') await pruneSqliteChanges(database);
}

/**
 * SQLite's page cache during a long import, in KiB. With the default 2 MB it would keep writing pages out and
 * reading them back.
 */
const CACHE_KIB = 65_536;

/** Runs a long import with the larger page cache. Call it inside the import's transaction. */
export async function withRoom<T>(database: Database, fn: () => Promise<T>): Promise<T> {
  if (database.dialect !== 'sqlite') return fn();
  const [before] = await execute(database, sql`pragma cache_size`);
  await execute(database, sql`pragma cache_size = ${sql.raw(String(-CACHE_KIB))}`);
  try {
    return await fn();
  } finally {
    const size = Math.trunc(Number(before?.cache_size ?? -2000));
    await execute(database, sql`pragma cache_size = ${sql.raw(String(size))}`).catch(() => undefined);
  }
}

/** A stored row that a value stands for. */
export interface Match {
  readonly id: number;
  readonly isActive: boolean;
}

/**
 * Maps each of the values that some row has in the column to that row: the active one, else the removed one with the highest
 * id. The column is the primary key or a unique one.
 */
export async function findMatches(
  database: Database,
  { table, primary, active }: SchemaModel,
  column: TypedColumn,
  values: readonly unknown[],
): Promise<Map<unknown, Match>> {
  if (values.length === 0) return new Map();
  const read = async (list: readonly unknown[], test: RawBuilder<unknown>): Promise<[unknown, Match][]> => {
    const state = active === undefined ? sql`1` : sql.ref(`t.${active}`);
    const [key, name] = [sql.ref(`t.${primary}`), sql.ref(`t.${column.name}`)];
    // In this order on SQLite, which else may look through all active rows.
    const from = sql`(${listed(database, list, column)}) as sought cross join ${sql.table(table)} as t`;
    const rows = await execute(
      database,
      sql`select ${key} as id, ${name} as found, ${state} as state from ${from} where ${name} = sought.value${test} order by ${key}`,
    );
    return rows.map(({ id, found, state }) => [toFound(found), { id: Number(id), isActive: Number(state) === 1 }]);
  };
  const toFound = (value: unknown): unknown =>
    column.scale === undefined ? value : fromStoredDecimal(value, column.scale, database.dialect);
  if (active === undefined || column.name === primary) return new Map(await read(values, sql``));
  const matches = new Map(await read(values, sql` and ${sql.ref(`t.${active}`)} = 1`));
  const left = values.filter((value) => !matches.has(value));
  if (left.length === 0) return matches;
  const name = sql.ref(column.name);
  // Found by the index of `active`: removed rows are few.
  const removed = await execute(
    database,
    sql`select ${sql.ref(primary)} as id, ${name} as found from ${sql.table(table)} where ${sql.ref(active)} = 0 and ${name} in (${listed(database, left, column)}) order by ${sql.ref(primary)}`,
  );
  for (const { id, found } of removed) matches.set(toFound(found), { id: Number(id), isActive: false });
  return matches;
}

/** Selected columns of rows, by id. */
export async function findRows(
  database: Database,
  schema: SchemaModel,
  ids: readonly number[],
  columns: readonly string[],
): Promise<Map<number, Row>> {
  if (ids.length === 0) return new Map();
  const { table, primary } = schema;
  const list = sql.join([primary, ...columns].map((name) => sql.ref(name)));
  const rows = await execute(
    database,
    sql`select ${list} from ${sql.table(table)} where ${sql.ref(primary)} in (${listed(database, ids, KEY)})`,
  );
  return new Map(rows.map((row) => [Number(row[primary]), fromStoredRow(database, schema, row)]));
}

/**
 * Ids for new rows, as the database would assign them. On SQLite the transaction is the only writer, so nobody
 * else takes them in the meantime; on PostgreSQL they come from the sequence.
 */
export async function takeIds(
  database: Database,
  { table, primary }: SchemaModel,
  count: number,
  taken: ReadonlySet<number>,
): Promise<number[]> {
  if (count === 0) return [];
  if (database.dialect === 'sqlite') {
    const [counter] = await execute(database, sql`select seq from sqlite_sequence where name = ${table}`);
    const ids: number[] = [];
    for (let id = Number(counter?.seq ?? 0) + 1; ids.length < count; id += 1) if (!taken.has(id)) ids.push(id);
    return ids;
  }
  const ids: number[] = [];
  while (ids.length < count) {
    const quoted = `"${table.replaceAll('"', '""')}"`;
    const found = await execute(
      database,
      sql`select nextval(pg_get_serial_sequence(${quoted}, ${primary})) as id from generate_series(1, ${sql.raw(String(count - ids.length))})`,
    );
    for (const { id } of found) if (!taken.has(Number(id))) ids.push(Number(id));
  }
  return ids;
}

/** Inserts rows, each a JSON array of these columns' values, in one statement. */
export async function insertRows(
  database: Database,
  table: string,
  columns: readonly TypedColumn[],
  rows: readonly string[],
): Promise<void> {
  const names = sql.join(columns.map(({ name }) => sql.ref(name)));
  const cells = sql.join(columns.map((column, index) => toCell(database, index, column)));
  await writeMany(
    database,
    sql`insert into ${sql.table(table)} (${names}) select ${cells} from ${given(database, rows)}`,
  );
}

/**
 * Takes the rows off their trees, before they are put where they will be: on their way there one may be below a row that is still
 * below it.
 */
async function takeOff(
  database: Database,
  { table, primary, trees }: SchemaModel,
  columns: readonly TypedColumn[],
  rows: readonly string[],
): Promise<void> {
  const keys = trees.filter(({ column }) => columns.some(({ name }) => name === column));
  if (keys.length === 0) return;
  const nulls = sql.join(keys.map(({ column }) => sql`${sql.ref(column)} = null`));
  const ids = sql`select ${toCell(database, 0, KEY)} from ${given(database, rows)}`;
  await execute(database, sql`update ${sql.table(table)} set ${nulls} where ${sql.ref(primary)} in (${ids})`);
}

/** Updates rows, each a JSON array of its id and these columns' values, in one statement; rows of a tree in two. */
export async function updateRows(
  database: Database,
  schema: SchemaModel,
  columns: readonly TypedColumn[],
  rows: readonly string[],
): Promise<void> {
  const { table, primary } = schema;
  if (schema.trees.length > 0) await takeOff(database, schema, columns, rows);
  const changes = columns.map((column, index) => sql`${sql.ref(column.name)} = ${toCell(database, index + 1, column)}`);
  await writeMany(
    database,
    sql`update ${sql.table(table)} set ${sql.join(changes)} from ${given(database, rows)} where ${sql.ref(`${table}.${primary}`)} = ${toCell(database, 0, KEY)}`,
  );
}

export async function removeRows(
  database: Database,
  { table, primary }: SchemaModel,
  ids: readonly number[],
): Promise<void> {
  await execute(
    database,
    sql`delete from ${sql.table(table)} where ${sql.ref(primary)} in (${listed(database, ids, KEY)})`,
  );
}

/** Adds rows to a join table, as pairs of source and target. Existing pairs stay. */
export async function insertLinks(
  database: Database,
  { table, sourceColumn = '', targetColumn = '' }: RelationModel,
  pairs: readonly (readonly [number, number])[],
): Promise<void> {
  if (pairs.length === 0) return;
  const columns = sql`${sql.ref(sourceColumn)}, ${sql.ref(targetColumn)}`;
  const cells = sql`${toCell(database, 0, KEY)}, ${toCell(database, 1, KEY)}`;
  const rows = given(
    database,
    pairs.map(([source, target]) => `[${source},${target}]`),
  );
  await execute(
    database,
    sql`insert into ${sql.table(table)} (${columns}) select ${cells} from ${rows} where true on conflict do nothing`,
  );
}

/** The pairs of source and target in a join table, for these sources. */
export async function listPairs(
  database: Database,
  { table, sourceColumn = '', targetColumn = '' }: RelationModel,
  sources: readonly number[],
): Promise<readonly (readonly [number, number])[]> {
  if (sources.length === 0) return [];
  const [source, target] = [sql.ref(sourceColumn), sql.ref(targetColumn)];
  const rows = await execute(
    database,
    sql`select ${source} as source, ${target} as target from ${sql.table(table)} where ${source} in (${listed(database, sources, KEY)})`,
  );
  return rows.map((row) => [Number(row.source), Number(row.target)] as const);
}

/** Deletes the rows of a join table with these sources, but not those that lead to the kept targets. */
export async function clearLinks(
  database: Database,
  { table, sourceColumn = '', targetColumn = '' }: RelationModel,
  sources: readonly number[],
  kept: readonly number[] = [],
): Promise<void> {
  if (sources.length === 0) return;
  const rest = kept.length === 0 ? sql`` : sql` and ${sql.ref(targetColumn)} not in (${listed(database, kept, KEY)})`;
  await execute(
    database,
    sql`delete from ${sql.table(table)} where ${sql.ref(sourceColumn)} in (${listed(database, sources, KEY)})${rest}`,
  );
}

/** Maximum characters of JSON in one statement; a longer batch is split. */
const STATEMENT_CHARACTERS = 4_000_000;

/** Splits the rows' JSON texts into parts that fit one statement. */
export function* splitTexts(texts: readonly string[]): Generator<readonly string[]> {
  let start = 0;
  let characters = 0;
  for (const [index, { length }] of texts.entries()) {
    if (index > start && characters + length > STATEMENT_CHARACTERS) {
      yield texts.slice(start, index);
      start = index;
      characters = 0;
    }
    characters += length;
  }
  if (start < texts.length) yield texts.slice(start);
}
