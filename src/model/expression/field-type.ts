import { columnType, fieldKinds } from '../field/field-kind.ts';
import { readDecimalShape } from '../field/field-kind-decimal.ts';
import type { ColumnModel } from '../model.ts';
import type { Field, FieldType } from '../shape.ts';
import { DATE, FLAG, MOMENT, NUMBER, TEXT, toExact, WHOLE } from './make.ts';
import { MOST_DIGITS, type ValueType } from './tree.ts';

const TYPES: ReadonlyMap<FieldType, ValueType> = new Map([
  ['date', DATE],
  ['datetime', MOMENT],
  ['created', MOMENT],
  ['updated', MOMENT],
  ['checkbox', FLAG],
  ['switch', FLAG],
  ['active', FLAG],
]);

/** The type of a column's values in expressions; undefined if none can compute with them. */
export function findValueType({ field }: Pick<ColumnModel, 'field'>): ValueType | undefined {
  const { isJson, isSecret, sql } = fieldKinds[field.type];
  if (sql === undefined || isJson || isSecret) return undefined;
  if (field.type === 'decimal') return toExact(readDecimalShape(field).scale);
  const type = columnType(field, 'sqlite');
  return TYPES.get(field.type) ?? (type === 'integer' ? WHOLE : type === 'real' ? NUMBER : TEXT);
}

/** Digits after the point of types whose doubles have a fixed number of them, so that a sum of them is exact. */
export const FIXED_DIGITS: ReadonlyMap<FieldType, number> = new Map([
  ['price', 2],
  ['stars', 1],
]);

const KINDS: Readonly<Record<ValueType['name'], FieldType>> = {
  ...{ whole: 'number', decimal: 'decimal', number: 'float', text: 'text', flag: 'checkbox', date: 'date' },
  ...{ moment: 'datetime', null: 'text' },
};

/** The field whose rows show such values: everything that reads, compares, prints or describes them works with it. */
export function toValueField(field: Field, { name, scale }: ValueType): Field {
  const type = KINDS[name];
  return { ...field, type, ...(name === 'decimal' ? { precision: MOST_DIGITS, scale } : {}) };
}
