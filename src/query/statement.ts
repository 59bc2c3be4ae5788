import { type CompiledQuery, sql } from 'kysely';
import type { Database, Dialect } from '../database/database.ts';
import type { Order } from './cursor.ts';
import type { ActiveWanted } from './draft.ts';
import { type Fragment, Slot, toCondition, toRef, toWordsCondition } from './operator.ts';
import type { Search } from './search.ts';
import type { Source, SourceColumn } from './source.ts';

/** A compiled statement and, for each of its parameters, the index of the value to bind. */
export interface Statement {
  readonly query: CompiledQuery;
  readonly slots: readonly number[];
}

/** Compiles a statement whose parameters are slots. */
export function compileStatement(fragment: Fragment, database: Database): Statement {
  const query = fragment.compile(database.kysely);
  return { query, slots: query.parameters.map((parameter) => (parameter as Slot).index) };
}

/** The values of one run, in the order of the statement's parameters. */
export function bind({ slots }: Statement, values: readonly unknown[]): unknown[] {
  const bound = new Array<unknown>(slots.length);
  for (let index = 0; index < slots.length; index += 1) bound[index] = values[slots[index] as number];
  return bound;
}

const select = ({ name, alias, column }: SourceColumn): Fragment =>
  name === column ? sql`${sql.ref(`${alias}.${column}`)}` : sql`${sql.ref(`${alias}.${column}`)} as ${sql.ref(name)}`;

/** Arguments that SQLite's functions take at most, by two for each column. */
const MAX_PRINTED = 60;
/** The column that holds a whole row as JSON text. */
export const PRINTED = 'treadle_row';

/** Whether the database may print rows of these columns: SQLite's JSON is then half the work of handing values over. */
export const isPrintable = (count: number, { dialect }: Database): boolean =>
  dialect === 'sqlite' && count <= MAX_PRINTED;

/** A row as one JSON text. What a JSON column holds that is none goes out as a text. */
export function printedRow(columns: Iterable<SourceColumn>): Fragment {
  const parts = [...columns].map(({ name, alias, column, type }) => {
    const ref = sql`${sql.ref(`${alias}.${column}`)}`;
    const value =
      type === 'json' ? sql`json(case when json_valid(${ref}) then ${ref} else json_quote(${ref}) end)` : ref;
    return sql`${sql.lit(name)}, ${value}`;
  });
  return sql`json_object(${sql.join(parts)}) as ${sql.ref(PRINTED)}`;
}

/** Columns as a select list. */
export const selectList = (columns: Iterable<SourceColumn>): Fragment => sql.join([...columns].map(select));

/** `from` with the joins of the 1:1 relations: outer joins, so that a row without its other half is not hidden. */
export function fromJoined({ schema, joins }: Source): Fragment {
  const parts = joins.map(
    ({ alias, table, foreign, primary }) =>
      sql`left join ${sql.table(table)} as ${sql.ref(alias)} on ${sql.ref(`${alias}.${primary}`)} = ${sql.ref(`t.${foreign}`)}`,
  );
  return sql`from ${sql.table(schema.table)} as t ${sql.join(parts, sql` `)}`;
}

/** Leaves removed rows out (or takes only those); the value is written out, so that a partial index can serve. */
export function activeConditions({ active }: Source, wanted: ActiveWanted): Fragment[] {
  if (!active || wanted === 'any') return [];
  return [wanted === 'only' ? sql`${toRef(active)} = 1` : sql`${toRef(active)} = 0`];
}

function conditions(search: Search, dialect: Dialect): Fragment[] {
  const { source } = search;
  const parts = activeConditions(source, search.active);
  for (const condition of search.conditions) parts.push(toCondition(condition, source.primary, dialect));
  if (search.words !== undefined) parts.push(toWordsCondition(source.searchable, search.words, dialect));
  return parts;
}

export const where = (parts: readonly Fragment[]): Fragment =>
  parts.length === 0 ? sql`` : sql`where ${sql.join(parts, sql` and `)}`;

/** The text form lets PostgreSQL know a type where a parameter is only tested for null. */
const isNull = (slot: Slot): Fragment => sql`cast(${slot} as text) is null`;

/** Rows after a cursor's values, nulls first, or before them where `isReversed`. */
function pastCursor(order: readonly Order[], first: number, isReversed: boolean): Fragment {
  const [head, ...rest] = order;
  if (!head) return sql`1 = 0`;
  const slot = new Slot(first);
  const ref = toRef(head.column);
  const isDescending = head.isDescending !== isReversed;
  const { isNullable } = head.column;
  const strict = isDescending ? sql`${ref} < ${slot}` : sql`${ref} > ${slot}`;
  const beside = isDescending
    ? sql`(${ref} is null and not ${isNull(slot)})`
    : sql`(${ref} is not null and ${isNull(slot)})`;
  const past = isNullable ? sql`(${strict} or ${beside})` : strict;
  if (rest.length === 0) return past;
  const same = isNullable ? sql`${ref} is not distinct from ${slot}` : sql`${ref} = ${slot}`;
  return sql`(${past} or (${same} and ${pastCursor(rest, first + 1, isReversed)}))`;
}

function orderBy(order: readonly Order[], isReversed: boolean, dialect: Dialect): Fragment {
  const parts = order.map(({ column, isDescending }) => {
    const isDown = isDescending !== isReversed;
    // SQLite has nulls first in rising order by itself; PostgreSQL has to be told.
    const isTold = dialect === 'postgres' && column.isNullable;
    const nulls = isTold ? (isDown ? sql` nulls last` : sql` nulls first`) : sql``;
    return sql`${toRef(column)} ${isDown ? sql`desc` : sql`asc`}${nulls}`;
  });
  return sql`order by ${sql.join(parts)}`;
}

/** Columns that a search's rows need although they were not asked for: to make cursors and to expand. */
export function hiddenColumns(search: Search): SourceColumn[] {
  const { fields, source } = search;
  if (!fields) return [];
  const shown = new Set(fields.map(({ name }) => name));
  const needed = search.order.map(({ column }) => column);
  for (const { kind, targetColumn } of search.expand) {
    const column = kind === '1:0' && targetColumn !== undefined ? source.columns.get(targetColumn) : undefined;
    if (column) needed.push(column);
  }
  const hidden = needed.filter(({ name }) => !shown.has(name));
  return hidden.filter((column, index) => hidden.indexOf(column) === index);
}

/** Whether the rows of a search are taken as texts: nothing has to be put in or taken off afterwards. */
export function isPrinted(search: Search, database: Database): boolean {
  const { source, fields } = search;
  if (search.expand.length > 0 || hiddenColumns(search).length > 0) return false;
  return isPrintable(fields?.length ?? source.columns.size, database);
}

/** The rows of a search, each as columns or as one JSON text. */
export function compileRows(search: Search, database: Database): Statement {
  const { dialect } = database;
  const { source, cursor } = search;
  const isReversed = cursor?.direction === 'before';
  const parts = conditions(search, dialect);
  if (cursor) parts.push(pastCursor(search.order, cursor.slot, isReversed));
  const columns = search.fields ? [...search.fields, ...hiddenColumns(search)] : source.columns.values();
  const list = isPrinted(search, database) ? printedRow(columns) : selectList(columns);
  const window = sql`limit ${new Slot(search.limitSlot)} offset ${new Slot(search.limitSlot + 1)}`;
  return compileStatement(
    sql`select ${list} ${fromJoined(source)} ${where(parts)} ${orderBy(search.order, isReversed, dialect)} ${window}`,
    database,
  );
}

/** The number of rows of a search, whatever its page. */
export function compileCount(search: Search, database: Database): Statement {
  const { source } = search;
  // The 1:1 joins neither add nor take rows: only words may be looked for in them.
  const from = search.words === undefined ? sql`from ${sql.table(source.schema.table)} as t` : fromJoined(source);
  return compileStatement(
    sql`select count(*) as total ${from} ${where(conditions(search, database.dialect))}`,
    database,
  );
}
