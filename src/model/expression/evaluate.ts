import { fromUnits } from '../decimal/decimal.ts';
import { isTimeText } from './date-text.ts';
import { isExact } from './make.ts';
import type { ComparisonSign } from './parse.ts';
import {
  type Expression,
  getPart,
  NUMBER_FACTOR,
  NUMBER_FACTORS,
  type RelatedRowsOf,
  UNIT_BOUND,
  type ValueType,
} from './tree.ts';

/** Units of whole numbers, decimals and flags (1 or 0), doubles, texts, dates and moments. */
export type Value = bigint | number | string | null;

type PresentValue = NonNullable<Value>;

/** The row that an expression is computed of. */
export interface ValueRow {
  /** A column's value as this module has it: units of exact ones. */
  read(column: string): Value;
  /** The rows of a relation. */
  related(rows: RelatedRowsOf): readonly ValueRow[];
}

const MOST_NUMBER = Array.from({ length: NUMBER_FACTORS }).reduce((product: number) => product * NUMBER_FACTOR, 1);
const LEAST_NUMBER = Array.from({ length: NUMBER_FACTORS }).reduce((product: number) => product / NUMBER_FACTOR, 1);

const limitUnits = (units: bigint | null): bigint | null =>
  units === null || units >= UNIT_BOUND || units <= -UNIT_BOUND ? null : units;

function limitNumber(value: number | null): number | null {
  if (value === null || value === 0) return value;
  const size = Math.abs(value);
  return size >= LEAST_NUMBER && size <= MOST_NUMBER ? value : null;
}

/** Powers of ten up to 10^15 are exact doubles. */
const toPower = (scale: number): bigint => 10n ** BigInt(scale);

/** Halves go away from 0. */
function roundUnits(units: bigint, from: number, to: number): bigint {
  const unit = toPower(from - to);
  const size = units < 0n ? -units : units;
  const rounded = (size * 2n + unit) / (unit * 2n);
  return units < 0n ? -rounded : rounded;
}

/** A double as units of a scale; null if they have too many digits. */
function roundNumber(value: number, scale: number): bigint | null {
  const halves = Math.trunc(2 * (value * Number(toPower(scale))));
  return Math.abs(halves) >= 2e15 ? null : limitUnits(roundUnits(BigInt(halves) * 5n, 1, 0));
}

const fromWholeNumber = (value: number): bigint | null => (Math.abs(value) >= 1e15 ? null : limitUnits(BigInt(value)));

function floorUnits(units: bigint, scale: number): bigint {
  const unit = toPower(scale);
  const cut = units / unit;
  return units % unit < 0n ? cut - 1n : cut;
}

/** Texts by their bytes in UTF-8, which is the order of their code points. */
function compare(a: PresentValue, b: PresentValue): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

const COMPARISONS: Readonly<Record<ComparisonSign, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const DAY_MS = 86_400_000;

/** Days since 1970. The 31st of a month with 30 days is the 1st of the next. */
function countDays(text: string): number {
  const [year = 0, month = 1, day = 1] = text.slice(0, 10).split('-').map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / DAY_MS;
}

function printPart(value: Value, { name, scale }: ValueType): string {
  if (value === null) return '';
  return name === 'decimal' ? fromUnits(BigInt(value), scale) : String(value);
}

function calculate(a: bigint, b: bigint, op: Expression['op']): bigint | null {
  switch (op) {
    case 'add':
      return limitUnits(a + b);
    case 'subtract':
      return limitUnits(a - b);
    case 'multiply':
      return limitUnits(a * b);
    default:
      return b === 0n ? null : a % b;
  }
}

function calculateNumber(a: number, b: number, op: Expression['op']): number | null {
  switch (op) {
    case 'add':
      return limitNumber(a + b);
    case 'subtract':
      return limitNumber(a - b);
    case 'multiply':
      return limitNumber(a * b);
    default:
      return b === 0 ? null : limitNumber(a / b);
  }
}

const negate = (value: PresentValue): bigint | number => (typeof value === 'bigint' ? -value : -Number(value));

/** Operations that are null if one of their parts is. */
function applyStrict({ op, type, parts, sign = '=' }: Expression, values: readonly Value[]): Value {
  const present = values.filter((value) => value !== null);
  const [a, b = a] = present;
  if (a === undefined || b === undefined || present.length < values.length) return null;
  const from = parts[0]?.type ?? type;
  switch (op) {
    case 'scale':
      return BigInt(a) * toPower(type.scale - from.scale);
    case 'rescale':
      return limitUnits(BigInt(a) * toPower(type.scale - from.scale));
    case 'number':
      return Number(a) / Number(toPower(from.scale));
    case 'units':
      return a;
    case 'negate':
      return negate(a);
    case 'abs':
      return compare(a, 0n) < 0 ? negate(a) : a;
    case 'add':
    case 'subtract':
    case 'multiply':
    case 'divide':
    case 'remainder':
      return isExact(type) ? calculate(BigInt(a), BigInt(b), op) : calculateNumber(Number(a), Number(b), op);
    case 'compare':
      return COMPARISONS[sign](compare(a, b)) ? 1n : 0n;
    case 'not':
      return a === 0n ? 1n : 0n;
    case 'round':
      return isExact(from) ? roundUnits(BigInt(a), from.scale, type.scale) : roundNumber(Number(a), type.scale);
    case 'floor':
      return isExact(from) ? floorUnits(BigInt(a), from.scale) : fromWholeNumber(Math.floor(Number(a)));
    case 'ceil':
      return isExact(from) ? -floorUnits(-BigInt(a), from.scale) : fromWholeNumber(Math.ceil(Number(a)));
    case 'length':
      return BigInt([...String(a)].length);
    case 'year':
      return BigInt(String(a).slice(0, 4));
    case 'month':
      return BigInt(String(a).slice(5, 7));
    case 'day':
      return BigInt(String(a).slice(8, 10));
    default:
      return BigInt(countDays(String(b)) - countDays(String(a)));
  }
}

function findExtreme({ op, type }: Expression, values: readonly Value[]): Value {
  const sorted = values.filter((value) => value !== null).sort(compare);
  const found = (op === 'least' ? sorted[0] : sorted.at(-1)) ?? null;
  return isExact(type) && typeof found === 'bigint' ? limitUnits(found) : found;
}

function readColumn({ column = '', type }: Expression, row: ValueRow): Value {
  const value = row.read(column);
  if (type.name === 'whole' && typeof value === 'bigint') return limitUnits(value);
  if (type.name === 'number' && typeof value === 'number') return limitNumber(value);
  if (type.name !== 'date' && type.name !== 'moment') return value;
  return value !== null && isTimeText(type.name, String(value)) ? value : null;
}

/**
 * Computes an expression of a row, as both databases do: for previews, and to check the databases by. No text of it is run.
 */
export function evaluate(expression: Expression, row: ValueRow): Value {
  const { op, parts, type } = expression;
  const read = (index: number): Value => evaluate(getPart(expression, index), row);
  const related = expression.related === undefined ? [] : row.related(expression.related);
  switch (op) {
    case 'literal':
      return expression.value ?? null;
    case 'column':
      return readColumn(expression, row);
    case 'count':
      return BigInt(related.length);
    case 'sum': {
      const values = related.map((one) => evaluate(getPart(expression, 0), one));
      return limitUnits(values.reduce((sum: bigint, value) => sum + BigInt(value ?? 0n), 0n));
    }
    case 'and':
    case 'or': {
      const values = [read(0), read(1)];
      const deciding = op === 'and' ? 0n : 1n;
      if (values.includes(deciding)) return deciding;
      return values.includes(null) ? null : 1n - deciding;
    }
    case 'if':
      return read(read(0) === 1n ? 1 : 2);
    case 'coalesce':
      return parts.map((_, index) => read(index)).find((value) => value !== null) ?? null;
    case 'concat': {
      const text = parts.map((part, index) => printPart(read(index), part.type)).join('');
      return text === '' ? null : text;
    }
    case 'least':
    case 'greatest':
      return findExtreme(
        expression,
        parts.map((_, index) => read(index)),
      );
    default: {
      const value = applyStrict(
        expression,
        parts.map((_, index) => read(index)),
      );
      // A double has a negative zero, which a row has not.
      return type.name === 'number' && value === 0 ? 0 : value;
    }
  }
}
