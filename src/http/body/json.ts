import { TreadleError } from '../../core/errors.ts';
import { isObject } from '../../core/record.ts';
import { mayHoldUnsafeKey } from '../../core/request/registry.ts';
import { findKeyError } from '../../core/text/pairs.ts';
import { describeRounded, findRoundedNumber, isExactNumber } from '../../model/field/exact-number.ts';
import { MAX_KEYS, MAX_VALUES } from '../../model/json/json-value.ts';

/** Maximum nesting depth of a JSON body. */
const MAX_JSON_DEPTH = 32;

const broken = (message: string): TreadleError => new TreadleError('REQUEST_JSON_BROKEN', message, { status: 400 });

const tooMany = (): TreadleError =>
  new TreadleError(
    'REQUEST_JSON_LARGE',
    `A JSON body has at most ${MAX_KEYS} keys, and ${MAX_VALUES} keys and items.`,
    { status: 413 },
  );

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

/** Index after the number that starts at `start`. @throws REQUEST_JSON_BROKEN if the number would lose digits. */
function skipNumber(text: string, start: number): number {
  NUMBER_TAIL.lastIndex = start;
  const number = NUMBER_TAIL.exec(text)?.[0] ?? '';
  if (!isExactNumber(number)) {
    const { key } = findRoundedNumber(text) ?? {};
    throw broken(`The JSON body cannot be read. In it, ${describeRounded({ number, key })}.`);
  }
  return start + Math.max(1, number.length);
}

/** Checks the text before `JSON.parse`, which accepts a million levels and rounds long numbers. */
function checkShape(text: string): void {
  let depth = 0;
  let commas = 0;
  let keys = 0;
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
    else if (code === 44) {
      commas += 1;
      if (commas >= MAX_VALUES) throw tooMany();
    } else if (code === 58) {
      keys += 1;
      if (keys > MAX_KEYS) throw tooMany();
    }
    index += 1;
  }
}

/** @throws REQUEST_NAME_REFUSED (400): ignoring a value could silently drop a condition or data. */
function refusePrototypeNames(value: unknown): void {
  if (!isObject(value)) return;
  if (Array.isArray(value)) {
    for (const item of value) refusePrototypeNames(item);
    return;
  }
  for (const key of Object.keys(value)) {
    const error = findKeyError(key);
    if (error) throw error;
    refusePrototypeNames(value[key]);
  }
}

/**
 * Parses a JSON body: at most {@link MAX_JSON_DEPTH} levels, {@link MAX_KEYS} keys and {@link MAX_VALUES} keys
 * and items, no whole number that a double would change, no prototype names.
 *
 * @throws REQUEST_JSON_BROKEN (400). @throws REQUEST_JSON_LARGE (413). @throws REQUEST_NAME_REFUSED (400).
 */
export function parseJson(text: string): unknown {
  checkShape(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken('The body is not valid JSON.');
  }
  if (mayHoldUnsafeKey(text)) refusePrototypeNames(value);
  return value;
}
