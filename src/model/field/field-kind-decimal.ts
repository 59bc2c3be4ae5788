import * as z from 'zod';
import {
  DEFAULT_PRECISION,
  DEFAULT_SCALE,
  type DecimalShape,
  findDigitsError,
  fromUnits,
  toPlainDecimal,
  toUnits,
} from '../decimal/decimal.ts';
import type { Field } from '../shape.ts';
import { ALL_FLAGS, createKind, type FieldKind } from './field-kind-row.ts';

/** The digits of a field's decimals. */
export function readDecimalShape({ precision = DEFAULT_PRECISION, scale }: Field): DecimalShape {
  return { precision, scale: scale ?? Math.min(DEFAULT_SCALE, precision) };
}

/** Column types of a field: a whole number of the smallest unit on SQLite, which has no exact decimals. */
export function toDecimalType(field: Field): { readonly sqlite: string; readonly postgres: string } {
  const { precision, scale } = readDecimalShape(field);
  return { sqlite: 'integer', postgres: `numeric(${precision},${scale})` };
}

/** Converts to a plain decimal as text: null for blank. Other values are returned for the shape to reject. */
function coerceDecimal(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  if (typeof value === 'string' && value.trim() === '') return null;
  return toPlainDecimal(value) ?? value;
}

/** The bounds of a field in its smallest unit. A bound with too many digits is none: `check` refuses it. */
function readBounds({ attributes }: Field, scale: number): { min: number; max: number; step: number } {
  const read = (name: string): number | undefined => {
    const value = attributes?.[name];
    return typeof value === 'string' || typeof value === 'number' ? toUnits(value, scale) : undefined;
  };
  const step = read('step') ?? 1;
  return { min: read('min') ?? -Infinity, max: read('max') ?? Infinity, step: step > 0 ? step : 1 };
}

function isDecimal(text: string, field: Field): boolean {
  const shape = readDecimalShape(field);
  if (toPlainDecimal(text) === undefined || findDigitsError(text, shape) !== undefined) return false;
  const units = toUnits(text, shape.scale);
  const { min, max, step } = readBounds(field, shape.scale);
  if (units === undefined || units < min || units > max) return false;
  return (units - (Number.isFinite(min) ? min : 0)) % step === 0;
}

function describe(field: Field): string {
  const { precision, scale } = readDecimalShape(field);
  const { min, max, step } = readBounds(field, scale);
  const print = (units: number): string => fromUnits(units, scale);
  const digits = `of at most ${precision - scale} digits before the point and ${scale} after it`;
  const from = Number.isFinite(min) ? `, at least ${print(min)}` : '';
  const to = Number.isFinite(max) ? `, at most ${print(max)}` : '';
  return `must be a decimal number ${digits}${from}${to}${step === 1 ? '' : `, in steps of ${print(step)}`}`;
}

/** Texts that JSON carries. */
function createPattern(field: Field): string {
  const { precision, scale } = readDecimalShape(field);
  const whole = precision > scale ? `(0|[1-9]\\d{0,${precision - scale - 1}})` : '0';
  return `^-?${whole}${scale === 0 ? '' : `(\\.\\d{1,${scale}})?`}$`;
}

/** A number of a fixed count of digits, exact in both databases: JSON carries it as text. */
export const decimalKinds: Readonly<Record<'decimal', FieldKind>> = {
  decimal: createKind({
    type: 'decimal',
    group: 'number',
    description:
      'An exact decimal number, such as an amount of money: `precision` digits in all, `scale` of them after the point. JSON carries it as text.',
    sql: { sqlite: 'integer', postgres: 'numeric' },
    coerce: coerceDecimal,
    shape: (field) => z.string().refine((text) => isDecimal(text, field)),
    expects: describe,
    jsonSchema: (field) => ({ type: 'string', format: 'decimal', pattern: createPattern(field) }),
    control: { element: 'input', inputType: 'text', attributes: { inputmode: 'decimal' } },
    flags: { ...ALL_FLAGS, searchable: false },
    defaultFormat: 'decimal',
    // The text with all of its digits after the point. What the database stores is made of it where rows are written.
    prepare: (value, _tools, field) => {
      const plain = coerceDecimal(value);
      if (typeof plain !== 'string' || field === undefined) return plain;
      const { scale } = readDecimalShape(field);
      const units = toUnits(plain, scale);
      return units === undefined ? plain : fromUnits(units, scale);
    },
  }),
};
