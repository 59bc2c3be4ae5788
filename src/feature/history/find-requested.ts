import type { SchemaModel } from '../../model/model.ts';
import { Rejection, reject } from '../../plan/event/event.ts';
import type { Context } from '../../plan/feature.ts';
import { findEntry } from './read-sql.ts';
import { filterVisible, isDefinition, type VisibleEntry } from './visible.ts';

/** The entry of an id, if it exists and the caller may see it. */
export async function needEntry(context: Context, id: number): Promise<VisibleEntry | Rejection> {
  const found = id > 0 ? await findEntry(context.services.database, id) : undefined;
  const [entry] = found ? await filterVisible(context, [found]) : [];
  return entry ?? reject({ status: 404, code: 'VERSION_MISSING', message: 'No log data found.' });
}

/** An entry of a row, with its schema. */
interface RowEntry {
  readonly entry: VisibleEntry;
  readonly schema: SchemaModel;
  readonly rowId: number;
}

/** {@link needEntry}, of a row whose schema is still there. */
export async function needRowEntry(context: Context, id: number): Promise<RowEntry | Rejection> {
  const entry = await needEntry(context, id);
  if (entry instanceof Rejection) return entry;
  const { subject, rowId } = entry.stored;
  const schema = isDefinition(subject) ? undefined : context.plan.model.schemas.get(subject);
  if (schema && rowId !== undefined) return { entry, schema, rowId };
  return reject({
    status: 422,
    code: 'VERSION_UNUSABLE',
    message: 'The entry belongs to no row, or its schema is gone.',
  });
}
