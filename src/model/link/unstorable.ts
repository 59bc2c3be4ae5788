import { findDigitsError, toPlainDecimal } from '../decimal/decimal.ts';
import { LINE_CHARACTERS } from '../field/field-bounds.ts';
import { fieldKinds } from '../field/field-kind.ts';
import { readDecimalShape } from '../field/field-kind-decimal.ts';
import { MOST_MONEY } from '../field/field-kind-number.ts';
import { coerceNumber } from '../field/field-kind-row.ts';
import type { Field, FieldType } from '../shape.ts';

/** What a number type stores. Further decimals are cut, and other numbers are refused. */
interface StoredRange {
  readonly min: number;
  readonly max: number;
  readonly decimals: number;
  /** The type that stores more. */
  readonly wider: FieldType;
}

const STORED: Partial<Readonly<Record<FieldType, StoredRange>>> = {
  small: { min: 0, max: 255, decimals: 0, wider: 'number' },
  price: { min: -MOST_MONEY, max: MOST_MONEY, decimals: 2, wider: 'float' },
  stars: { min: 0, max: 5, decimals: 1, wider: 'float' },
};

/** Why a type cannot store what an attribute allows, and the remedy. */
export interface Unstorable {
  readonly reason: string;
  readonly hint: string;
  /** True if the project must not run with it. */
  readonly isError?: boolean;
}

const take = (type: FieldType): string => `Take the type "${type}", or correct the attribute.`;
const describeDecimals = (decimals: number): string =>
  decimals === 0 ? 'whole numbers' : `${decimals} decimal${decimals === 1 ? '' : 's'}`;
const hasMore = (number: number, decimals: number): boolean => Number(number.toFixed(decimals)) !== number;

/** `number` and `range` are stored with decimals only if their step has some. */
function findMixed({ type, attributes = {} }: Field, name: string, number: number): Unstorable | undefined {
  const isWhole = (type === 'number' || type === 'range') && Number.isInteger(Number(attributes.step ?? 1));
  if (!isWhole || name === 'step' || Number.isInteger(number)) return undefined;
  return {
    reason: `is ${number}, and the type "${type}" stores whole numbers unless "step" has decimals`,
    hint: 'Give a step such as 0.1, take the type "float", or correct the attribute.',
  };
}

function findNumber(field: Field, name: string, value: unknown): Unstorable | undefined {
  const { type } = field;
  const number = value === 'any' ? Number.NaN : coerceNumber(value);
  if (typeof number !== 'number') return undefined;
  const stored = STORED[type];
  if (stored === undefined) return findMixed(field, name, number);
  const { min, max, decimals, wider } = stored;
  if (hasMore(number, decimals)) {
    return {
      reason: `is ${String(value)}, and the type "${type}" stores ${describeDecimals(decimals)}`,
      hint: take(wider),
    };
  }
  if (name === 'step' || (number >= min && number <= max)) return undefined;
  return { reason: `is ${number}, and the type "${type}" stores numbers from ${min} to ${max}`, hint: take(wider) };
}

function findLength({ name, type }: Field, value: unknown): Unstorable | undefined {
  const kind = fieldKinds[type];
  const { maxLength } = (kind.isText ? kind.jsonSchema?.({ name, type }) : undefined) ?? {};
  const most = coerceNumber(value);
  if (typeof maxLength !== 'number' || typeof most !== 'number' || most <= maxLength) return undefined;
  const hint = maxLength === LINE_CHARACTERS ? take('textarea') : 'Correct the attribute.';
  return { reason: `is ${most}, and the type "${type}" stores ${maxLength} characters`, hint };
}

const countDigits = (count: number): string => `${count} digit${count === 1 ? '' : 's'}`;

/** A bound or a step with more digits than its field's decimals: no value could be it. */
function findExcessDigits(field: Field, name: string): Unstorable | undefined {
  const value = field.attributes?.[name];
  const plain = typeof value === 'string' || typeof value === 'number' ? toPlainDecimal(value) : undefined;
  if (plain === undefined) return undefined;
  const { precision, scale } = readDecimalShape(field);
  const excess = findDigitsError(plain, { precision, scale });
  if (excess === undefined) return undefined;
  return excess === 'scale'
    ? {
        reason: `is ${plain}, and the field has ${countDigits(scale)} after the point ("scale")`,
        hint: 'Raise "scale", or correct the attribute.',
        isError: true,
      }
    : {
        reason: `is ${plain}, and the field has ${countDigits(precision - scale)} before the point ("precision" less "scale")`,
        hint: 'Raise "precision", or correct the attribute.',
        isError: true,
      };
}

/** A step, bound or length that a field's type cannot store: it would promise what the type then cuts or refuses. */
export function findUnstorable(field: Field, name: string): Unstorable | undefined {
  const value = field.attributes?.[name];
  if (name === 'maxlength') return findLength(field, value);
  if (field.type === 'decimal')
    return ['min', 'max', 'step'].includes(name) ? findExcessDigits(field, name) : undefined;
  const isNumber = fieldKinds[field.type].group === 'number';
  return isNumber && ['min', 'max', 'step'].includes(name) ? findNumber(field, name, value) : undefined;
}
