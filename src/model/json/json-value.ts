import { isObject } from '../../core/record.ts';
import { isSafeKey, mayHoldUnsafeKey } from '../../core/request/registry.ts';
import { findRoundedNumber } from '../field/exact-number.ts';
import type { FieldType } from '../shape.ts';

/** Maximum nesting of a stored value. */
export const MAX_DEPTH = 32;

/**
 * Maximum keys of a value, as JSON in a body or in a text: each costs as much as a hundred characters of
 * text.
 */
export const MAX_KEYS = 20_000;

export const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for values whose JSON is the same, keys in the same order. */
export const isSameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The values of a list or of an object; none of anything else. */
export const listValues = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];

/** Maximum keys and items of a JSON body, or of a row of an uploaded file. */
export const MAX_VALUES = 100_000;

/**
 * Measures nesting, number of keys and number of commas of JSON text without parsing it: the parser itself accepts a
 * million levels.
 */
export function measureJson(text: string): { readonly depth: number; readonly keys: number; readonly commas: number } {
  let [open, depth, keys, commas] = [0, 0, 0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 34) {
      for (index += 1; index < text.length && text.charCodeAt(index) !== 34; index += 1)
        if (text.charCodeAt(index) === 92) index += 1;
    } else if (code === 123 || code === 91) {
      open += 1;
      depth = Math.max(depth, open);
    } else if (code === 125 || code === 93) open -= 1;
    else if (code === 58) keys += 1;
    else if (code === 44) commas += 1;
  }
  return { depth, keys, commas };
}

/** Parses text that starts like JSON. Invalid JSON stays text, and so does JSON with a number that would lose digits. */
export function readJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value) || measureJson(value).depth > MAX_DEPTH) return value;
  if (findRoundedNumber(value) !== undefined) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A text that should be JSON and is not, or that would lose digits. No field takes it. */
class BrokenJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Parses the text of a form, a cell or a command line as JSON. Other text stays text; one that begins like an object or a
 * list and is not JSON is refused by every field. In a JSON document a text is a text: do not
 * use it there.
 */
export function parseJsonText(text: unknown): unknown {
  if (typeof text !== 'string' || !/^\s*(?:[[{"]|-?\d|(?:true|false|null)\s*$)/.test(text)) return text;
  const isNested = /^\s*[[{]/.test(text);
  const refuse = (): unknown => (isNested ? new BrokenJson(text) : text);
  const { depth, keys } = measureJson(text);
  if (depth > MAX_DEPTH || keys > MAX_KEYS || findRoundedNumber(text) !== undefined) return refuse();
  try {
    return JSON.parse(text);
  } catch {
    return refuse();
  }
}

/** A text for a field: raw JSON is parsed, every other type reads text by itself. */
export const readFieldText = (type: FieldType, text: unknown): unknown =>
  type === 'rawjson' ? parseJsonText(text) : text;

/** A stored JSON value, which the database gives as text or already parsed. */
export function decodeJson(stored: unknown): unknown {
  if (typeof stored !== 'string') return stored;
  try {
    return JSON.parse(stored);
  } catch {
    return stored;
  }
}

/** True if a value is nested at most this deep. */
export function isShallow(value: unknown, depth = MAX_DEPTH): boolean {
  if (!isObject(value) || ArrayBuffer.isView(value)) return true;
  if (depth === 0) return Object.keys(value).length === 0;
  // Does not collect the values in a list: there may be a hundred thousand.
  for (const key in value) if (Object.hasOwn(value, key) && !isShallow(value[key], depth - 1)) return false;
  return true;
}

/** True if a value is JSON nested at most this deep: no dates, no bytes, nothing undefined. */
export function isJson(value: unknown, depth = MAX_DEPTH): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (!isObject(value)) return value === null || typeof value === 'string' || typeof value === 'boolean';
  if (Array.isArray(value)) return value.length === 0 || (depth > 0 && value.every((item) => isJson(item, depth - 1)));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) if (depth === 0 || !isJson(value[key], depth - 1)) return false;
  return true;
}

/**
 * Encodes as JSON without unsafe keys (such as `__proto__` or `toString`), which JSON within text may contain.
 */
export function encodeJson(value: unknown): string | null {
  if (isBlank(value)) return null;
  const text = JSON.stringify(value);
  // The slower copy is made only if there may be an unsafe key.
  if (text === undefined || !mayHoldUnsafeKey(text)) return text;
  return JSON.stringify(value, (key, item: unknown) => (isSafeKey(key) ? item : undefined));
}

// Half a surrogate pair is no character: neither UTF-8 nor PostgreSQL's JSON can store it. Few texts contain
// pairs at all.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for.
const SUSPECT = /[\u0000\ud800-\udfff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for.
const UNSTORABLE = /[\u0000\p{Surrogate}]/u;
const isUnstorableText = (text: string): boolean => SUSPECT.test(text) && UNSTORABLE.test(text);

/**
 * True if a value contains a text that a database cannot store: with U+0000, or with half a surrogate pair.
 */
export function isUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return isUnstorableText(value);
  if (!isObject(value) || ArrayBuffer.isView(value)) return false;
  if (Array.isArray(value)) return value.some(isUnstorable);
  for (const key in value) if (isUnstorableText(key) || isUnstorable(value[key])) return true;
  return false;
}

/** The references (`$ref`) in a JSON document, at any depth. */
export function collectRefs(node: unknown, refs = new Set<string>()): Set<string> {
  if (Array.isArray(node)) {
    for (const item of node) collectRefs(item, refs);
  } else if (typeof node === 'object' && node !== null) {
    for (const key in node) {
      const value: unknown = (node as Readonly<Record<string, unknown>>)[key];
      if (typeof value === 'object') collectRefs(value, refs);
      else if (key === '$ref' && typeof value === 'string') refs.add(value);
    }
  }
  return refs;
}
