import { toStamp } from '../../core/clock.ts';
import type { Row } from '../../database/database.ts';
import type { Context } from '../../plan/feature.ts';
import { findShownDetails, isDefinition, type VisibleEntry } from './visible.ts';

/** An entry as events give it, without what the person who asks may not see. Times are UTC. */
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
    columns: Object.keys(changes ?? {}).filter(visible.shows),
    details: await findShownDetails(context, visible),
  };
}
