import { sql } from 'kysely';
import type { Database, Dialect } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { RelationModel } from '../../../model/model.ts';
import { isListed, Slot } from '../parse/operator.ts';
import { buildRowTest, type RowTest, type RowVisibility } from '../parse/predicate.ts';
import { startRows } from '../read-rows.ts';
import type { Fragment } from '../sql/exact-double.ts';
import { decodeRows, isPrintable, type Masking, parseRow, printRow, toTexts } from '../sql/printed.ts';
import { activeConditions, fromJoined, joinAll, selectList, where } from '../sql/select.ts';
import { bind, type Statement, type Values } from '../values.ts';
import type { Source, SourceColumn } from './source.ts';

/** Maximum rows of a list in a detail, and per row in a search. One more is read, to know if the list was cut. */
export const DETAIL_ROWS = 1000;
export const EXPAND_ROWS = 100;
/** The parent's key in each related row; removed before rows are returned. */
const PARENT = 'treadle_parent';
const RANK = 'treadle_rank';

/** A relation to load for its parent rows. */
export interface RelatedInput {
  readonly relation: RelationModel;
  /** The source of the related schema. */
  readonly target: Source;
  /** True for one parent row, false for a page of rows. */
  readonly isOne: boolean;
  /** The related rows, and the rows joined to them, that the caller may see. Their values follow slot 0. */
  readonly rows: RowTest | undefined;
  readonly sight: RowVisibility;
  /** The columns to read; undefined: all. */
  readonly columns?: readonly SourceColumn[];
}

/** The parent's key in related rows, where they are read from, and the key that they are sorted by. */
interface Parent {
  readonly parent: Fragment;
  readonly from: Fragment;
  readonly key: Fragment;
}

function compileParent({ relation, target, sight }: RelatedInput, dialect: Dialect): Parent {
  const { kind, table, sourceColumn, targetColumn } = relation;
  const key = sql.ref(`t.${target.schema.primary}`);
  if (kind !== 'N:N') {
    const parent = kind === '1:N' ? sql.ref(`t.${sourceColumn ?? ''}`) : key;
    return { parent: sql`${parent}`, from: fromJoined(target, dialect, sight), key: sql`${key}` };
  }
  const linked = sql.ref(`link.${targetColumn ?? ''}`);
  // SQLite keeps the order of a cross join. By itself it would read every active row of the target.
  const join = dialect === 'sqlite' ? sql`cross join` : sql`join`;
  const from = sql`from ${sql.table(table)} as link ${join} ${sql.table(target.schema.table)} as t on ${key} = ${linked} ${joinAll(target, dialect, sight)}`;
  // The links of a parent are stored in this order.
  return { parent: sql`${sql.ref(`link.${sourceColumn ?? ''}`)}`, from, key: sql`${linked}` };
}

/** What the columns of a relation's rows are masked by. */
export const createMasking = ({ target, rows, sight }: RelatedInput, { dialect }: Database): Masking => ({
  source: target,
  rows,
  sight,
  dialect,
});

/**
 * The `from` and `order by` of related rows: for the parent in slot 0, or for the JSON list of parents there.
 *
 * @param key The key of one parent, if it is not in slot 0.
 */
export function fromRelated(
  input: RelatedInput,
  database: Database,
  key?: Fragment,
): { readonly from: Fragment; readonly order: Fragment } {
  const { target, isOne, rows } = input;
  const { dialect } = database;
  const { parent, from: source, key: sorted } = compileParent(input, dialect);
  const slot = new Slot(0);
  const matches = isOne ? sql`${parent} = ${key ?? slot}` : isListed(parent, slot, dialect, 'integer');
  const seen = rows === undefined ? [] : [buildRowTest(rows, dialect)];
  const tests = where([matches, ...activeConditions(target, 'only'), ...seen]);
  const from = sql`${source} ${tests}`;
  const order = sql`order by ${sorted}`;
  return { from, order: isOne ? sql`${order} limit ${sql.lit(DETAIL_ROWS + 1)}` : order };
}

/** Compiles the query of a relation, for one parent's key or for a JSON list of keys. */
export function compileRelated(input: RelatedInput, database: Database): Fragment {
  const { target, isOne } = input;
  const { from, order } = fromRelated(input, database);
  const masking = createMasking(input, database);
  const columns = selectList(input.columns ?? target.columns.values(), masking);
  const list = isPrintedList(input, database) ? printRow(target.columns.values(), masking).list : columns;
  if (isOne) return sql`select ${list} ${from} ${order}`;
  const { parent } = compileParent(input, database.dialect);
  const rank = sql`row_number() over (partition by ${parent} ${order}) as ${sql.ref(RANK)}`;
  const ranked = sql`select ${columns}, ${parent} as ${sql.ref(PARENT)}, ${rank} ${from}`;
  return sql`select * from (${ranked}) as ranked where ${sql.ref(RANK)} <= ${sql.lit(EXPAND_ROWS + 1)} order by ${sql.ref(target.schema.primary)}`;
}

/** Key that marks a cut list in a row: there are more related rows than it shows. */
export const toMoreName = ({ name }: RelationModel): string => `${name}_more`;

export const isList = ({ kind }: RelationModel): boolean => kind === '1:N' || kind === 'N:N';

/** One row's relation as loaded: an object or null, a list, or a list of rows that are still JSON texts. */
export interface RelatedRows {
  readonly value: unknown;
  readonly texts?: readonly string[];
  /** True if the list was cut. */
  readonly hasMore: boolean;
}

const isPrintedList = ({ relation, target, isOne }: RelatedInput, database: Database): boolean =>
  isOne && isList(relation) && isPrintable(target.columns.size, database);

/** The statement of a relation; its values are the key of the parent row, or the list of those keys, then those of rules. */
interface RelationQuery {
  readonly database: Database;
  readonly statement: Statement;
  readonly values: Values;
  readonly keys: readonly unknown[];
}

/** Runs the statement, and notes which rows it reads. @param toRows The rows, in the form of objects. */
async function runRelated(
  { relation, target }: Pick<RelatedInput, 'relation' | 'target'>,
  { database, statement, values, keys }: RelationQuery,
  toRows: (found: Row[]) => readonly Row[],
): Promise<Row[]> {
  const rows = startRows();
  rows?.addRelated(relation, target, keys);
  const settle = rows?.addJoined(target);
  const found = await database.run(statement.query, bind(statement, values.list), undefined, rows?.list);
  settle?.(target.joins.length === 0 ? [] : toRows(found));
  return found;
}

/** The relation of a row that refers to none. */
export const createNoRelated = (relation: RelationModel): RelatedRows => ({
  value: isList(relation) ? [] : null,
  hasMore: false,
});

/** Loads a relation of one row. */
export async function loadOne(input: RelatedInput, query: RelationQuery): Promise<RelatedRows> {
  const isMany = isList(input.relation);
  const isPrinted = isPrintedList(input, query.database);
  const found = await runRelated(input, query, (all) => (isPrinted ? toTexts(all).map(parseRow) : all));
  const hasMore = isMany && found.length > DETAIL_ROWS;
  if (hasMore) found.length = DETAIL_ROWS;
  if (isPrinted) {
    return { value: [], texts: toTexts(found), hasMore };
  }
  const rows = decodeRows(input.target, found, query.database.dialect);
  return { value: isMany ? rows : (rows[0] ?? null), hasMore };
}

/** Adds a relation to each row of a page, under the relation's name. `loading` is absent if no row refers to another. */
export async function loadMany(
  { relation, target }: Pick<RelatedInput, 'relation' | 'target'>,
  rows: readonly Row[],
  keyColumn: string,
  loading: RelationQuery | undefined,
): Promise<void> {
  const found =
    loading === undefined
      ? []
      : decodeRows(target, await runRelated({ relation, target }, loading, (all) => all), loading.database.dialect);
  const byParent = new Map<unknown, Row[]>();
  const cut = new Set<unknown>();
  for (const row of found) {
    const { [PARENT]: parent, [RANK]: rank, ...shown } = row;
    if (Number(rank) > EXPAND_ROWS) {
      cut.add(parent);
      continue;
    }
    const list = byParent.get(parent);
    if (list) list.push(shown);
    else byParent.set(parent, [shown]);
  }
  for (const row of rows) {
    const related = byParent.get(row[keyColumn]);
    row[relation.name] = isList(relation) ? (related ?? []) : (related?.[0] ?? null);
    if (isList(relation) && cut.has(row[keyColumn])) row[toMoreName(relation)] = true;
  }
}
