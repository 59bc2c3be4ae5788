import { findReadable, getAccess } from '../../core/access.ts';
import type { Response } from '../../core/response.ts';
import type { Row } from '../../database/database.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { getSearcher, type Reach } from '../../query/searcher.ts';

/**
 * A row as a detail would show it to whoever writes it; its id alone where a detail would not. Undefined where a detail
 * shows all that the write reaches, so that nothing has to be read again.
 */
export async function readShown(
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

/** Replaces the written row in the answer by what a detail shows of it: web hooks have had the whole row by then. */
export function answerShown(response: Response, shown: Row | undefined): void {
  if (shown !== undefined && !response.isError()) response.setResults(shown);
}

/** A shown row after a change: what it shows of the schema's own columns is as the change left it. */
export const toShownChange = (shown: Row, changed: Row, { row }: SchemaModel): Row => ({
  ...shown,
  ...Object.fromEntries(row.stored.filter((name) => Object.hasOwn(shown, name)).map((name) => [name, changed[name]])),
});
