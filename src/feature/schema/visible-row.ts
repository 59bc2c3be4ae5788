import { findReadable, getAccess } from '../../core/access.ts';
import { memoize } from '../../core/memoize.ts';
import type { Response } from '../../core/request/response.ts';
import type { Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import type { Reach } from '../../store/read/source/view.ts';

type Columns = ReadonlySet<string> | undefined;

const intersect = (one: Columns, other: Columns): Columns =>
  one === undefined || other === undefined ? (one ?? other) : new Set([...one].filter((name) => other.has(name)));

/** True if `detail` shows all of a row that the write reaches: then no second read is needed. */
export function isWholeVisible(schema: SchemaModel, reach: Reach): boolean {
  const access = getAccess();
  const read = intersect(findReadable(access, schema.name), reach.read);
  return read === undefined && isOpenAround(schema, reach) && access.grant(schema.name, 'detail')?.rows === reach.rows;
}

/** The schemas whose rows a row shows something of: those of its 1:1 relations, and those that values are computed of. */
const listAround = memoize(({ columns, row }: SchemaModel): readonly string[] => {
  const computed = [...columns, ...row.flat.flatMap(({ model }) => model ?? [])].flatMap(
    (column) => column.computed ?? [],
  );
  const counted = computed.flatMap(({ related }) => related.map(({ schema }) => schema));
  return [...new Set([...row.flat.map(({ target }) => target), ...counted])];
});

/** True if all that a row shows of other schemas is seen completely. */
const isOpenAround = (schema: SchemaModel, { see }: Reach): boolean =>
  see === undefined ||
  listAround(schema).every((name) => {
    const grant = see(name);
    return grant !== undefined && grant.rows === undefined && grant.read === undefined;
  });

/**
 * A written row as the caller's `detail` grant shows it; only the id if the grant does not reach the row.
 * Undefined if it is {@link isWholeVisible}.
 */
export function readVisible(context: Context, schema: SchemaModel, id: number, reach: Reach): Promise<Row> | undefined {
  return isWholeVisible(schema, reach) ? undefined : readPart(context, schema, id, reach);
}

async function readPart(context: Context, schema: SchemaModel, id: number, reach: Reach): Promise<Row> {
  const access = getAccess();
  const detail = access.grant(schema.name, 'detail');
  const read = intersect(findReadable(access, schema.name), reach.read);
  const { database } = context.services;
  const by = { column: schema.primary, value: id };
  const options = { rows: detail?.rows, read, see: reach.see, includesRemoved: true, relations: [] };
  const row = detail && (await getSearcher(context.plan.model).detail(database, schema.name, by, options));
  return row ?? { [schema.primary]: id };
}

/**
 * Replaces the written row in the response by its visible part, with what `after` listeners changed. Call it after the web
 * hooks took the whole row.
 */
export function answerVisible(response: Response, shown: Row | undefined, changes: Row): void {
  if (shown !== undefined && !response.isError()) response.setResults({ ...shown, ...changes });
}

/** The visible row after a change: a changed value shows where the value before it did. */
export const toVisibleChange = (shown: Row, before: Row, changed: Row): Row => ({
  ...shown,
  ...Object.fromEntries(
    Object.entries(changed).filter(([name, value]) => value !== before[name] && shown[name] === before[name]),
  ),
});
