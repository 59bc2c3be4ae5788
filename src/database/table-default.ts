import { systemRandom } from '../core/clock.ts';
import { systemPasswords } from '../core/secret/password.ts';
import { fieldKinds } from '../model/field/field-kind.ts';
import { readDecimalShape } from '../model/field/field-kind-decimal.ts';
import { readFieldText } from '../model/json/json-value.ts';
import type { Field } from '../model/shape.ts';
import type { Dialect } from './database.ts';
import { toStoredDecimal } from './stored-decimal.ts';

/** The parts of a field's definition that its stored values depend on. */
export type FieldNote = Pick<
  Field,
  'type' | 'attributes' | 'options' | 'columns' | 'multiple' | 'fieldset' | 'precision' | 'scale'
>;

/** Digits after the point of a field of decimals; undefined for another field. */
export const findScale = (field: FieldNote | undefined): number | undefined =>
  field?.type === 'decimal' ? readDecimalShape({ name: 'value', ...field }).scale : undefined;

const isNow = (value: unknown): boolean => typeof value === 'string' && /^now\(\)$/i.test(value.trim());

/** The field's default in stored form; undefined if it has none of its type. */
function readDefault(field: Field, dialect: Dialect): string | number | undefined {
  const kind = fieldKinds[field.type];
  if (field.default === undefined || field.default === null || kind.isSecret) return undefined;
  const value = kind.coerce(readFieldText(field.type, field.default), 0);
  if (value === null || value === undefined || !kind.shape(field).safeParse(value).success) return undefined;
  const scale = findScale(field);
  if (scale !== undefined) return toStoredDecimal(value, scale, dialect);
  const stored = kind.isJson
    ? kind.prepare(value, { now: 0, random: systemRandom, passwords: systemPasswords }, field)
    : value;
  return typeof stored === 'string' || typeof stored === 'number' ? stored : undefined;
}

/**
 * A default that can be the column's own, because all rows get the same value. `NOW()` and lists are set by
 * events.
 */
export function findDefault(field: Field, dialect: Dialect): string | number | undefined {
  if (isNow(field.default) || fieldKinds[field.type].isJson) return undefined;
  return readDefault(field, dialect) ?? (field.type === 'active' ? 1 : undefined);
}

/**
 * Value for existing rows without one in a required column: the default, also one that cannot be the column's
 * own.
 */
export function findFill(field: Field, dialect: Dialect): string | number | undefined {
  const isMoment = field.type === 'created' || field.type === 'updated';
  if (isMoment || isNow(field.default)) return fieldKinds[field.type].group === 'string' ? undefined : 'NOW()';
  return readDefault(field, dialect) ?? (field.type === 'active' ? 1 : undefined);
}

export function createNote(field: Field): FieldNote {
  const { type, attributes, options, columns, multiple, fieldset } = field;
  const note = { attributes, options, columns, multiple, fieldset };
  const said = Object.entries(note).filter(([, value]) => value !== undefined);
  return { type, ...Object.fromEntries(said), ...(type === 'decimal' ? readDecimalShape(field) : {}) };
}
