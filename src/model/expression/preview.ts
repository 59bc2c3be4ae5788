import { fromUnits, toUnits } from '../decimal/decimal.ts';
import type { ColumnModel } from '../model.ts';
import { evaluate, type Value } from './evaluate.ts';
import { findValueType } from './field-type.ts';
import type { ValueType } from './tree.ts';

type Row = Readonly<Record<string, unknown>>;

/** A value of a row's JSON in the form of the evaluator. */
function readValue(value: unknown, { name, scale }: ValueType): Value {
  if (value === null || value === undefined) return null;
  if (name === 'flag') return value === true || value === 1 || value === '1' ? 1n : 0n;
  if (name === 'whole' || name === 'decimal') {
    const units = typeof value === 'string' || typeof value === 'number' ? toUnits(value, scale) : undefined;
    return units === undefined ? null : BigInt(units);
  }
  return name === 'number' ? Number(value) : String(value);
}

/** A value as a row's JSON has it. */
function printValue(value: Value, { name, scale }: ValueType): string | number | null {
  if (typeof value !== 'bigint') return value;
  return name === 'decimal' ? fromUnits(value, scale) : Number(value);
}

/** The value of a computed column for a row that is in no database: an example, or one that is typed. It has no related rows. */
export function previewValue(
  { computed }: ColumnModel,
  byName: ReadonlyMap<string, ColumnModel>,
  row: Row,
): string | number | null {
  if (computed === undefined) return null;
  const { expression } = computed;
  const read = (name: string): Value => {
    const column = byName.get(name);
    const type = column && findValueType(column);
    return type === undefined ? null : readValue(row[name], type);
  };
  return printValue(evaluate(expression, { read, related: () => [] }), expression.type);
}
