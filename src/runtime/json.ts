import { TreadleError } from '../core/errors.ts';
import { isSafeKey } from '../core/registry.ts';

/** Levels of nesting that a JSON body may have. */
export const MAX_JSON_DEPTH = 32;

const broken = (message: string): TreadleError => new TreadleError('REQUEST_JSON_BROKEN', message, { status: 400 });

const NUMBER_TAIL = /[0-9.eE+-]*/y;

/** Index after the string that starts at `start`. */
function skipString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === 92) index += 2;
    else if (code === 34) return index + 1;
    else index += 1;
  }
  return index;
}

/** Index after the number that starts at `start`. @throws REQUEST_JSON_BROKEN for one that would lose digits. */
function skipNumber(text: string, start: number): number {
  NUMBER_TAIL.lastIndex = start;
  const number = NUMBER_TAIL.exec(text)?.[0] ?? '';
  if (number.length > 15 && !/[.eE]/.test(number) && !Number.isSafeInteger(Number(number))) {
    throw broken('A whole number in the JSON body is beyond 2^53: send it as a string.');
  }
  return start + Math.max(1, number.length);
}

/** Looks over the text before it is parsed, since the parser itself takes a million levels and rounds long numbers. */
function checkShape(text: string): void {
  let depth = 0;
  for (let index = 0; index < text.length; ) {
    const code = text.charCodeAt(index);
    if (code === 34) {
      index = skipString(text, index);
      continue;
    }
    if (code === 45 || (code >= 48 && code <= 57)) {
      index = skipNumber(text, index);
      continue;
    }
    if (code === 123 || code === 91) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) throw broken(`The JSON body is nested more than ${MAX_JSON_DEPTH} levels deep.`);
    } else if (code === 125 || code === 93) depth -= 1;
    index += 1;
  }
}

function dropPrototypeNames(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) dropPrototypeNames(item);
    return;
  }
  for (const key of Object.keys(value)) {
    if (!isSafeKey(key)) delete (value as Record<string, unknown>)[key];
    else dropPrototypeNames((value as Record<string, unknown>)[key]);
  }
}

/**
 * Parses a JSON body: nested at most {@link MAX_JSON_DEPTH} levels, whole numbers within 2^53, prototype names left out.
 *
 * @throws REQUEST_JSON_BROKEN (400).
 */
export function parseJson(text: string): unknown {
  checkShape(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken('The body is not valid JSON.');
  }
  dropPrototypeNames(value);
  return value;
}
