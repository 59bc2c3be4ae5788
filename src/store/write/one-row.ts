import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely';
import { BoundedMap } from '../../core/bounded-map.ts';
import { memoize } from '../../core/memoize.ts';
import type { Database } from '../../database/database.ts';
import {
  type CommitItem,
  type Companion,
  createCommitItem,
  MANY_KEY,
  type ManyRows,
  type Row,
} from '../../database/row-statement.ts';
import { findWordsCompanion, getWordTarget } from '../../database/words/word-table.ts';
import type { SchemaModel } from '../../model/model.ts';
import { Slot } from '../read/parse/operator.ts';
import type { CompiledFilter } from '../read/parse/predicate.ts';
import { type ReturningClause, WRITTEN } from '../read/sql/returning.ts';
import { buildLiveValue, type LiveKeys } from './live-key.ts';
import { isStill } from './row-sql.ts';
import { decodeRow, toStoredRow } from './stored-row.ts';

/**
 * Writes of one statement, which returns the written row. On SQLite it shares a commit with others without a savepoint: three
 * round trips to SQLite's thread less than a unit of several statements. On PostgreSQL it commits by itself, and the words and
 * the history are parts of it: four round trips to the server less, or five.
 */

/** Cached compiled statements per schema, one per set of columns and rule. */
const CACHED_STATEMENTS = 100;
const findStatements = memoize((_schema: SchemaModel) => new BoundedMap<Statement>(CACHED_STATEMENTS));

const listGiven = (row: Row): string[] => Object.keys(row).filter((name) => row[name] !== undefined);

/** A statement that writes one row. */
interface RowWrite {
  readonly schema: SchemaModel;
  /** Names the statement among those of its schema. */
  readonly key: string;
  /** Makes the statement with 0 for each of `given`, then the slots of `rowFilter`. */
  readonly toSql: (row: RawBuilder<unknown>) => RawBuilder<unknown>;
  readonly given: readonly unknown[];
  readonly rowFilter?: CompiledFilter | undefined;
  /** SQLite: the same for the rows of {@link MANY}, if one statement can do several. */
  readonly toMany?: (() => RawBuilder<unknown>) | undefined;
  /** SQLite: the primary key of a row that is there. */
  readonly id?: number | undefined;
  readonly returning: ReturningClause;
  /** PostgreSQL: the row as far as it is known before; what is written with it is made of that. */
  readonly known: Row;
  readonly companions: readonly Companion[];
}

/**
 * Binds the values of the slots and, for every other parameter, the next of the given ones.
 *
 * @throws Error if the statement takes another number of values: each would be read as another.
 */
function bindAll(
  { parameters }: CompiledQuery,
  given: readonly unknown[],
  rowFilter: CompiledFilter | undefined,
): unknown[] {
  let next = 0;
  const take = (): unknown => {
    next += 1;
    return given[next - 1];
  };
  const bound = parameters.map((parameter) =>
    parameter instanceof Slot ? rowFilter?.values[parameter.index] : take(),
  );
  if (next !== given.length) throw new Error(`A statement for ${next} values got ${given.length}.`);
  return bound;
}

/** Maximum parameters of a statement for several rows. */
const MOST_PARAMETERS = 500;
/** Stands for the rows of a statement for several, with the columns `column1`, `column2`, … */
const MANY = 'treadle_many';

const toManyColumn = (index: number): RawBuilder<unknown> => sql.ref(`${MANY}.column${index + 1}`);

interface Statement {
  readonly query: CompiledQuery;
  /** SQLite: the same for several rows. */
  readonly many: ManyRows | undefined;
}

/** The statement for several rows of `width` parameters; what it names {@link MANY} is a list of values. */
function compileMany({ schema, returning, toMany }: RowWrite, width: number, database: Database): ManyRows | undefined {
  const most = Math.floor(MOST_PARAMETERS / Math.max(1, width));
  if (toMany === undefined || width === 0 || most < 2) return undefined;
  const key = sql`${sql.ref(`${schema.table}.${schema.primary}`)} as ${sql.ref(MANY_KEY)}`;
  const whole = sql`${toMany()} returning ${key}, ${returning.list}`.compile(database.kysely).sql;
  const row = `(${Array(width).fill('?').join()})`;
  const texts = new Map<number, string>();
  const toText = (rows: number): string => {
    const known = texts.get(rows);
    if (known !== undefined) return known;
    const list = Array(rows).fill(row).join();
    // SQLite prepares a statement again when a bare parameter of `limit` gets another value.
    const made = `with ${MANY} as materialized (select * from (values ${list}) limit +?) ${whole}`;
    texts.set(rows, made);
    return made;
  };
  return { most, toText };
}

/** The statement of PostgreSQL: its parts see the row that the first one writes. */
function toWhole({ schema, toSql, returning }: RowWrite, companions: readonly Companion[]): RawBuilder<unknown> {
  if (returning.selected === undefined) throw new TypeError('PostgreSQL selects what a statement returns');
  const { list, joins, hasJoins } = returning.selected;
  const write = toSql(sql`${sql.table(schema.table)} as t`);
  if (companions.length === 0 && !hasJoins) return sql`${write} returning ${list}`;
  const from = sql`from ${sql.table(WRITTEN)} as t`;
  const row = { id: sql.ref(`t.${schema.primary}`), from };
  const parts = companions.map(
    ({ name, toSql: toPart }) => sql`${sql.table(`${WRITTEN}_${name}`)} as (${toPart(row)})`,
  );
  const first = sql`${sql.table(WRITTEN)} as (${write} returning ${returning.list})`;
  return sql`with ${sql.join([first, ...parts])} select ${list} ${from} ${joins}`;
}

/** On SQLite companions are written by statements of their own, so they are no part of it. */
function compile(database: Database, writing: RowWrite, parts: readonly Companion[]): Statement {
  const { schema, key, toSql, returning } = writing;
  const names = parts.map(({ name }) => name).join('+');
  return findStatements(schema).getOrCreate(`${database.dialect} ${names} ${key}`, () => {
    if (database.dialect === 'postgres')
      return { query: toWhole(writing, parts).compile(database.kysely), many: undefined };
    const query = sql`${toSql(sql.table(schema.table))} returning ${returning.list}`.compile(database.kysely);
    return { query, many: compileMany(writing, query.parameters.length, database) };
  });
}

/** Writes the row with its companions; gives it as a search does. Undefined if it wrote none. */
async function write(database: Database, writing: RowWrite): Promise<Row | undefined> {
  const { id, given, rowFilter, returning, companions } = writing;
  const values = [...given];
  const parts: Companion[] = [];
  if (database.dialect === 'postgres') {
    const known = companions.length === 0 ? writing.known : decodeRow(writing.schema, writing.known);
    for (const companion of companions) {
      const part = companion.toValues(known);
      if (part === undefined) continue;
      parts.push(companion);
      values.push(...part);
    }
  }
  const { query, many } = compile(database, writing, parts);
  let written: Row | undefined;
  const collect = ([found]: readonly Row[]): CommitItem[] => {
    written = returning.toRow(found);
    const row = written;
    if (row === undefined) return [];
    return companions.flatMap((companion) => {
      const item = companion.toValues(row);
      return item === undefined ? [] : [createCommitItem(companion, row, item)];
    });
  };
  const rows = await database.writeRow({
    query,
    parameters: bindAll(query, values, rowFilter),
    collect,
    many,
    key: id,
  });
  return written ?? returning.toRow(rows[0]);
}

/** True if an update changes a searchable column, or may: the row still has the values of `guard` when it is written. */
const changesWords = (schema: SchemaModel, row: Row, guard: Row = {}): boolean =>
  getWordTarget(schema).columns.some(
    ({ name }) => Object.hasOwn(row, name) && !(Object.hasOwn(guard, name) && guard[name] === row[name]),
  );

/**
 * The texts that a row must still have when one statement changes it; none on SQLite. On PostgreSQL the search words are made
 * before the statement runs, of the texts that it changes and of those that it does not.
 */
export function toTextGuard(database: Database, schema: SchemaModel, row: Row, guard: Row, original: Row): Row {
  if (database.dialect !== 'postgres' || !changesWords(schema, row, guard)) return {};
  const others = getWordTarget(schema).columns.filter(({ name }) => !Object.hasOwn(row, name));
  return Object.fromEntries(others.map(({ name }) => [name, original[name] ?? null]));
}

const listCompanions = (...all: readonly (Companion | undefined)[]): readonly Companion[] =>
  all.filter((companion) => companion !== undefined);

interface Insertion {
  readonly row: Row;
  readonly live: LiveKeys;
  readonly returning: ReturningClause;
  /** What records the change; undefined if nothing does. */
  readonly record?: Companion | undefined;
}

/** Inserts a row with its search words; gives it as a search does. */
export function insertOne(
  database: Database,
  schema: SchemaModel,
  { row, live, returning, record }: Insertion,
): Promise<Row | undefined> {
  const names = listGiven(row);
  const toSql = (table: RawBuilder<unknown>): RawBuilder<unknown> => {
    if (names.length === 0) return sql`insert into ${table} default values`;
    const list = sql.join(names.map((name) => sql.ref(name)));
    const values = names.map((name) => buildLiveValue(live, name, sql`${0}`));
    return sql`insert into ${table} (${list}) values (${sql.join(values)})`;
  };
  const toMany = (): RawBuilder<unknown> => {
    const list = sql.join(names.map((name) => sql.ref(name)));
    const values = sql.join(names.map((name, index) => buildLiveValue(live, name, toManyColumn(index))));
    return sql`insert into ${sql.table(schema.table)} (${list}) select ${values} from ${sql.table(MANY)}`;
  };
  const stored = toStoredRow(database, schema, row);
  const given = names.map((name) => stored[name]);
  const key = `insert ${names.join()} ${[...live.keys()].join()}`;
  const companions = listCompanions(findWordsCompanion(getWordTarget(schema), database.dialect), record);
  return write(database, { schema, key, toSql, toMany, given, returning, known: row, companions });
}

interface Update extends Insertion {
  readonly rowFilter: CompiledFilter | undefined;
  /** The row as it was read. */
  readonly original: Row;
  /** Stored values that the row must still have. Default: none. */
  readonly guard?: Row | undefined;
}

/**
 * Changes a row and its search words; gives it as a search does. Undefined if it no longer exists, `rowFilter` no longer
 * applies to it, or it has no longer the values of `guard`.
 */
export function updateOne(
  database: Database,
  schema: SchemaModel,
  id: number,
  { row, live, rowFilter, original, returning, guard = {}, record }: Update,
): Promise<Row | undefined> {
  const names = listGiven(row);
  const guarded = Object.keys(guard);
  const toSql = (table: RawBuilder<unknown>): RawBuilder<unknown> => {
    const changes = sql.join(names.map((name) => sql`${sql.ref(name)} = ${buildLiveValue(live, name, sql`${0}`)}`));
    const guards = guarded.map((name) => isStill(database, `t.${name}`, 0));
    const tests = [
      sql<SqlBool>`${sql.ref(`t.${schema.primary}`)} = ${0}`,
      ...guards,
      ...(rowFilter ? [rowFilter.test] : []),
    ];
    // SQLite knows the row by the alias in `where`, and by its table's name in `returning`.
    const named = database.dialect === 'sqlite' ? sql`${table} as t` : table;
    return sql`update ${named} set ${changes} where ${sql.join(tests, sql` and `)}`;
  };
  const toMany = (): RawBuilder<unknown> => {
    const changes = sql.join(
      names.map((name, index) => sql`${sql.ref(name)} = ${buildLiveValue(live, name, toManyColumn(index))}`),
    );
    const columns = [schema.primary, ...guarded, ...(rowFilter?.owner === undefined ? [] : [rowFilter.owner])];
    const tests = columns.map((name, index) => {
      const sign = index === 0 || index > guarded.length ? sql`=` : sql`is`;
      return sql`${sql.ref(`t.${name}`)} ${sign} ${toManyColumn(names.length + index)}`;
    });
    return sql`update ${sql.table(schema.table)} as t set ${changes} from ${sql.table(MANY)} where ${sql.join(tests, sql` and `)}`;
  };
  // A test of other rows must see what the write before it changed.
  const isAlone = rowFilter !== undefined && rowFilter.owner === undefined;
  const stored = toStoredRow(database, schema, row);
  const given = [...names.map((name) => stored[name]), id, ...Object.values(toStoredRow(database, schema, guard))];
  const key = `update ${names.join()} ${[...live.keys()].join()} ${guarded.join()} ${rowFilter?.key ?? ''}`;
  const hasWords = changesWords(schema, row, guard);
  const words = hasWords ? findWordsCompanion(getWordTarget(schema), database.dialect) : undefined;
  const known = { ...original, ...row };
  const more = { toMany: isAlone ? undefined : toMany, companions: listCompanions(words, record) };
  return write(database, { schema, key, id, toSql, given, rowFilter, returning, known, ...more });
}

interface Deletion extends Pick<Insertion, 'returning' | 'record'> {
  readonly rowFilter: CompiledFilter | undefined;
}

/**
 * Deletes a row; gives it as a search does. Undefined if it no longer exists, or `rowFilter` no longer applies to it. Undefined,
 * too, where it must be recorded on PostgreSQL: there a companion is made of the row as it was read before.
 */
export function deleteOne(
  database: Database,
  schema: SchemaModel,
  id: number,
  { rowFilter, returning, record }: Deletion,
): Promise<Row | undefined> | undefined {
  if (database.dialect === 'postgres' && record !== undefined) return undefined;
  const toSql = (table: RawBuilder<unknown>): RawBuilder<unknown> => {
    const named = database.dialect === 'sqlite' ? sql`${table} as t` : table;
    const test = sql`${sql.ref(`t.${schema.primary}`)} = ${0}`;
    return sql`delete from ${named} where ${rowFilter ? sql`${test} and ${rowFilter.test}` : test}`;
  };
  const toMany = (): RawBuilder<unknown> => {
    const ids = sql`select ${toManyColumn(0)} from ${sql.table(MANY)}`;
    return sql`delete from ${sql.table(schema.table)} where ${sql.ref(schema.primary)} in (${ids})`;
  };
  const key = `delete ${rowFilter?.key ?? ''}`;
  const more = { toMany: rowFilter ? undefined : toMany, companions: listCompanions(record) };
  return write(database, { schema, key, id, toSql, given: [id], rowFilter, returning, known: {}, ...more });
}
