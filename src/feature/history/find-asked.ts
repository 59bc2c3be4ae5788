import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { findEntry, type StoredEntry } from './read-sql.ts';
import { isDefinition, keepVisible } from './visible.ts';

/** Finds the entry by the stage's `history_id`. If it does not exist or the caller may not see it, sets the error and returns undefined. */
export async function needEntry(
  context: Context,
  request: Request,
  response: Response,
): Promise<StoredEntry | undefined> {
  const id = Number(request.getStage('history_id'));
  const found = Number.isSafeInteger(id) && id > 0 ? await findEntry(context.services.database, id) : undefined;
  const [entry] = found ? await keepVisible(context, [found]) : [];
  if (entry === undefined) response.refuse({ status: 404, message: 'No log data found.' });
  return entry;
}

/** An entry of a row, with its schema. */
export interface RowEntry {
  readonly entry: StoredEntry;
  readonly schema: SchemaModel;
  readonly rowId: number;
}

/** {@link needEntry}, of a row whose schema is still there. */
export async function needRowEntry(
  context: Context,
  request: Request,
  response: Response,
): Promise<RowEntry | undefined> {
  const entry = await needEntry(context, request, response);
  if (entry === undefined) return undefined;
  const schema = isDefinition(entry.subject) ? undefined : context.plan.model.schemas.get(entry.subject);
  if (schema && entry.rowId !== undefined) return { entry, schema, rowId: entry.rowId };
  response.refuse({ status: 422, message: 'The entry belongs to no row, or its schema is gone.' });
  return undefined;
}
