import { sql } from 'kysely';
import { memoize } from '../../../core/memoize.ts';
import type { Database } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Model } from '../../../model/model.ts';
import { WHOLE_SIGHT } from '../parse/predicate.ts';
import { getSearcher } from '../searcher.ts';
import type { Source, SourceColumn } from '../source/source.ts';
import type { Fragment } from './exact-double.ts';
import { decodeRows, isPrintable, type Masking, parsePrinted, parseRow, printRow, printText } from './printed.ts';
import { joinAll, selectList } from './select.ts';

const toJoinName = (index: number): string => `treadle_join_${index}`;

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
    const printed = printText(listOf(source, alias), masking);
    const from = sql`from ${sql.table(other)} as ${sql.ref(alias)}`;
    const test = sql`${sql.ref(`${alias}.${primary}`)} = ${sql.ref(`${table}.${foreign}`)}`;
    return sql`(select ${printed} ${from} where ${test}) as ${sql.ref(toJoinName(index))}`;
  });
  return sql.join([printRow(own, masking).list, ...joined]);
}

/** The row of {@link compileReturning}; columns of a missing 1:1 row are null. */
function toReturnedRow(found: Row | undefined, source: Source): Row | undefined {
  if (!found) return undefined;
  const row = parsePrinted(found, source.hasReals);
  for (const [index, { alias }] of source.joins.entries()) {
    const text = found[toJoinName(index)];
    if (typeof text === 'string') Object.assign(row, parseRow(text));
    else for (const { name } of listOf(source, alias)) row[name] = null;
  }
  return row;
}

/** What a statement that writes a row gives of it. */
export interface ReturningClause {
  /** The `returning` list. */
  readonly list: Fragment;
  /** PostgreSQL: what is selected of the returned row, which is in {@link WRITTEN} as `t`, and the tables that it joins. */
  readonly selected?: { readonly list: Fragment; readonly joins: Fragment; readonly hasJoins: boolean };
  toRow(found: Row | undefined): Row | undefined;
}

/** PostgreSQL: the name of the part that writes the row, in a statement of several parts. */
export const WRITTEN = 'treadle_written';

function compileSelected(source: Source): ReturningClause {
  const stored = listOf(source, 't').filter(({ computed }) => computed === undefined);
  const own = stored.map(({ column }) => sql.ref(`t.${column}`));
  const masking: Masking = { source, rows: undefined, sight: WHOLE_SIGHT, dialect: 'postgres' };
  const list = selectList(source.columns.values(), masking, 'postgres');
  const joins = joinAll(source, 'postgres', WHOLE_SIGHT);
  return {
    list: sql.join(own),
    selected: { list, joins, hasJoins: source.joins.length > 0 },
    toRow: (row) => row && decodeRows(source, [row], 'postgres')[0],
  };
}

function compilePrinted(source: Source, database: Database): ReturningClause | undefined {
  const list = compileReturning(source, database);
  return list && { list, toRow: (row) => toReturnedRow(row, source) };
}

const findKnown = memoize((_model: Model) => new Map<string, ReturningClause>());

/** What a write to a schema returns to give its whole row; undefined where a second statement must read it. */
export function findReturning(model: Model, name: string, database: Database): ReturningClause | undefined {
  const known = findKnown(model);
  const key = `${database.dialect} ${name}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const source = getSearcher(model).source(name);
  // The rows that it counts are linked after it is written, and triggers write what they store then.
  if ([...source.columns.values()].some(({ related }) => related !== undefined)) return undefined;
  const made = database.dialect === 'sqlite' ? compilePrinted(source, database) : compileSelected(source);
  if (made !== undefined) known.set(key, made);
  return made;
}
