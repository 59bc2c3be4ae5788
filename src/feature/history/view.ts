import { toStamp } from '../../core/clock.ts';
import type { Row } from '../../database/database.ts';
import type { StoredEntry } from './read-sql.ts';
import { isDefinition } from './visible.ts';

/** An entry as events give it. Times are UTC. */
export function toView({ id, subject, rowId, authId, createdAt, entry }: StoredEntry): Row {
  const { action, door, source, app, address, request, changes, details } = entry;
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
    columns: Object.keys(changes ?? {}),
    details: details ?? null,
  };
}
