import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely';
import { BoundedMap } from '../../core/bounded-map.ts';
import { memoize } from '../../core/memoize.ts';
import type { Database } from '../../database/database.ts';
import { lockChanged, lockFree, lockRows } from '../../database/lock-rows.ts';
import type { Row } from '../../database/row-statement.ts';
import { getWordTarget, writeWords } from '../../database/words/word-table.ts';
import type { ExcludeModel, SchemaModel } from '../../model/model.ts';
import { Slot } from '../read/parse/operator.ts';
import type { CompiledFilter } from '../read/parse/predicate.ts';
import { type LiveKeys, NO_KEYS, withLiveKeys } from './live-key.ts';
import { fromStoredRow, toStoredKey, toStoredRow } from './stored-row.ts';

/** The violated constraint, as in the detail of a DATABASE_CONSTRAINT error. */
export interface ConstraintDetail {
  readonly kind: 'unique' | 'exclude' | 'notnull' | 'foreign' | 'check' | 'tree';
  readonly columns: readonly string[];
  /** Name of the rule of `exclude` that is broken, or of the one whose period ends before it starts. */
  readonly rule?: string;
}

/** Cached compiled inserts per schema, one per set of columns. */
const CACHED_STATEMENTS = 50;
const findInserts = memoize((_schema: SchemaModel) => new BoundedMap<CompiledQuery>(CACHED_STATEMENTS));

/** An insert of these columns that returns the id, compiled once per set of columns. */
function getInsert(
  { kysely, dialect }: Database,
  schema: SchemaModel,
  names: readonly string[],
  live: LiveKeys,
): CompiledQuery {
  return findInserts(schema).getOrCreate(`${dialect} ${names.join()} ${[...live.keys()].join()}`, () => {
    const insert = kysely.insertInto(schema.table);
    const row = withLiveKeys(live, Object.fromEntries(names.map((name) => [name, 0])));
    return (names.length === 0 ? insert.defaultValues() : insert.values(row)).returning(schema.primary).compile();
  });
}

/** Inserts a row and its search words; gives its id. Call it in a transaction. */
export async function insertRow(
  database: Database,
  schema: SchemaModel,
  row: Row,
  live: LiveKeys = NO_KEYS,
): Promise<number> {
  const names = Object.keys(row).filter((name) => row[name] !== undefined);
  const stored = toStoredRow(database, schema, row);
  const values = names.map((name) => stored[name]);
  const [inserted] = await database.run(getInsert(database, schema, names, live), values);
  const id = Number(inserted?.[schema.primary]);
  const target = getWordTarget(schema);
  if (target.columns.length > 0) await writeWords(database, target, [{ ...row, [schema.primary]: id }]);
  return id;
}

/** Runs a statement with the slots of a row filter in its `where`. */
function runFiltered(database: Database, query: CompiledQuery, { values }: CompiledFilter): Promise<Row[]> {
  const bound = query.parameters.map((given) => (given instanceof Slot ? values[given.index] : given));
  return database.run(query, bound);
}

/** True if a column still has a value, null included. */
export const isStill = ({ dialect }: Database, column: string, value: unknown): RawBuilder<SqlBool> =>
  dialect === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} is ${value}`
    : sql<SqlBool>`${sql.ref(column)} is not distinct from ${value}`;

interface RowChange {
  readonly row: Row;
  readonly live?: LiveKeys;
  readonly rowFilter?: CompiledFilter | undefined;
  readonly guard?: Row;
}

/**
 * Updates a row and its search words. False if the row no longer exists, `rowFilter` no longer applies to it, or it has no
 * longer the values of `guard`. Call it in a transaction.
 */
export async function updateRow(
  database: Database,
  schema: SchemaModel,
  id: number,
  { row, live = NO_KEYS, rowFilter, guard = {} }: RowChange,
): Promise<boolean> {
  if (Object.keys(row).length === 0) return true;
  const values = withLiveKeys(live, toStoredRow(database, schema, row));
  const guards = Object.entries(toStoredRow(database, schema, guard));
  const target = getWordTarget(schema);
  const isKept = (name: string): boolean => Object.hasOwn(guard, name) && guard[name] === row[name];
  const hasWords = target.columns.some(({ name }) => Object.hasOwn(row, name) && !isKept(name));
  // The index holds the words of all searchable columns, so the update returns the unchanged ones too.
  const columns = [schema.primary, ...(hasWords ? target.columns.map(({ name }) => name) : [])];
  if (rowFilter === undefined) {
    let update = database.kysely.updateTable(schema.table).set(values).where(schema.primary, '=', id);
    for (const [name, value] of guards) update = update.where(isStill(database, name, value));
    if (!hasWords) return (await update.executeTakeFirst()).numUpdatedRows > 0n;
    const changed = await update.returning(columns).executeTakeFirst();
    if (changed !== undefined) await writeWords(database, target, [changed]);
    return changed !== undefined;
  }
  let guarded = database.kysely.updateTable(`${schema.table} as t`).set(values).where(`t.${schema.primary}`, '=', id);
  for (const [name, value] of guards) guarded = guarded.where(isStill(database, `t.${name}`, value));
  const update = guarded
    .where(sql<SqlBool>`${rowFilter.test}`)
    // SQLite accepts no alias in `returning`.
    .returning(columns);
  const [changed] = await runFiltered(database, update.compile(), rowFilter);
  if (changed === undefined) return false;
  if (hasWords) await writeWords(database, target, [changed]);
  return true;
}

/** Ids in one statement. */
export const MOST_IDS = 500;

/** Locks rows that are about to be deleted: no other transaction makes a row refer to them meanwhile. */
export async function lockToDelete(
  database: Database,
  { table, primary }: SchemaModel,
  ids: readonly number[],
): Promise<void> {
  if (!database.writesInParallel) return;
  for (let start = 0; start < ids.length; start += MOST_IDS) {
    const query = database.kysely
      .selectFrom(table)
      .select(primary)
      .where(primary, 'in', ids.slice(start, start + MOST_IDS));
    await lockRows(query.orderBy(primary), database).execute();
  }
}

/** Deletes a row; gives these of its columns. Undefined if it no longer exists, or `rowFilter` no longer applies to it. */
export async function deleteRow(
  database: Database,
  schema: SchemaModel,
  id: number,
  {
    rowFilter,
    columns = [schema.primary],
  }: { readonly rowFilter?: CompiledFilter | undefined; readonly columns?: readonly string[] },
): Promise<Row | undefined> {
  const { table, primary } = schema;
  if (rowFilter === undefined) {
    const removal = database.kysely.deleteFrom(table).where(primary, '=', id);
    return fromStoredRow(database, schema, await removal.returning([...columns]).executeTakeFirst());
  }
  const removal = database.kysely
    .deleteFrom(`${table} as t`)
    .where(`t.${primary}`, '=', id)
    .where(sql<SqlBool>`${rowFilter.test}`)
    .returning([...columns]);
  return fromStoredRow(database, schema, (await runFiltered(database, removal.compile(), rowFilter))[0]);
}

interface ColumnLookup {
  readonly column: string;
  readonly value: unknown;
  /** True for an active row only. */
  readonly isActive?: boolean;
  /** Locks the row until the transaction ends, for a change. */
  readonly isLocking?: boolean;
}

/** Selected columns of a row, removed or not unless given; undefined if it does not exist. */
export async function readColumns(
  database: Database,
  schema: SchemaModel,
  by: ColumnLookup,
  columns: readonly string[],
): Promise<Row | undefined> {
  const wanted = toStoredKey(database, schema, by.column, by.value);
  if (wanted === undefined) return undefined;
  const all = database.kysely
    .selectFrom(schema.table)
    .select([...columns])
    .where(by.column, '=', wanted);
  // As text, because the index of a unique column has this condition.
  const query = by.isActive && schema.active !== undefined ? all.where(schema.active, '=', sql.lit(1)) : all;
  return fromStoredRow(
    database,
    schema,
    await (by.isLocking ? lockChanged(query, database) : query).executeTakeFirst(),
  );
}

/** A row's period, with which another one must overlap. */
export interface Period {
  readonly range: ExcludeModel['range'];
  /** The row's values. A missing end is open. */
  readonly values: Row;
}

/** The id of the active row with these values, and with a period that overlaps this one. */
export async function findActiveHolder(
  database: Database,
  schema: SchemaModel,
  values: Row,
  period?: Period,
): Promise<number | undefined> {
  const { table, primary, active } = schema;
  let query = database.kysely.selectFrom(table).select(primary);
  for (const [column, value] of Object.entries(toStoredRow(database, schema, values)))
    query = query.where(column, '=', value);
  if (period !== undefined) {
    const [from, until] = period.range;
    const stored = toStoredRow(database, schema, period.values);
    const [start, end] = [stored[from] ?? null, stored[until] ?? null];
    const [first, last] = [sql.ref(from), sql.ref(until)];
    query = query.where(sql<SqlBool>`(${first} is null or ${last} is null or ${first} < ${last})`);
    if (end !== null) query = query.where(sql<SqlBool>`(${first} is null or ${first} < ${end})`);
    if (start !== null) query = query.where(sql<SqlBool>`(${last} is null or ${last} > ${start})`);
    query = query.orderBy(primary).limit(1);
  }
  if (active !== undefined) query = query.where(active, '=', sql.lit(1));
  const row = await query.executeTakeFirst();
  return row && Number(row[primary]);
}

/** The row that a key names. */
interface Holder {
  readonly id: number;
  /** False for a removed row, which only its primary key names. */
  readonly isActive: boolean;
}

/**
 * The row of a key, locked until the transaction ends: the active one, or by its primary key any. Call it in a transaction.
 * @param isPatient False for undefined in place of a row that another transaction has locked. Default true.
 */
async function findHolder(
  database: Database,
  schema: SchemaModel,
  key: Row,
  isPatient = true,
): Promise<Holder | undefined> {
  const { table, primary, active } = schema;
  let query = database.kysely.selectFrom(table).select(active === undefined ? [primary] : [primary, active]);
  for (const [column, value] of Object.entries(toStoredRow(database, schema, key)))
    query = query.where(column, '=', value);
  // As text, because the index of a unique column has this condition.
  if (active !== undefined && !Object.hasOwn(key, primary)) query = query.where(active, '=', sql.lit(1));
  const locked = isPatient ? lockChanged(query, database) : lockFree(query, database);
  const row = await locked.executeTakeFirst();
  return row && { id: Number(row[primary]), isActive: active === undefined || Number(row[active]) === 1 };
}

/** A key as text, the same in whatever order its columns are. */
export const toKeyText = ({ table }: SchemaModel, key: Row): string =>
  `${table} ${JSON.stringify(Object.entries(key).sort())}`;

/**
 * The row of a key, locked until the transaction ends. Those who want one key wait in the order of their calls, also where no row
 * has it yet: PostgreSQL gives a row that many wait for to anybody, so that some would wait for seconds.
 *
 * @param isInside True if the transaction may have locked the row before: then it does not wait behind those who wait for it.
 */
export async function findHolderInTurn(
  database: Database,
  schema: SchemaModel,
  key: Row,
  isInside: boolean,
): Promise<Holder | undefined> {
  if (!database.writesInParallel) return findHolder(database, schema, key);
  const own = isInside ? await findHolder(database, schema, key, false) : undefined;
  if (own !== undefined) return own;
  await database.lock(`key ${toKeyText(schema, key)}`);
  return findHolder(database, schema, key);
}

/** Number of rows of a table that refer to a row; with `active` only active ones. */
export async function countKeys(
  database: Database,
  table: string,
  { column, value, active }: { readonly column: string; readonly value: unknown; readonly active?: string | undefined },
): Promise<number> {
  const all = database.kysely
    .selectFrom(table)
    .select((make) => make.fn.countAll().as('count'))
    .where(column, '=', value);
  const row = await (active === undefined ? all : all.where(active, '=', 1)).executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Adds a row to a join table; false if it already existed. */
export async function insertLink(database: Database, table: string, row: Row): Promise<boolean> {
  const insert = database.kysely.insertInto(table).values(row);
  const result = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Deletes rows of a join table; gives their number. */
export async function deleteLinks(database: Database, table: string, row: Row): Promise<number> {
  let removal = database.kysely.deleteFrom(table);
  for (const [column, value] of Object.entries(row)) removal = removal.where(column, '=', value);
  return Number((await removal.executeTakeFirst()).numDeletedRows);
}

/** Sets a foreign key to null in the matching rows; gives their number. */
export async function clearKey(database: Database, table: string, column: string, matches: Row): Promise<number> {
  let update = database.kysely.updateTable(table).set({ [column]: null });
  for (const [name, value] of Object.entries(matches)) update = update.where(name, '=', value);
  return Number((await update.executeTakeFirst()).numUpdatedRows);
}

/** Deletes the rows with a value in a column. */
export async function deleteRows(
  { kysely }: Database,
  { table }: SchemaModel,
  column: string,
  value: unknown,
): Promise<void> {
  await kysely.deleteFrom(table).where(column, '=', value).execute();
}
