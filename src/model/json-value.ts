import { isSafeKey, mayHoldUnsafeKey } from '../core/registry.ts';

/** Levels of lists and objects that a stored value may have. */
export const MAX_DEPTH = 32;

/** Keys that a value may bring, as JSON in a body or in a text: each costs as much as a hundred characters of text. */
export const MAX_KEYS = 20_000;

export const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How deep JSON text nests and how many keys it has, found without parsing it: the parser itself takes a million levels. */
export function measureJson(text: string): { readonly depth: number; readonly keys: number } {
  let [open, depth, keys] = [0, 0, 0];
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
  }
  return { depth, keys };
}

/** Text that begins as JSON does is read as JSON; what cannot be read stays text. */
export function readJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value) || measureJson(value).depth > MAX_DEPTH) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

type Node = Readonly<Record<string, unknown>>;

/** Whether a value is nested no more than so deep. */
export function isShallow(value: unknown, depth = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true;
  if (depth === 0) return Object.keys(value).length === 0;
  // No list of the values is made: there may be a hundred thousand.
  for (const key in value) if (Object.hasOwn(value, key) && !isShallow((value as Node)[key], depth - 1)) return false;
  return true;
}

/** Whether a value is JSON, nested no more than so deep: no date, no bytes, nothing undefined. */
export function isJson(value: unknown, depth = MAX_DEPTH): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0 || (depth > 0 && value.every((item) => isJson(item, depth - 1)));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) if (depth === 0 || !isJson((value as Node)[key], depth - 1)) return false;
  return true;
}

/** As JSON, without the names that reach a prototype or keep an object from being printed: JSON within text may have them. */
export function encodeJson(value: unknown): string | null {
  if (isBlank(value)) return null;
  const text = JSON.stringify(value);
  // Written again, key by key, only where that may leave something out.
  if (text === undefined || !mayHoldUnsafeKey(text)) return text;
  return JSON.stringify(value, (key, item: unknown) => (isSafeKey(key) ? item : undefined));
}

// A half of a pair is no character: neither UTF-8 nor PostgreSQL's JSON can hold it. Few texts have a pair to look at.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for.
const SUSPECT = /[\u0000\ud800-\udfff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for.
const UNSTORABLE = /[\u0000\p{Surrogate}]/u;
const isUnstorableText = (text: string): boolean => SUSPECT.test(text) && UNSTORABLE.test(text);

/** Whether a value holds a text that a database cannot: one with U+0000, or with half of a surrogate pair. */
export function isUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return isUnstorableText(value);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (Array.isArray(value)) return value.some(isUnstorable);
  for (const key in value) if (isUnstorableText(key) || isUnstorable((value as Node)[key])) return true;
  return false;
}
