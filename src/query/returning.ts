import { sql } from 'kysely';
import { memoize } from '../core/memoize.ts';
import type { Database, Row } from '../database/database.ts';
import type { Model } from '../model/model.ts';
import type { Fragment } from './operator.ts';
import { WHOLE_SIGHT } from './predicate.ts';
import { parseRow } from './row.ts';
import { getSearcher } from './searcher.ts';
import type { Source, SourceColumn } from './source.ts';
import { isPrintable, type Masking, PRINTED, printedRow } from './statement.ts';

const toJoinName = (index: number): string => `${PRINTED}_${index}`;

const listOf = ({ columns }: Source, alias: string): SourceColumn[] =>
  [...columns.values()].filter((column) => column.alias === alias);

/**
 * The `returning` of a write that gives the whole row, with the columns of the 1:1 relations, so that no second statement
 * reads it. Undefined if the database does not format rows, or this row is too wide.
 */
function compileReturning(source: Source, database: Database): Fragment | undefined {
  if (!isPrintable(source.columns.size, database)) return undefined;
  const { table } = source.schema;
  const masking: Masking = { source, rows: undefined, sight: WHOLE_SIGHT, dialect: database.dialect };
  // SQLite knows the written row by its table's name only, not by an alias.
  const own = listOf(source, 't').map((column) => ({ ...column, alias: table }));
  const joined = source.joins.map(({ alias, table: other, foreign, primary }, index) => {
    const printed = printedRow(listOf(source, alias), masking);
    const from = sql`from ${sql.table(other)} as ${sql.ref(alias)}`;
    const test = sql`${sql.ref(`${alias}.${primary}`)} = ${sql.ref(`${table}.${foreign}`)}`;
    return sql`(select ${printed} ${from} where ${test}) as ${sql.ref(toJoinName(index))}`;
  });
  return sql.join([printedRow(own, masking), ...joined]);
}

/** The row of {@link compileReturning}; columns of a missing 1:1 row are null. */
function toReturnedRow(found: Row | undefined, source: Source): Row | undefined {
  const row = parseRow(found?.[PRINTED] as string | undefined);
  if (!found || !row) return undefined;
  for (const [index, { alias }] of source.joins.entries()) {
    const text = found[toJoinName(index)];
    if (typeof text === 'string') Object.assign(row, parseRow(text));
    else for (const { name } of listOf(source, alias)) row[name] = null;
  }
  return row;
}

/** A `returning` list, and the row of what it gives. */
export interface Returning {
  readonly list: Fragment;
  toRow(found: Row | undefined): Row | undefined;
}

const findKnown = memoize((_model: Model) => new Map<string, Returning>());

/** What a write to a schema returns to give its whole row; undefined where a second statement must read it. */
export function findReturning(model: Model, name: string, database: Database): Returning | undefined {
  if (database.dialect !== 'sqlite') return undefined;
  const known = findKnown(model);
  const found = known.get(name);
  if (found !== undefined) return found;
  const source = getSearcher(model).source(name);
  const list = compileReturning(source, database);
  if (list === undefined) return undefined;
  const made: Returning = { list, toRow: (row) => toReturnedRow(row, source) };
  known.set(name, made);
  return made;
}
