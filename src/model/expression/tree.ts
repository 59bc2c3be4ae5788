import type { WayKeys } from '../way-keys.ts';
import type { ComparisonSign } from './parse.ts';

/** The types of values. `whole` and `decimal` are exact, `number` is a double; `null` is that of the literal alone. */
export interface ValueType {
  readonly name: 'whole' | 'decimal' | 'number' | 'text' | 'flag' | 'date' | 'moment' | 'null';
  /** Digits after the point: 0 but for decimals. */
  readonly scale: number;
}

/** Digits of an exact value at most, on both sides of the point together. A longer result is null. */
export const MOST_DIGITS = 15;
/** The first whole number of the smallest unit that has too many digits. */
export const UNIT_BOUND = 10n ** BigInt(MOST_DIGITS);

/**
 * A double beyond this, or nearer to 0 than its inverse, is null: then the product and the quotient of two never overflow, which
 * PostgreSQL refuses. It is a product of what a double holds exactly, so that each database computes the same bound.
 */
export const NUMBER_FACTOR = 1e22;
export const NUMBER_FACTORS = 6;

/** Results of these have at most 15 digits, or are null. */
type ExactOperation = 'add' | 'subtract' | 'multiply' | 'rescale' | 'least' | 'greatest';

export type Operation =
  | ExactOperation
  | 'literal'
  | 'column'
  | 'count'
  | 'sum'
  /** As many digits after the point as the type says, without a limit: for what is compared or added next. */
  | 'scale'
  /** A double. */
  | 'number'
  /** A flag as 1 or 0. */
  | 'units'
  | 'negate'
  | 'divide'
  | 'remainder'
  | 'compare'
  | 'and'
  | 'or'
  | 'not'
  | 'if'
  | 'coalesce'
  | 'round'
  | 'floor'
  | 'ceil'
  | 'abs'
  | 'length'
  | 'concat'
  | 'year'
  | 'month'
  | 'day'
  | 'days';

/** The rows of a relation that `count` and `sum` read. */
export interface RelatedRowsOf {
  /** The relation's name, as `filter[name.column]` takes it. */
  readonly name: string;
  readonly keys: WayKeys;
}

/** A checked expression: every part has a type, and every name is a column of the model. */
export interface Expression {
  readonly op: Operation;
  readonly type: ValueType;
  readonly parts: readonly Expression[];
  /** Of a literal: units of an exact number, a text, 1 or 0 of a flag, or null. */
  readonly value?: bigint | string | null;
  /** Of a column: its full name. */
  readonly column?: string;
  /** Full name of the computed field whose expression the part is. */
  readonly field?: string;
  /** Of a comparison. */
  readonly sign?: ComparisonSign;
  /** Of a count or a sum. The part of a sum is read from each related row. */
  readonly related?: RelatedRowsOf;
  /** Of a double. */
  readonly range?: NumberRange;
  /** True for a double that may leave the range in which two can be multiplied: then it is null. */
  readonly isLimited?: boolean;
  /** Levels of parts. */
  readonly depth: number;
  /** Number of parts in all, as often as SQL repeats them. */
  readonly size: number;
}

/** A part by its index. Which parts an operation has was checked when it was made. */
export function getPart({ op, parts }: Expression, index: number): Expression {
  const part = parts[index];
  if (part === undefined) throw new TypeError(`"${op}" has no part ${index}`);
  return part;
}

/** Between which powers of ten a double is that is not 0. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
}

/** What a list of a definition file calls a type. */
export function printType({ name, scale }: ValueType): string {
  if (name === 'decimal') return `decimal of scale ${scale}`;
  return name === 'whole' ? 'whole number' : name;
}
