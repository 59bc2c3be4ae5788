import { compileNamePattern, isNamePattern } from '../core/pattern.ts';

/** Events whose results are one row of the schema in their stage. */
const ROW_EVENTS: readonly string[] = ['create', 'remove', 'restore', 'update'].map(
  (action) => `system-model-${action}`,
);

/** Whether a hook's data are a row of the schema that its `parameters` name: then its columns are known. */
export function hasRow(event: string): boolean {
  return ROW_EVENTS.some(compileHookEvent(event));
}

/** Events that only read, beside those that their name tells of. */
const READS: readonly string[] = ['api-refuse', 'app-traffic', 'oauth-introspect', 'rest-resource', 'webhook-figures'];

/** Whether an event changes nothing, going by its name: a search, a detail, the making of a page. */
export const isRead = (event: string): boolean => /-(?:search|detail)$|-render-/.test(event) || READS.includes(event);

/**
 * Reads the `event` of a hook, as the test of which events fire it. A pattern leaves out what only reads: it is written
 * for what happens to the rows, and each look at them would be told of. A name in full fires on any event.
 */
export function compileHookEvent(wanted: string): (event: string) => boolean {
  if (!isNamePattern(wanted)) return (event) => event === wanted;
  const pattern = compileNamePattern(wanted);
  return (event) => pattern.test(event) && !isRead(event);
}

/** The event whose data tell what was, too. */
export const UPDATE = 'system-model-update';
/** What an update has beside the row: as it was, and the names of the columns that are not as they were. */
export const ORIGINAL = 'original';
export const CHANGED = 'changed';

type Sample = Readonly<Record<string, unknown>>;

function toFormer(value: unknown): unknown {
  if (typeof value === 'number') return value > 0 ? value - 1 : value + 1;
  return typeof value === 'string' ? `${value} before` : null;
}

/** The column that a hook waits for a change of, as its filter says it; undefined where it waits for any. */
function findWaited(filter: Sample): string | undefined {
  const { has } = (filter[CHANGED] ?? {}) as { readonly has?: unknown };
  return [has].flat().find((name): name is string => typeof name === 'string');
}

/**
 * A sample row as the data of an event: that of an update has one column changed, the one that the filter waits for or
 * else the first text.
 *
 * @param fields The columns that are sent; all where left out.
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
