import type { ValueType } from '../../model/expression/tree.ts';

/**
 * How a dialect spells the parts of an expression. A value is one text of SQL, in parentheses where it needs them.
 *
 * On SQLite an exact number is a whole number of its smallest unit, on PostgreSQL a `numeric`. Both give the same values to
 * the last bit, and neither raises an error for any row.
 */
export interface Sql {
  literal(value: bigint | string | null, type: ValueType): string;
  /** A column, without what no expression can compute with. */
  column(ref: string, type: ValueType): string;
  /** Null if an exact number has more than 15 digits. */
  limit(value: string, scale: number): string;
  /** Null if a double is too large or too near to 0. */
  limitNumber(value: string): string;
  /** An exact number with more digits after the point, not limited. */
  scale(value: string, digits: number): string;
  /** An exact number as a double. */
  number(value: string, scale: number): string;
  /** A flag as a whole number. */
  units(value: string): string;
  /** A condition as 1, 0 or null. */
  fromTest(test: string): string;
  /** A text as both databases compare it: by its bytes. */
  text(value: string): string;
  /** Nulls are left out. */
  extreme(op: 'least' | 'greatest', values: readonly string[], type: ValueType): string;
  /** A part of a text; null is an empty one. */
  part(value: string, type: ValueType): string;
  round(value: string, from: number, to: number): string;
  /** Not limited yet. */
  roundNumber(value: string, scale: number): string;
  cut(op: 'floor' | 'ceil', value: string, scale: number): string;
  /** Not limited yet. */
  cutNumber(op: 'floor' | 'ceil', value: string): string;
  length(value: string): string;
  datePart(part: 'year' | 'month' | 'day', value: string): string;
  days(from: string, until: string): string;
  count(query: string): string;
  /** The sum of a column of related rows; 0 if there are none. */
  sum(value: string, type: ValueType): string;
  /** The whole expression, with the type of a column. */
  result(value: string, type: ValueType): string;
}
