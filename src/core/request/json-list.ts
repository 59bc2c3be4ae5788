import { Buffer } from 'node:buffer';
import { BoundedMap } from '../bounded-map.ts';
import { isObject } from '../record.ts';

/** Items as UTF-8: a JSON text a line, with a comma at the end of each line but the last. A JSON text has no line break. */
export interface JsonLines {
  readonly bytes: Buffer;
  readonly count: number;
}

/** What is between two items. */
export const LINE_END = ',\n';
const NEW_LINE = 0x0a;

/** The first item; undefined if there is none. */
export function findFirstLine({ bytes, count }: JsonLines): string | undefined {
  if (count === 0) return undefined;
  const end = count === 1 ? bytes.length : bytes.indexOf(NEW_LINE) - 1;
  return bytes.toString('utf8', 0, end);
}

/** Where the last item begins. */
const findLast = ({ bytes }: JsonLines): number => bytes.lastIndexOf(NEW_LINE) + 1;

/** The last item; undefined if there is none. */
export const findLastLine = (lines: JsonLines): string | undefined =>
  lines.count === 0 ? undefined : lines.bytes.toString('utf8', findLast(lines));

/** All but the last item of some. */
export function dropLastLine(lines: JsonLines): JsonLines {
  const end = Math.max(findLast(lines) - LINE_END.length, 0);
  return { bytes: lines.bytes.subarray(0, end), count: lines.count - 1 };
}

/** Items from JSON texts. */
export const toJsonLines = (texts: readonly string[]): JsonLines => ({
  bytes: Buffer.from(texts.join(LINE_END)),
  count: texts.length,
});

/** The items with nothing but commas between them, as answers have them on every database. */
function joinLines({ bytes, count }: JsonLines): Buffer {
  const joined = Buffer.allocUnsafe(bytes.length - Math.max(count - 1, 0));
  let length = 0;
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(NEW_LINE, start);
    const end = found < 0 ? bytes.length : found;
    length += bytes.copy(joined, length, start, end);
    start = end + 1;
  }
  return joined;
}

/** The items from the last to the first. */
export const reverseLines = ({ bytes }: JsonLines): JsonLines =>
  toJsonLines(bytes.length === 0 ? [] : bytes.toString().split(LINE_END).reverse());

/**
 * Holds an object's lists that are still JSON text, by key. Not enumerable, so that no copy has it. Not a WeakMap: an entry
 * for each request costs the garbage collector more than the request's own objects.
 */
const LISTS = Symbol('lists');

interface ListHolder {
  readonly [LISTS]?: Map<string, JsonTexts>;
}

/** JSON texts of the items, or the JSON text of the whole value. */
type JsonTexts = readonly string[] | string | JsonLines;

function printUnread(unread: JsonTexts): string {
  if (typeof unread === 'string') return unread;
  return `[${'bytes' in unread ? joinLines(unread) : unread.join(',')}]`;
}

/**
 * Sets a property to a list of items that are JSON texts from a database. Reading the property gives an
 * ordinary array, parsed on first access. {@link toJson} writes an unread list without parsing it.
 */
export function setJsonList(target: object, key: string, texts: readonly string[]): void {
  setUnread(target, key, texts);
}

/** The same for items that are one text, as bytes: {@link printEnvelope} sends them without parsing them. */
export function setJsonLines(target: object, key: string, lines: JsonLines): void {
  setUnread(target, key, lines);
}

/** The same for a value that is one JSON text. */
export function setJsonText(target: object, key: string, text: string): void {
  setUnread(target, key, text);
}

function setUnread(target: ListHolder, key: string, unread: JsonTexts): void {
  const known = target[LISTS] ?? new Map<string, JsonTexts>();
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
  if (!isObject(target)) return undefined;
  const { [LISTS]: lists }: ListHolder = target;
  const unread = lists?.get(key);
  if (typeof unread === 'object') return 'bytes' in unread ? unread.count : unread.length;
  const value = target[key];
  return Array.isArray(value) ? value.length : undefined;
}

/** Parts of a JSON text; one that is bytes is UTF-8. */
type Part = string | Buffer;

/** The JSON text of a value in parts; unread lists of the value itself are not parsed. */
function printParts(value: unknown): readonly Part[] {
  if (!isObject(value)) return [JSON.stringify(value) ?? 'null'];
  const { [LISTS]: known }: ListHolder = value;
  if (!known || known.size === 0) return [JSON.stringify(value) ?? 'null'];
  // Stringify all other properties in one call; key order may change, but one call per property is slower.
  const rest: Record<string, unknown> = {};
  const first: Part[] = [];
  const last: Part[] = [];
  const progress = { isAfter: false };
  for (const key of Object.keys(value)) {
    const unread = known.get(key);
    // The property was deleted and set again.
    if (unread !== undefined && Object.getOwnPropertyDescriptor(value, key)?.get) {
      const list = progress.isAfter ? last : first;
      if (progress.isAfter || list.length > 0) list.push(',');
      if (typeof unread === 'object' && 'bytes' in unread)
        list.push(`${JSON.stringify(key)}:[`, joinLines(unread), ']');
      else list.push(`${JSON.stringify(key)}:${printUnread(unread)}`);
    } else {
      progress.isAfter = true;
      rest[key] = value[key];
    }
  }
  const middle = JSON.stringify(rest).slice(1, -1);
  const parts: Part[] = ['{', ...first, ...(first.length > 0 && middle !== '' ? [','] : []), middle];
  // Without properties in the middle, the first comma has nothing before it.
  return [...parts, ...(middle === '' && first.length === 0 ? last.slice(1) : last), '}'];
}

/** Like `JSON.stringify`, but writes unread lists of the value itself without parsing them. */
export const toJson = (value: unknown): string => printParts(value).join('');

const HEAD = '{"error":false,"results":';

/** JSON text of a successful response, the same for sending and for caching. */
export const toEnvelope = (results: unknown): string => `${HEAD}${toJson(results ?? null)}}`;

/** Bytes below which a text is sent as quickly. */
const LEAST_BYTES = 4096;

/** {@link toEnvelope} for sending: as UTF-8 if it has a longer list that is bytes. */
export function printEnvelope(results: unknown): string | Buffer {
  const parts = printParts(results ?? null);
  if (!parts.some((part) => typeof part !== 'string' && part.length >= LEAST_BYTES)) return `${HEAD}${parts.join('')}}`;
  return Buffer.concat([HEAD, ...parts, '}'].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
