import { hash } from 'node:crypto';
import { fieldKinds } from '../model/field/field-kind.ts';
import { isBlank, isRecord, listValues } from '../model/json/json-value.ts';
import type { ColumnModel } from '../model/model.ts';
import { type InputValue, readTyped, toTyped } from './typed.ts';

/** Lists of choices: the form shows the options in their own order, whatever the stored order is. */
const SETS: ReadonlySet<string> = new Set(['multiselect', 'checkboxes']);

/** A posted value without differences that mean nothing: number as text, order of keys or choices, empty list. */
function toCanonical(column: ColumnModel, value: unknown): unknown {
  const { field, parts } = column;
  const coerced = fieldKinds[field.type].coerce(value, 0);
  if (isBlank(coerced)) return null;
  if (parts === undefined) {
    if (Array.isArray(coerced) && coerced.length === 0) return null;
    if (Array.isArray(coerced) && SETS.has(field.type)) return [...new Set(coerced)].sort();
    return isRecord(coerced) && Object.keys(coerced).length === 0 ? null : coerced;
  }
  const toGroup = (group: unknown): unknown =>
    parts.map((part) => toCanonical(part, isRecord(group) ? group[part.name] : null));
  if (field.multiple !== true) return toGroup(coerced);
  const groups = listValues(coerced).map(toGroup);
  return groups.length === 0 ? null : groups;
}

/**
 * Names what the inputs of a column hold, so that a form can tell what a person changed from what somebody else changed.
 * Two contents that would store the same have one fingerprint.
 */
export function toFingerprint(column: ColumnModel, typed: InputValue): string {
  const text = JSON.stringify(toCanonical(column, readTyped(column, typed))) ?? '';
  return hash('sha1', text, 'base64url').slice(0, 12);
}

/** As {@link toFingerprint}, of the inputs that show a stored value. */
export const toStoredFingerprint = (column: ColumnModel, stored: unknown): string =>
  toFingerprint(column, toTyped(column, stored));
