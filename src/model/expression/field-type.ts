import { columnType, fieldKinds } from '../field/field-kind.ts';
import { readDecimalShape } from '../field/field-kind-decimal.ts';
import type { ColumnModel } from '../model.ts';
import type { Field, FieldType } from '../shape.ts';
import { DATE, FLAG, MOMENT, NUMBER, TEXT, toExact, WHOLE } from './make.ts';
import { type Expression, MOST_DIGITS, type ValueType } from './tree.ts';

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

/** Characters of a text that an index of PostgreSQL always holds, of 4 bytes each. */
const INDEXED_CHARACTERS = 600;
const LINE_CHARACTERS = 255;
const NUMBER_CHARACTERS = 20;

/** Characters of a text at most. */
function countCharacters({ op, type, parts, value, column }: Expression, long: ReadonlySet<string>): number {
  if (type.name !== 'text') return NUMBER_CHARACTERS;
  if (op === 'literal') return String(value ?? '').length;
  if (op === 'column') return long.has(column ?? '') ? Number.POSITIVE_INFINITY : LINE_CHARACTERS;
  const all = (op === 'if' ? parts.slice(1) : parts).map((part) => countCharacters(part, long));
  return op === 'concat' ? all.reduce((sum, count) => sum + count, 0) : Math.max(...all);
}

const isLong = ({ field }: ColumnModel): boolean => {
  const { isLong: isEndless, group } = fieldKinds[field.type];
  return isEndless || group === 'file' || field.type === 'url';
};

/**
 * The field whose rows show such values: everything that reads, compares, prints or describes them works with it.
 *
 * @param columns Those of the schema. A text that may be long gets no index.
 */
export function toValueField(field: Field, expression: Expression, columns: readonly ColumnModel[]): Field {
  const { name, scale } = expression.type;
  const long = new Set(columns.filter(isLong).map((column) => column.name));
  const isLongText = name === 'text' && countCharacters(expression, long) > INDEXED_CHARACTERS;
  const type = isLongText ? 'textarea' : KINDS[name];
  return { ...field, type, ...(name === 'decimal' ? { precision: MOST_DIGITS, scale } : {}) };
}
