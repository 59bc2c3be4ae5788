import { sql } from 'kysely';
import { setJsonText } from '../../../core/request/json-list.ts';
import type { Database, Dialect } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { buildRef } from '../parse/condition.ts';
import type { ActiveOption } from '../parse/draft.ts';
import { Slot } from '../parse/operator.ts';
import { buildRowTest, findOwnerOnly, type RowTest, type RowVisibility } from '../parse/predicate.ts';
import type { RowsRead } from '../read-rows.ts';
import { createMasking, DETAIL_ROWS, fromRelated, isList, type RelatedInput, toMoreName } from '../source/related.ts';
import type { Source, SourceColumn } from '../source/source.ts';
import type { Fragment } from './exact-double.ts';
import { isPrintable, PRINTED, parsePrinted, printRow, printText } from './printed.ts';
import { activeConditions, fromJoined, joinAll, selectList, where } from './select.ts';

/** A row with all its lists, by its primary key in slot 0; the values of rules follow. */
export interface DetailInput {
  readonly source: Source;
  readonly relations: readonly RelatedInput[];
  readonly wanted: ActiveOption;
  readonly rows: RowTest | undefined;
  readonly sight: RowVisibility;
}

/** The column with the place of a row's key in the list of keys, where a statement reads several. */
export const DETAIL_KEY = 'treadle_key';
/** The alias of the list of keys. */
const SOUGHT = 'treadle_sought';

const toListName = (index: number): string => `treadle_list_${index}`;

/**
 * True if the database can format the row and its lists as JSON in one statement, which saves round trips to its
 * thread.
 */
export function isOneStatement({ source, relations }: DetailInput, database: Database): boolean {
  return (
    isPrintable(source.columns.size, database) &&
    relations.every(({ relation, target }) => isList(relation) && isPrintable(target.columns.size, database))
  );
}

/** A row's key, and its owner if it must have one. */
export type SharedKey = readonly [id: number, owner?: number];

/** The column of the owner that each row must have, where the callers differ in nothing else. */
const findOwner = ({ rows }: DetailInput): string | undefined => rows && findOwnerOnly(rows);

/** The key and the owner by which one statement can read the rows of several callers; undefined if rules have other values. */
export function toShared(input: DetailInput, values: readonly unknown[]): SharedKey | undefined {
  const [id, owner] = values;
  if (typeof id !== 'number') return undefined;
  if (values.length === 1) return [id];
  return values.length === 2 && typeof owner === 'number' && findOwner(input) !== undefined ? [id, owner] : undefined;
}

/**
 * Compiles a row and its lists, each as one JSON text.
 *
 * @param isMany True for the rows of a JSON list in slot 0: keys, or pairs of key and owner.
 */
export function compileDetail(input: DetailInput, database: Database, isMany = false): Fragment {
  const { source, relations, wanted, rows, sight } = input;
  const { dialect } = database;
  const owner = isMany ? findOwner(input) : undefined;
  const item = sql`${sql.ref(`${SOUGHT}.value`)}`;
  const key = isMany ? (owner === undefined ? item : sql`${item}->>0`) : sql`${new Slot(0)}`;
  const parts: Fragment[] = [sql`${buildRef(source.primary)} = ${key}`, ...activeConditions(source, wanted)];
  if (owner !== undefined) parts.push(sql`${sql.ref(`t.${owner}`)} = ${item}->>1`);
  else if (rows !== undefined) parts.push(buildRowTest(rows, dialect));
  const lists = relations.map((relation, index) => {
    const { from, order } = fromRelated(relation, database, key);
    const printed = sql`select ${printText(relation.target.columns.values(), createMasking(relation, database))} as ${sql.ref(PRINTED)} ${from} ${order}`;
    // The row count before the list shows whether it was cut, without parsing it.
    const text = sql`count(*) || '[' || coalesce(group_concat(${sql.ref(PRINTED)}), '') || ']'`;
    return sql`(select ${text} from (${printed})) as ${sql.ref(toListName(index))}`;
  });
  const columns = sql.join([printRow(source.columns.values(), { source, rows, sight, dialect }).list, ...lists]);
  return isMany
    ? sql`select ${sql.ref(`${SOUGHT}.key`)} as ${sql.ref(DETAIL_KEY)}, ${columns} from json_each(${new Slot(0)}) as ${sql.ref(SOUGHT)} cross join ${sql.table(source.schema.table)} as t ${joinAll(source, dialect, sight)} ${where(parts)}`
    : sql`select ${columns} ${fromJoined(source, dialect, sight)} ${where(parts)} limit 1`;
}

/** Compiles a row without its lists, by the value of a column in slot 0. */
export function compileNamed(
  column: SourceColumn,
  { source, wanted, rows, sight }: Omit<DetailInput, 'relations'>,
  dialect: Dialect,
): Fragment {
  const parts: Fragment[] = [sql`${buildRef(column)} = ${new Slot(0)}`, ...activeConditions(source, wanted)];
  if (rows !== undefined) parts.push(buildRowTest(rows, dialect));
  const list = selectList(source.columns.values(), { source, rows, sight, dialect });
  // Several rows may have the same slug: the oldest is meant, of removed ones the newest.
  const order = wanted === 'removed' ? sql`${buildRef(source.primary)} desc` : buildRef(source.primary);
  return sql`select ${list} ${fromJoined(source, dialect, sight)} ${where(parts)} order by ${order} limit 1`;
}

/** What {@link compileDetail} reads for a key. Call what it returns with the found row, for the rows that are joined to it and its lists. */
export function addDetail(
  rows: RowsRead,
  { source, relations }: DetailInput,
  key: unknown,
): (found: Row | undefined) => void {
  rows.add(source.schema.table, source.primary.column, [key]);
  const settle = rows.addJoined(source);
  const lists = relations.map(({ relation, target }) => {
    rows.addRelated(relation, target, [key]);
    return target.joins.length === 0 ? undefined : rows.addJoined(target);
  });
  return (found) => {
    if (source.joins.length > 0) settle(found ? [parsePrinted(found, source.hasReals)] : []);
    for (const [index, settleList] of lists.entries()) settleList?.(found ? parseList(found, index).rows() : []);
  };
}

interface DetailList {
  readonly text: string;
  readonly isCut: boolean;
  rows(): Row[];
}

/** A list of a row found by {@link compileDetail}. */
function parseList(found: Row, index: number): DetailList {
  const printed = found[toListName(index)] as string;
  const start = printed.indexOf('[');
  const text = printed.slice(start);
  const isCut = Number(printed.slice(0, start)) > DETAIL_ROWS;
  return { text, isCut, rows: () => JSON.parse(text) as Row[] };
}

/** The row found by {@link compileDetail}; its lists stay text until they are read. */
export function toDetailRow(found: Row | undefined, { source, relations }: DetailInput): Row | undefined {
  if (!found) return undefined;
  const row = parsePrinted(found, source.hasReals);
  for (const [index, { relation, target }] of relations.entries()) {
    const list = parseList(found, index);
    if (list.isCut) row[toMoreName(relation)] = true;
    if (list.isCut || target.hasReals) row[relation.name] = list.rows().slice(0, DETAIL_ROWS);
    else setJsonText(row, relation.name, list.text);
  }
  return row;
}
