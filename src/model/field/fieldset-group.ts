import { isBlank, isRecord } from '../json/json-value.ts';
import type { ColumnModel } from '../model.ts';

/** One group of a fieldset's values: its sent key (`0`, `1` …; empty for a single group) and its values. */
export interface Group {
  readonly key: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** True for a line of a form with only empty inputs. */
function isLeftEmpty(values: Readonly<Record<string, unknown>>): boolean {
  const sent = Object.values(values);
  return sent.length > 0 && sent.every((value) => value === '');
}

/**
 * The groups in a coerced value of a fieldset column; undefined if the value has the wrong form. A list may
 * be an object of numbered groups, as a form sends it after lines were removed. Empty lines are skipped.
 */
export function readGroups({ field }: ColumnModel, value: unknown): readonly Group[] | undefined {
  if (isBlank(value)) return [];
  if (field.multiple !== true) return isRecord(value) ? [{ key: '', values: value }] : undefined;
  const isNumbered = isRecord(value) && Object.keys(value).every((key) => /^\d{1,9}$/.test(key));
  if (!Array.isArray(value) && !isNumbered) return undefined;
  const groups: Group[] = [];
  for (const [key, values] of Object.entries(value)) {
    if (!isRecord(values)) return undefined;
    if (!isLeftEmpty(values)) groups.push({ key, values });
  }
  return groups;
}

/** Paths of keys in a fieldset column's value that are not its fields, such as `lines`, `0`, `colour`. */
export function listUnknownKeys(
  column: ColumnModel,
  value: unknown,
  path: readonly string[] = [column.name],
): string[][] {
  const { parts = [] } = column;
  const groups = readGroups(column, value) ?? [];
  return groups.flatMap(({ key, values }) => {
    const at = key === '' ? path : [...path, key];
    return Object.entries(values).flatMap(([name, inner]) => {
      const part = parts.find((other) => other.name === name);
      if (!part) return [[...at, name]];
      return part.parts ? listUnknownKeys(part, inner, [...at, name]) : [];
    });
  });
}
