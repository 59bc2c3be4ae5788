import { type CompiledQuery, type SqlBool, sql } from 'kysely';
import { BoundedMap } from '../../core/bounded-map.ts';
import { memoize } from '../../core/memoize.ts';
import type { Request } from '../../core/request.ts';
import type { Collected, Database, Row } from '../../database/database.ts';
import { collectWords, getWordTarget } from '../../database/words-table.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import type { Slot } from '../../query/operator.ts';
import type { HeldRows } from '../../query/predicate.ts';
import { findReturning, type Returning } from '../../query/returning.ts';
import type { Reach } from '../../query/searcher.ts';
import type { RowTools } from './draft.ts';
import { isWholeVisible } from './visible-row.ts';

/**
 * Writes of one statement. It returns the written row, and shares a commit with others without a savepoint: three round
 * trips to SQLite's thread less than a unit of several statements.
 */

/** Compiled statements kept per schema, one per set of columns and rule. */
const KEPT_STATEMENTS = 100;
const findStatements = memoize((_schema: SchemaModel) => new BoundedMap<CompiledQuery>(KEPT_STATEMENTS));

interface Written {
  readonly event: string;
  readonly request: Request;
  readonly schema: SchemaModel;
  readonly reach: Reach;
  readonly tools: RowTools;
}

/**
 * What the one statement returns. Undefined if the write takes more than one: a transaction is open, a listener hears of
 * it, a rule judges the row after it or hides a part of it, or an uploaded file must go with it when it fails.
 */
export function findOneStatement(
  { plan, services: { database }, isHeard }: Context,
  { event, request, schema, reach, tools }: Written,
): Returning | undefined {
  if (database.writeOne === undefined || database.isInTransaction || !tools.files.isEmpty) return undefined;
  if ((reach.after ?? reach.rows)?.anyOf !== undefined || !isWholeVisible(schema, reach)) return undefined;
  return isHeard(event, request) ? undefined : findReturning(plan.model, schema.name, database);
}

const listGiven = (row: Row): string[] => Object.keys(row).filter((name) => row[name] !== undefined);

/** Makes what is written with a row in its commit. */
type Recording = (written: Row) => Collected | undefined;

/** Runs the statement with the words of the row it gives. Undefined if it wrote no row. */
async function write(
  database: Database,
  schema: SchemaModel,
  {
    query,
    values,
    returning,
  }: { readonly query: CompiledQuery; readonly values: unknown[]; readonly returning: Returning },
  hasWords: boolean,
  record: Recording | undefined,
): Promise<Row | undefined> {
  let written: Row | undefined;
  await database.writeOne?.(query, values, ([found]) => {
    written = returning.toRow(found);
    if (written === undefined) return [];
    const words = hasWords ? collectWords(getWordTarget(schema), written) : undefined;
    return [words, record?.(written)].filter((item) => item !== undefined);
  });
  return written;
}

interface Insertion {
  readonly row: Row;
  readonly returning: Returning;
  readonly record?: Recording | undefined;
}

/** Inserts a row with its search words; gives it as a search does. */
export function insertOne(
  database: Database,
  schema: SchemaModel,
  { row, returning, record }: Insertion,
): Promise<Row | undefined> {
  const names = listGiven(row);
  const query = findStatements(schema).getOrCreate(`insert ${names.join()}`, () => {
    const into = sql`insert into ${sql.table(schema.table)}`;
    const list = sql.join(names.map((name) => sql.ref(name)));
    const given = names.length === 0 ? sql`default values` : sql`(${list}) values (${sql.join(names)})`;
    return sql`${into} ${given} returning ${returning.list}`.compile(database.kysely);
  });
  const values = names.map((name) => row[name]);
  return write(database, schema, { query, values, returning }, true, record);
}

interface Update extends Insertion {
  readonly held: HeldRows | undefined;
  /** Stored values that the row must still have. Default: none. */
  readonly guard?: Row | undefined;
}

/**
 * Changes a row and its search words; gives it as a search does. Undefined if it no longer exists, `held` no longer
 * applies to it, or it has no longer the values of `guard`.
 */
export function updateOne(
  database: Database,
  schema: SchemaModel,
  id: number,
  { row, held, returning, guard = {}, record }: Update,
): Promise<Row | undefined> {
  const names = listGiven(row);
  const guarded = Object.keys(guard);
  const query = findStatements(schema).getOrCreate(
    `update ${names.join()} ${guarded.join()} ${held?.key ?? ''}`,
    () => {
      const changes = sql.join(names.map((name) => sql`${sql.ref(name)} = ${0}`));
      const guards = guarded.map((name) => sql<SqlBool>`${sql.ref(`t.${name}`)} is ${0}`);
      const tests = [sql<SqlBool>`${sql.ref(`t.${schema.primary}`)} = ${0}`, ...guards, ...(held ? [held.test] : [])];
      return sql`update ${sql.table(schema.table)} as t set ${changes} where ${sql.join(tests, sql` and `)} returning ${returning.list}`.compile(
        database.kysely,
      );
    },
  );
  const given = [...names.map((name) => row[name]), id, ...Object.values(guard)];
  const bound = query.parameters.slice(given.length).map((slot) => held?.values[(slot as Slot).index]);
  const target = getWordTarget(schema);
  const hasWords = target.columns.some(({ name }) => Object.hasOwn(row, name));
  return write(database, schema, { query, values: [...given, ...bound], returning }, hasWords, record);
}
