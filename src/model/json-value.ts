import { isSafeKey } from '../core/registry.ts';

/** Levels of lists and objects that a stored value may have. */
export const MAX_DEPTH = 32;

export const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether JSON text is nested more than {@link MAX_DEPTH} deep: the parser itself takes a million levels. */
function isTextDeep(text: string): boolean {
  let depth = 0;
  for (const [found] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (found === '{' || found === '[') depth += 1;
    else if (found === '}' || found === ']') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Text that begins as JSON does is read as JSON; what cannot be read stays text. */
export function readJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value) || isTextDeep(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Whether a value is nested no more than so deep. */
export function isShallow(value: unknown, depth = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true;
  return depth > 0 && Object.values(value).every((item) => isShallow(item, depth - 1));
}

/** As JSON, without the names that reach a prototype or keep an object from being printed: JSON within text may have them. */
export const encodeJson = (value: unknown): string | null =>
  isBlank(value) ? null : JSON.stringify(value, (key, item: unknown) => (isSafeKey(key) ? item : undefined));

// A half of a pair is no character: neither UTF-8 nor PostgreSQL's JSON can hold it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for.
const UNSTORABLE = /[\u0000\p{Surrogate}]/u;

/** Whether a value holds a text that a database cannot: one with U+0000, or with half of a surrogate pair. */
export function isUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return UNSTORABLE.test(value);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return Object.entries(value).some(([key, item]) => UNSTORABLE.test(key) || isUnstorable(item));
}
