import { findReadable, getAccess } from '../../core/access.ts';
import type { Response } from '../../core/response.ts';
import type { Row } from '../../database/database.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { getSearcher, type Reach } from '../../query/searcher.ts';

/**
 * A written row as the caller's `detail` grant shows it; only the id if the grant does not reach the row.
 * Undefined if `detail` shows everything that the write reaches: then no second read is needed.
 */
export async function readVisible(
  context: Context,
  schema: SchemaModel,
  id: number,
  reach: Reach,
): Promise<Row | undefined> {
  const access = getAccess();
  const detail = access.grant(schema.name, 'detail');
  const read = findReadable(access, schema.name);
  if (read === undefined && reach.see === undefined && detail?.rows === reach.rows) return undefined;
  const { database } = context.services;
  const by = { column: schema.primary, value: id };
  const options = { rows: detail?.rows, read, see: reach.see, includesRemoved: true, relations: [] };
  const row = detail && (await getSearcher(context.plan.model).detail(database, schema.name, by, options));
  return row ?? { [schema.primary]: id };
}

/**
 * Replaces the written row in the response by its visible part. Call it after the web hooks took the whole row.
 */
export function answerVisible(response: Response, shown: Row | undefined): void {
  if (shown !== undefined && !response.isError()) response.setResults(shown);
}

/** The visible row with the changed values of the schema's own columns. */
export const toVisibleChange = (shown: Row, changed: Row, { row }: SchemaModel): Row => ({
  ...shown,
  ...Object.fromEntries(row.stored.filter((name) => Object.hasOwn(shown, name)).map((name) => [name, changed[name]])),
});
