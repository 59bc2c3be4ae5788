import { compileNamePattern, isNamePattern } from '../core/bus/pattern.ts';

/** Events with one row of the stage's schema as results. */
const ROW_EVENTS: readonly string[] = ['create', 'remove', 'restore', 'update'].map(
  (action) => `system-model-${action}`,
);

/** True if a hook's data are a row of the schema in its `parameters`, so that the columns are known. */
export function hasRow(event: string): boolean {
  return ROW_EVENTS.some(compileHookEvent(event));
}

/** Events that only read although their name does not show it. */
const READS: readonly string[] = [
  'api-expect',
  'api-refuse',
  'app-traffic',
  'oauth-introspect',
  'rest-resource',
  'webhook-figures',
];

/** True if an event changes nothing, judging by its name: a search, a detail, the rendering of a page. */
export const isRead = (event: string): boolean => /-(?:search|detail)$|-render-/.test(event) || READS.includes(event);

/**
 * Compiles the `event` of a hook to a test of event names. A pattern does not match events that only read: it
 * is meant for changes, and would report every read. A full name matches any event.
 */
export function compileHookEvent(wanted: string): (event: string) => boolean {
  if (!isNamePattern(wanted)) return (event) => event === wanted;
  const pattern = compileNamePattern(wanted);
  return (event) => pattern.test(event) && !isRead(event);
}

/** The event with the previous row in its data. */
export const UPDATE = 'system-model-update';
/**
 * What an update's data contain in addition to the row: the previous row, and the names of the changed
 * columns.
 */
export const ORIGINAL = 'original';
export const CHANGED = 'changed';

type Sample = Readonly<Record<string, unknown>>;

function toFormer(value: unknown): unknown {
  if (typeof value === 'number') return value > 0 ? value - 1 : value + 1;
  return typeof value === 'string' ? `${value} before` : null;
}

/** The changed column that a hook's filter waits for; undefined if any. */
function findWaited(filter: Sample): string | undefined {
  const { has }: { readonly has?: unknown } = filter[CHANGED] ?? {};
  return [has].flat().find((name): name is string => typeof name === 'string');
}

/**
 * A sample row as the data of an event. For an update one column has changed: the one that the filter waits
 * for, else the first text column.
 *
 * @param fields The columns to send. Default: all.
 */
export function toEventSample(
  row: Sample,
  hook: {
    readonly event: string;
    readonly filter?: Sample | undefined;
    readonly fields?: readonly string[] | undefined;
  },
): Record<string, unknown> {
  const { event, filter = {}, fields } = hook;
  const sent = fields === undefined ? row : Object.fromEntries(fields.filter((n) => n in row).map((n) => [n, row[n]]));
  if (event !== UPDATE) return { ...sent };
  const waited = findWaited(filter);
  const names = Object.keys(sent);
  const name = waited !== undefined && waited in row ? waited : names.find((each) => typeof row[each] === 'string');
  const isSent = name !== undefined && name in sent;
  return {
    ...sent,
    [ORIGINAL]: isSent ? { ...sent, [name]: toFormer(row[name]) } : { ...sent },
    [CHANGED]: isSent ? [name] : [],
  };
}
