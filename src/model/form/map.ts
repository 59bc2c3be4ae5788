import { isRecord } from '../json/json-value.ts';

type Values = Readonly<Record<string, unknown>>;

const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '']);

/** Whether the parts of a typed name such as `sort.article_published` can all be keys. */
export const isMapPath = (path: readonly string[]): boolean => !path.some((key) => FORBIDDEN.has(key));

/** A map with a value at a path; the maps on the way are made. */
export function setInMap(map: Values, path: readonly string[], value: unknown): Record<string, unknown> {
  const [key = '', ...rest] = path;
  if (rest.length === 0) return { ...map, [key]: value };
  const inner = map[key];
  return { ...map, [key]: setInMap(isRecord(inner) ? inner : {}, rest, value) };
}

/** Whether a value is as good as none: an empty list or map. */
export const isEmptyValue = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0);
