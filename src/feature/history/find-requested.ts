import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { findEntry } from './read-sql.ts';
import { filterVisible, isDefinition, type VisibleEntry } from './visible.ts';

/** Finds the entry by the stage's `history_id`. If it does not exist or the caller may not see it, sets the error and returns undefined. */
export async function needEntry(
  context: Context,
  request: Request,
  response: Response,
): Promise<VisibleEntry | undefined> {
  const id = Number(request.getStage('history_id'));
  const found = Number.isSafeInteger(id) && id > 0 ? await findEntry(context.services.database, id) : undefined;
  const [entry] = found ? await filterVisible(context, [found]) : [];
  if (entry === undefined) response.refuse({ status: 404, message: 'No log data found.' });
  return entry;
}

/** An entry of a row, with its schema. */
export interface RowEntry {
  readonly entry: VisibleEntry;
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
  const { subject, rowId } = entry.stored;
  const schema = isDefinition(subject) ? undefined : context.plan.model.schemas.get(subject);
  if (schema && rowId !== undefined) return { entry, schema, rowId };
  response.refuse({ status: 422, message: 'The entry belongs to no row, or its schema is gone.' });
  return undefined;
}
