import { toStamp } from '../../core/clock.ts';
import type { Row } from '../../database/row-statement.ts';
import type { Context } from '../../plan/feature.ts';
import { findShownDetails, isDefinition, type VisibleEntry } from './visible.ts';

/**
 * Names of columns in the order of the schema's file, then the others, such as keys of rows. PostgreSQL stores the keys of
 * an entry by their length.
 */
export function toFileOrder(context: Context, subject: string, names: readonly string[]): string[] {
  const schema = isDefinition(subject) ? undefined : context.plan.model.schemas.get(subject);
  if (schema === undefined) return [...names].sort();
  const places = new Map(schema.columns.map(({ name }, place) => [name, place]));
  const toPlace = (name: string): number => places.get(name) ?? places.size;
  return [...names].sort((one, other) => toPlace(one) - toPlace(other) || (one < other ? -1 : 1));
}

/** An entry as events give it, without what the viewer may not see. Times are UTC. */
export async function toView(context: Context, visible: VisibleEntry): Promise<Row> {
  const { id, subject, rowId, authId, createdAt, entry } = visible.stored;
  const { action, door, source, app, address, request, changes } = entry;
  return {
    history_id: id,
    kind: isDefinition(subject) ? 'definition' : 'row',
    subject,
    row_id: rowId ?? null,
    action,
    created: toStamp(createdAt * 1000),
    auth_id: authId ?? null,
    app_id: app ?? null,
    door,
    source: source ?? null,
    address: address ?? null,
    request_id: request ?? null,
    columns: toFileOrder(context, subject, Object.keys(changes ?? {}).filter(visible.shows)),
    details: await findShownDetails(context, visible),
  };
}
