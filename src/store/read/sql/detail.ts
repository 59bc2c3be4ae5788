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
import {
  findMask,
  isPrintable,
  type Masking,
  PRINTED,
  parsePrinted,
  parseRow,
  parseRowList,
  printRow,
  printText,
} from './printed.ts';
import { activeConditions, fromJoined, joinAll, selectList, where } from './select.ts';

/** A row with all its relations, by its primary key in slot 0; the values of rules follow. */
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

/** The alias of the row itself, where the key of a row that it refers to is read. */
const OWN = 'treadle_own';

const toRelatedName = (index: number): string => `treadle_related_${index}`;

/**
 * True if the database can format the row and its relations as JSON in one statement, which saves round trips to its
 * thread.
 */
export function isOneStatement({ source, relations }: DetailInput, database: Database): boolean {
  return (
    isPrintable(source.columns.size, database) &&
    relations.every(({ target }) => isPrintable(target.columns.size, database))
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

/** A row and how it is found. */
interface Parent {
  readonly source: Source;
  readonly key: Fragment;
  readonly masking: Masking;
}

/** The related rows of a row as one JSON text: a list after the number of its rows, or an object or null. */
function printRelated(input: RelatedInput, { source, key, masking }: Parent, database: Database): Fragment {
  const { relation, target } = input;
  const text = printText(target.columns.values(), createMasking(input, database));
  if (isList(relation)) {
    const { from, order } = fromRelated(input, database, key);
    const printed = sql`select ${text} as ${sql.ref(PRINTED)} ${from} ${order}`;
    // The row count before the list shows whether it was cut, without parsing it.
    return sql`(select count(*) || '[' || coalesce(group_concat(${sql.ref(PRINTED)}), '') || ']' from (${printed}))`;
  }
  const column = source.columns.get(relation.targetColumn ?? '');
  // Who may not see the column may not see what it refers to.
  if (column === undefined) return sql`null`;
  const own = (name: string): Fragment => sql`${sql.ref(`${OWN}.${name}`)}`;
  const other = sql`(select ${own(column.column)} from ${sql.table(source.schema.table)} as ${sql.ref(OWN)} where ${own(source.schema.primary)} = ${key})`;
  const { from } = fromRelated(input, database, other);
  const mask = findMask(column, masking);
  const found = sql`(select ${text} ${from} limit 1)`;
  return mask === undefined ? found : sql`case when ${mask} then ${found} end`;
}

/**
 * Compiles a row and its relations, each as one JSON text.
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
  const masking: Masking = { source, rows, sight, dialect };
  const related = relations.map((relation, index) => {
    return sql`${printRelated(relation, { source, key, masking }, database)} as ${sql.ref(toRelatedName(index))}`;
  });
  const columns = sql.join([printRow(source.columns.values(), masking).list, ...related]);
  return isMany
    ? sql`select ${sql.ref(`${SOUGHT}.key`)} as ${sql.ref(DETAIL_KEY)}, ${columns} from json_each(${new Slot(0)}) as ${sql.ref(SOUGHT)} cross join ${sql.table(source.schema.table)} as t ${joinAll(source, dialect, sight)} ${where(parts)}`
    : sql`select ${columns} ${fromJoined(source, dialect, sight)} ${where(parts)} limit 1`;
}

/** Compiles a row without its relations, by the value of a column in slot 0. */
export function compileNamed(
  column: SourceColumn,
  { source, wanted, rows, sight }: Omit<DetailInput, 'relations'>,
  dialect: Dialect,
): Fragment {
  const parts: Fragment[] = [sql`${buildRef(column, dialect)} = ${new Slot(0)}`, ...activeConditions(source, wanted)];
  if (rows !== undefined) parts.push(buildRowTest(rows, dialect));
  const list = selectList(source.columns.values(), { source, rows, sight, dialect });
  // Several rows may have the same slug: the oldest is meant, of removed ones the newest.
  const order = wanted === 'removed' ? sql`${buildRef(source.primary)} desc` : buildRef(source.primary);
  return sql`select ${list} ${fromJoined(source, dialect, sight)} ${where(parts)} order by ${order} limit 1`;
}

/** What {@link compileDetail} reads for a key. Call what it returns with the found row, for the rows that are joined to it and its relations. */
export function addDetail(
  rows: RowsRead,
  { source, relations }: DetailInput,
  key: unknown,
): (found: Row | undefined) => void {
  rows.add(source.schema.table, source.primary.column, [key]);
  const settle = rows.addJoined(source);
  const targets = relations.map((input, index) => addRelatedOf(rows, input, { source, key, index }));
  const needsRow = source.joins.length > 0 || relations.some(({ relation }) => !isList(relation));
  return (found) => {
    const row = found && needsRow ? parsePrinted(found, source.hasReals) : undefined;
    if (source.joins.length > 0) settle(row ? [row] : []);
    for (const settleRelated of targets) settleRelated(found, row);
  };
}

/** What one relation of a row reads. Call what it returns with the found row, and with its columns if a 1:0 relation is among them. */
function addRelatedOf(
  rows: RowsRead,
  { relation, target }: RelatedInput,
  { source, key, index }: { readonly source: Source; readonly key: unknown; readonly index: number },
): (found: Row | undefined, row: Row | undefined) => void {
  const settle = isList(relation) ? undefined : rows.addReferred(target.schema);
  if (settle === undefined) rows.addRelated(relation, target, [key]);
  // The key of the other row is read from the row itself.
  else rows.add(source.schema.table, source.primary.column, [key]);
  const settleJoined = target.joins.length === 0 ? undefined : rows.addJoined(target);
  return (found, row) => {
    settle?.(row === undefined ? [] : [row[relation.targetColumn ?? '']]);
    settleJoined?.(found ? parseRelated(found, relation, index) : []);
  };
}

/** The related rows of a row found by {@link compileDetail}. */
function parseRelated(found: Row, relation: RelatedInput['relation'], index: number): Row[] {
  const text = found[toRelatedName(index)];
  if (typeof text !== 'string') return [];
  return isList(relation) ? parseRowList(text.slice(text.indexOf('['))) : [parseRow(text)];
}

/** The row found by {@link compileDetail}; its relations stay text until they are read. */
export function toDetailRow(found: Row | undefined, { source, relations }: DetailInput): Row | undefined {
  if (!found) return undefined;
  const row = parsePrinted(found, source.hasReals);
  for (const [index, { relation, target }] of relations.entries()) {
    const text = found[toRelatedName(index)];
    if (typeof text !== 'string') row[relation.name] = null;
    else if (isList(relation)) putList(row, text, { relation, target });
    else if (target.hasReals) row[relation.name] = JSON.parse(text);
    else setJsonText(row, relation.name, text);
  }
  return row;
}

function putList(row: Row, text: string, { relation, target }: Pick<RelatedInput, 'relation' | 'target'>): void {
  const start = text.indexOf('[');
  const list = text.slice(start);
  const isCut = Number(text.slice(0, start)) > DETAIL_ROWS;
  if (isCut) row[toMoreName(relation)] = true;
  if (isCut || target.hasReals) row[relation.name] = parseRowList(list).slice(0, DETAIL_ROWS);
  else setJsonText(row, relation.name, list);
}
