import { BoundedMap } from '../bounded-map.ts';

/**
 * Holds an object's lists that are still JSON text, by key. Not enumerable, so that no copy has it. Not a WeakMap: an entry
 * for each request costs the garbage collector more than the request's own objects.
 */
const LISTS = Symbol('lists');

interface ListHolder {
  readonly [LISTS]?: Map<string, JsonTexts>;
}

/** JSON texts of the items, or of the whole list. */
type JsonTexts = readonly string[] | string;

const printUnread = (unread: JsonTexts): string => (typeof unread === 'string' ? unread : `[${unread.join(',')}]`);

/**
 * Sets a property to a list of items that are JSON texts from a database. Reading the property gives an
 * ordinary array, parsed on first access. {@link toJson} writes an unread list without parsing it.
 */
export function setJsonList(target: object, key: string, texts: readonly string[]): void {
  setUnread(target, key, texts);
}

/** The same for a list that is one JSON text. */
export function setJsonText(target: object, key: string, text: string): void {
  setUnread(target, key, text);
}

function setUnread(target: object, key: string, unread: JsonTexts): void {
  const known = (target as ListHolder)[LISTS] ?? new Map<string, JsonTexts>();
  if (known.size === 0) Object.defineProperty(target, LISTS, { value: known, configurable: true });
  known.set(key, unread);
  Object.defineProperty(target, key, getAccessor(key));
}

/** More than a project has relations. */
const MAX_ACCESSORS = 4096;
/**
 * One accessor for each key. V8 makes a hidden class for each different pair of functions and keeps it, with all that the
 * functions hold, until the next full collection.
 */
const accessors = new BoundedMap<PropertyDescriptor>(MAX_ACCESSORS);

function getAccessor(key: string): PropertyDescriptor {
  const known = accessors.get(key);
  if (known !== undefined) return known;
  const made: PropertyDescriptor & ThisType<ListHolder> = {
    enumerable: true,
    configurable: true,
    get() {
      const unread = this[LISTS]?.get(key);
      const value = unread === undefined ? undefined : JSON.parse(printUnread(unread));
      // An object that inherits the property leaves it unread for the others.
      if (Object.hasOwn(this, LISTS)) settle(this, key, value);
      return value;
    },
    set(value) {
      settle(this, key, value);
    },
  };
  accessors.set(key, made);
  return made;
}

function settle(target: ListHolder, key: string, value: unknown): void {
  if (Object.hasOwn(target, LISTS)) target[LISTS]?.delete(key);
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Length of the list at a key, without parsing its items; undefined if it is not a list. */
export function findListLength(target: unknown, key: string): number | undefined {
  if (typeof target !== 'object' || target === null) return undefined;
  const unread = (target as ListHolder)[LISTS]?.get(key);
  if (typeof unread === 'object') return unread.length;
  const value = (target as Record<string, unknown>)[key];
  return Array.isArray(value) ? value.length : undefined;
}

/** Like `JSON.stringify`, but writes unread lists of the value itself without parsing them. */
export function toJson(value: unknown): string {
  const known = typeof value === 'object' && value !== null ? (value as ListHolder)[LISTS] : undefined;
  if (!known || known.size === 0) return JSON.stringify(value) ?? 'null';
  // Stringify all other properties in one call; key order may change, but one call per property is slower.
  const rest: Record<string, unknown> = {};
  const first: string[] = [];
  const last: string[] = [];
  const progress = { isAfter: false };
  for (const key of Object.keys(value as object)) {
    const unread = known.get(key);
    // The property was deleted and set again.
    if (unread !== undefined && Object.getOwnPropertyDescriptor(value, key)?.get) {
      (progress.isAfter ? last : first).push(`${JSON.stringify(key)}:${printUnread(unread)}`);
    } else {
      progress.isAfter = true;
      rest[key] = (value as Record<string, unknown>)[key];
    }
  }
  const middle = JSON.stringify(rest).slice(1, -1);
  return `{${[...first, ...(middle === '' ? [] : [middle]), ...last].join(',')}}`;
}

/** JSON text of a successful response, the same for sending and for caching. */
export const toEnvelope = (results: unknown): string => `{"error":false,"results":${toJson(results ?? null)}}`;
