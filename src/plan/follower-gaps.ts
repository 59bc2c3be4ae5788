import type { Problem } from '../core/errors.ts';
import { findOwn } from '../core/record.ts';
import { isRead } from '../model/hook-event.ts';
import type { CompiledPlan } from './compile.ts';
import { toPlace } from './place.ts';

/** What an import does with rows, without these events. */
const WRITES: Readonly<Record<string, string>> = { 'system-model-create': 'created', 'system-model-update': 'changed' };
const IMPORT = 'system-model-import';

/**
 * Advice on `after` listeners of created or changed rows without one for imports: an import writes rows in batches and emits
 * no event for each of them, so a rule of the code does not hold for imported rows.
 */
function findImportGaps({ bus }: CompiledPlan): Problem[] {
  const { followers } = bus;
  if (bus.hears(IMPORT)) return [];
  return followers.list().flatMap(({ event, schemas, place }): Problem[] => {
    const done = findOwn(WRITES, String(event));
    if (done === undefined) return [];
    const open = [...(schemas ?? [])].filter((schema) => !followers.hears(IMPORT, schema));
    if (schemas === undefined ? followers.hears(IMPORT) : open.length === 0) return [];
    const rows = schemas === undefined ? 'rows' : `rows of ${open.map((schema) => `"${schema}"`).join(', ')}`;
    const of = schemas === undefined ? '' : `, { schema: '${open[0]}' }`;
    const message = `app.after('${String(event)}') does not run for ${rows} that an import has ${done}, and nothing follows imports.`;
    const hint = `An import emits "${IMPORT}" once, for all of its rows: add app.after('${IMPORT}'${of}, …).`;
    return [{ code: 'AFTER_IMPORT_MISSING', ...toPlace(place), message, hint, severity: 'advice' }];
  });
}

/** Warns of `app.committed` on events that commit nothing: it never runs. */
function findIdleCommitted({ draft, events }: CompiledPlan): Problem[] {
  return draft.committed.list().flatMap(({ event, place }): Problem[] => {
    const own = events.find((other) => other.event === event);
    if (own === undefined || (own.commits !== 'nothing' && !isRead(own.event))) return [];
    const message = `app.committed('${own.event}') is meant for changes, but the event changes nothing.`;
    const hint = 'Name an event that changes something, such as "system-model-create".';
    return [{ code: 'COMMITTED_EVENT_IDLE', ...toPlace(place), message, hint, severity: 'advice' }];
  });
}

/** Problems of what the code hangs on events, and of what it leaves open. */
export const findFollowerGaps = (plan: CompiledPlan): Problem[] => [
  ...findImportGaps(plan),
  ...findIdleCommitted(plan),
];
