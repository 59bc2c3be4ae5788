import { translate } from '../../../core/text/translate.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import type { Value } from './control.ts';

/** A row of a map's table: a key, where dots reach into maps, and the text of its value. */
export interface MapRow {
  readonly key: string;
  readonly value: string;
}

interface Leaf extends MapRow {
  readonly path: readonly string[];
  readonly stored: unknown;
}

const isText = (value: unknown): value is string => typeof value === 'string' && !/^\s*[[{]/.test(value);

function listLeaves(map: Value, above: readonly string[] = []): Leaf[] {
  return Object.entries(map).flatMap(([key, stored]): Leaf[] => {
    const path = [...above, key];
    if (isRecord(stored) && Object.keys(stored).length > 0) return listLeaves(stored, path);
    return [{ key: path.join('.'), value: isText(stored) ? stored : JSON.stringify(stored), path, stored }];
  });
}

/** The rows of a map. */
export const toMapRows = (map: unknown): MapRow[] =>
  isRecord(map) ? listLeaves(map).map(({ key, value }) => ({ key, value })) : [];

const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '']);

function setDeep(map: Value, path: readonly string[], value: unknown): Value {
  const [key = '', ...rest] = path;
  if (rest.length === 0) return { ...map, [key]: value };
  const inner = map[key];
  return { ...map, [key]: setDeep(isRecord(inner) ? inner : {}, rest, value) };
}

/** A value as commands read it: JSON where it reads as a list or an object, else the text. */
function parseValue(text: string): { readonly value: unknown } | { readonly fault: string } {
  if (!/^\s*[[{]/.test(text)) return { value: text };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { fault: translate('{text} is not JSON. A value that starts with "{" or "[" is read as JSON.', { text }) };
  }
}

export interface ReadMap {
  readonly map: Value;
  readonly fault?: string;
}

/**
 * The map that rows mean. A row that is unchanged keeps the stored value: a number stays a number.
 *
 * @param before The stored map.
 */
export function readMap(rows: readonly MapRow[], before: unknown): ReadMap {
  const known = isRecord(before) ? listLeaves(before) : [];
  let map: Value = {};
  for (const { key, value } of rows) {
    if (key === '' && value === '') continue;
    const same = known.find((leaf) => leaf.key === key && leaf.value === value);
    const path = same?.path ?? key.split('.');
    if (path.some((part) => FORBIDDEN.has(part))) {
      return { map, fault: translate('"{key}" cannot be a key: choose another one.', { key }) };
    }
    const read = same === undefined ? parseValue(value) : { value: same.stored };
    if ('fault' in read) return { map, fault: read.fault };
    map = setDeep(map, path, read.value);
  }
  return { map };
}
