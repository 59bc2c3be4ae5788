/** Lists that are still JSON text, by the object that holds them and their key. */
const lists = new WeakMap<object, Map<string, Unread>>();

/** The texts of the items, or the text of the whole list. */
type Unread = readonly string[] | string;

const toText = (unread: Unread): string => (typeof unread === 'string' ? unread : `[${unread.join(',')}]`);

/**
 * Sets a property to a list whose items are JSON texts, as a database made them. Read as any property it is an
 * ordinary array, parsed when first looked at; printed unread by {@link toJson} its texts go out as they are, which saves
 * making each value twice.
 */
export function setJsonList(target: object, key: string, texts: readonly string[]): void {
  setUnread(target, key, texts);
}

/** The same for a list that is one JSON text. */
export function setJsonText(target: object, key: string, text: string): void {
  setUnread(target, key, text);
}

function setUnread(target: object, key: string, unread: Unread): void {
  const known = lists.get(target) ?? new Map<string, Unread>();
  known.set(key, unread);
  lists.set(target, known);
  const settle = (value: unknown): unknown => {
    known.delete(key);
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(target, key, {
    enumerable: true,
    configurable: true,
    get: () => settle(JSON.parse(toText(unread))),
    set: settle,
  });
}

/** Length of the list at a key, without looking at its items; undefined where no list is. */
export function findListLength(target: unknown, key: string): number | undefined {
  if (typeof target !== 'object' || target === null) return undefined;
  const unread = lists.get(target)?.get(key);
  if (typeof unread === 'object') return unread.length;
  const value = (target as Record<string, unknown>)[key];
  return Array.isArray(value) ? value.length : undefined;
}

/** Prints a value as `JSON.stringify` does, taking the unread lists of the value itself as they are. */
export function toJson(value: unknown): string {
  const known = typeof value === 'object' && value !== null ? lists.get(value) : undefined;
  if (!known || known.size === 0) return JSON.stringify(value) ?? 'null';
  // What is no list is printed at once, lists before or after it: printing value by value costs more than its order is worth.
  const rest: Record<string, unknown> = {};
  const first: string[] = [];
  const last: string[] = [];
  const progress = { isAfter: false };
  for (const key of Object.keys(value as object)) {
    const unread = known.get(key);
    // A property that was deleted and set again is no longer ours.
    if (unread !== undefined && Object.getOwnPropertyDescriptor(value, key)?.get) {
      (progress.isAfter ? last : first).push(`${JSON.stringify(key)}:${toText(unread)}`);
    } else {
      progress.isAfter = true;
      rest[key] = (value as Record<string, unknown>)[key];
    }
  }
  const middle = JSON.stringify(rest).slice(1, -1);
  return `{${[...first, ...(middle === '' ? [] : [middle]), ...last].join(',')}}`;
}

/** The text of a successful answer: one form for the wire and for an answer that is kept. */
export const toEnvelope = (results: unknown): string => `{"error":false,"results":${toJson(results ?? null)}}`;
