import { unescape as unescapeLoosely } from 'node:querystring';
import { TreadleError } from '../errors.ts';
import { isSafeKey } from '../request/registry.ts';
import { decodeEscapes } from './utf8.ts';

export type Pairs = Record<string, unknown>;

/** Maximum names and values of one query string or form. */
export const MAX_PAIRS = 1000;
/** Maximum parts of a name with brackets. */
const MAX_DEPTH = 16;
/** Maximum characters of a name with brackets: matching a million brackets overflows the stack. */
const MAX_NAME_CHARACTERS = 4096;
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

function decode(text: string, isStrict: boolean): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return isStrict ? decodeEscapes(spaced) : unescapeLoosely(spaced);
  }
}

function isNode(value: unknown): value is Pairs {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of `filter`, a plain value beside operators is that of this one: dropping it would drop a condition and return more rows. */
const FILTER = 'filter';
const PLAIN_OPERATOR = 'eq';

/** Sets a value under a name that may repeat: a second value makes a list. */
function append(node: Pairs, key: string, value: unknown): void {
  const known = Object.hasOwn(node, key) ? node[key] : undefined;
  if (known === undefined) node[key] = value;
  else if (Array.isArray(known)) known.push(value);
  else if (!isNode(known)) node[key] = [known, value];
}

function putNested(target: Pairs, first: string, brackets: string, value: unknown): void {
  const keys = [first, ...brackets.slice(1, -1).split('][')];
  let node = target;
  for (const [index, key] of keys.entries()) {
    const name = key === '' && index > 0 ? String(Object.keys(node).length) : key;
    const next = Object.hasOwn(node, name) ? node[name] : undefined;
    const isCondition = first === FILTER && index > 0;
    if (index === keys.length - 1) {
      // An empty value says nothing beside an operator.
      if (!isCondition || !isNode(next)) append(node, name, value);
      else if (value !== '') append(next, PLAIN_OPERATOR, value);
      return;
    }
    if (isNode(next)) node = next;
    else {
      const made: Pairs = isCondition && next !== undefined && next !== '' ? { [PLAIN_OPERATOR]: next } : {};
      node[name] = made;
      node = made;
    }
  }
}

const refused = (message: string): TreadleError => new TreadleError('REQUEST_NAME_REFUSED', message, { status: 400 });

/** Why a key is refused: it could reach a prototype. */
export const findKeyError = (key: string): TreadleError | undefined =>
  isSafeKey(key)
    ? undefined
    : refused(`"${key}" cannot name a parameter or a field, since it could reach a prototype: choose another name.`);

/**
 * Why a name of a query or form is refused. Ignoring its pair instead would drop a condition and return
 * more rows.
 */
export function findNameError(name: string): TreadleError | undefined {
  if (!name.includes('[')) return findKeyError(name);
  if (name.length > MAX_NAME_CHARACTERS) return refused(`A name has at most ${MAX_NAME_CHARACTERS} characters.`);
  const keys = name.replaceAll(']', '').split('[');
  for (const key of keys) if (!isSafeKey(key)) return findKeyError(key);
  return keys.length > MAX_DEPTH ? refused(`A name has at most ${MAX_DEPTH} parts, such as a[b][c].`) : undefined;
}

/**
 * Sets one value under a name with brackets: `a[b][c]`, `a[]`, `a`. A repeated plain name makes a list.
 * @throws REQUEST_NAME_REFUSED (400) for a prototype name in it, or too many parts or characters.
 */
export function putPair(target: Pairs, name: string, value: unknown): void {
  const error = findNameError(name);
  if (error) throw error;
  const parts = name.includes('[') ? NAME.exec(name) : undefined;
  if (parts?.[1] && parts[2]) putNested(target, parts[1], parts[2], value);
  else if (name !== '') append(target, name, value);
}

/** Converts the objects with keys 0, 1, 2 … that `a[]` and `a[0]` built into lists. */
export function closePairs(target: Pairs): Pairs {
  for (const key of Object.keys(target)) target[key] = toList(target[key]);
  return target;
}

function toList(value: unknown): unknown {
  if (!isNode(value)) return value;
  const closed = closePairs(value);
  const keys = Object.keys(closed);
  return keys.length > 0 && keys.every((key, index) => key === String(index)) ? Object.values(closed) : closed;
}

/**
 * Parses a query string or a urlencoded body.
 * @param limit Maximum number of pairs. Default {@link MAX_PAIRS}.
 * @param isStrict Whether bytes that are not UTF-8 are refused. Default false: each becomes U+FFFD.
 * @throws REQUEST_PAIRS_TOO_MANY (413). @throws REQUEST_NAME_REFUSED (400). @throws REQUEST_NOT_UTF8 (400).
 */
export function parsePairs(text: string, limit: number = MAX_PAIRS, isStrict = false): Pairs {
  const pairs: Pairs = {};
  let isNested = false;
  let count = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('&', start);
    const end = found < 0 ? text.length : found;
    if (end > start) {
      count += 1;
      if (count > limit) {
        throw new TreadleError('REQUEST_PAIRS_TOO_MANY', `A request has at most ${limit} names.`, { status: 413 });
      }
      // Searches within the pair only: searching the whole text for each pair would be quadratic.
      const pair = text.slice(start, end);
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals), isStrict);
      if (name.includes('[')) isNested = true;
      putPair(pairs, name, equals < 0 ? '' : decode(pair.slice(equals + 1), isStrict));
    }
    start = end + 1;
  }
  return isNested ? closePairs(pairs) : pairs;
}
