import type { Access, Action } from '../core/access.ts';
import type { Row } from '../database/row-statement.ts';
import type { SchemaModel } from '../model/model.ts';
import { type JudgeWorld, judgeRows } from '../store/read/judge.ts';
import { getSearcher } from '../store/read/searcher.ts';

/** The columns of one row that a person may see. */
export interface VisibleColumns {
  /** True if every column shows, also one that the schema had before and has no more. */
  readonly isWhole: boolean;
  has(column: string): boolean;
}

const WHOLE: VisibleColumns = Object.freeze({ isWhole: true, has: () => true });

/** True if a person sees every column of every row, so that no row needs a check. */
export function isWhollyVisible(access: Access, { name }: SchemaModel): boolean {
  const grant = access.grant(name, 'detail');
  return grant !== undefined && grant.rows === undefined && grant.read === undefined;
}

function toColumns(schema: SchemaModel, read: ReadonlySet<string> | undefined, masked: ReadonlySet<string>) {
  if (read === undefined && masked.size === 0) return WHOLE;
  const { row } = schema;
  const ids = new Set([schema.primary, ...row.keys.map(({ column }) => column)]);
  const stored = new Set(row.stored);
  const has = (name: string): boolean =>
    ids.has(name) || (stored.has(name) && read?.has(name) !== false && !masked.has(name));
  return { isWhole: false, has };
}

/** The computed columns that hide with the column of related rows that they are summed of. */
function listUnread(
  { model }: JudgeWorld,
  { related: see }: Access,
  { name, columns }: SchemaModel,
): readonly string[] {
  const counting = columns.filter(({ computed }) => computed !== undefined && computed.related.length > 0);
  if (see === undefined || counting.length === 0) return [];
  const shown = getSearcher(model).source(name, { see }).columns;
  return counting.map((column) => column.name).filter((column) => !shown.has(column));
}

/**
 * Says which columns of these rows a person may see. Everything that shows a row without a search or a detail calls it: the
 * history, the download of one's data, accounts.
 *
 * @param rows Rows of the schema's own table with every stored column, as they are or as they were.
 * @param action The grant that decides. Default: `detail`.
 * @returns For each row its columns; undefined where the row itself is hidden.
 */
export async function findVisibleColumns(
  world: JudgeWorld,
  access: Access,
  schema: SchemaModel,
  rows: readonly Row[],
  action: Action = 'detail',
): Promise<readonly (VisibleColumns | undefined)[]> {
  const grant = access.grant(schema.name, action);
  if (grant === undefined) return rows.map(() => undefined);
  const { rows: predicate, read } = grant;
  const unread = listUnread(world, access, schema);
  if (predicate === undefined) {
    const columns = toColumns(schema, read, new Set(unread));
    return rows.map(() => columns);
  }
  const verdicts = await judgeRows(world, schema.name, rows, predicate);
  return verdicts.map((verdict) => verdict && toColumns(schema, read, new Set([...verdict.masked, ...unread])));
}

/** The part of a row that shows. */
export const pickVisible = (row: Row, columns: VisibleColumns): Row =>
  columns.isWhole ? row : Object.fromEntries(Object.entries(row).filter(([name]) => columns.has(name)));

/** As {@link findVisibleColumns}: the rows without their hidden columns; undefined for a hidden row. */
export async function showRows(
  world: JudgeWorld,
  access: Access,
  schema: SchemaModel,
  rows: readonly Row[],
): Promise<readonly (Row | undefined)[]> {
  const visible = await findVisibleColumns(world, access, schema, rows);
  return rows.map((row, index) => {
    const columns = visible[index];
    return columns && pickVisible(row, columns);
  });
}
