import { unescape as unescapeLoosely } from 'node:querystring';
import { TreadleError } from './errors.ts';
import { isSafeKey } from './registry.ts';

export type Pairs = Record<string, unknown>;

/** Names and values that one query string or form may have. */
export const MAX_PAIRS = 1000;
/** Brackets in one name; a name with more is left out. */
const MAX_DEPTH = 16;
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return unescapeLoosely(spaced);
  }
}

function isNode(value: unknown): value is Pairs {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Gives a value to a name that may repeat: a second value makes a list. */
function append(node: Pairs, key: string, value: unknown): void {
  const known = Object.hasOwn(node, key) ? node[key] : undefined;
  if (known === undefined) node[key] = value;
  else if (Array.isArray(known)) known.push(value);
  else if (!isNode(known)) node[key] = [known, value];
}

function putNested(target: Pairs, first: string, brackets: string, value: unknown): void {
  const keys = [first, ...brackets.slice(1, -1).split('][')];
  if (keys.length > MAX_DEPTH || !keys.every(isSafeKey)) return;
  let node = target;
  for (const [index, key] of keys.entries()) {
    const name = key === '' && index > 0 ? String(Object.keys(node).length) : key;
    if (index === keys.length - 1) {
      append(node, name, value);
      return;
    }
    const next = Object.hasOwn(node, name) ? node[name] : undefined;
    if (isNode(next)) node = next;
    else {
      const made: Pairs = {};
      node[name] = made;
      node = made;
    }
  }
}

/**
 * Puts one value under a name with brackets: `a[b][c]`, `a[]`, `a`. A plain name that comes again makes a list. A
 * prototype's name anywhere in it, or broken brackets around one, leaves the pair out.
 */
export function putPair(target: Pairs, name: string, value: unknown): void {
  if (!name.includes('[')) {
    if (name !== '' && isSafeKey(name)) append(target, name, value);
    return;
  }
  const parts = NAME.exec(name);
  if (parts?.[1] && parts[2]) putNested(target, parts[1], parts[2], value);
  else if (isSafeKey(name)) append(target, name, value);
}

/** Turns what `a[]` and `a[0]` collected into lists: objects whose keys are 0, 1, 2 … */
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
 *
 * @param limit Pairs that are taken. Default {@link MAX_PAIRS}.
 * @throws REQUEST_PAIRS_TOO_MANY (413).
 */
export function parsePairs(text: string, limit: number = MAX_PAIRS): Pairs {
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
      const equals = text.indexOf('=', start);
      const split = equals < 0 || equals > end ? end : equals;
      const name = decode(text.slice(start, split));
      if (name.includes('[')) isNested = true;
      putPair(pairs, name, decode(text.slice(split + 1, end)));
    }
    start = end + 1;
  }
  return isNested ? closePairs(pairs) : pairs;
}
