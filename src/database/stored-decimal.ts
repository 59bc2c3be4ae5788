import { type RawBuilder, sql } from 'kysely';
import { fromUnits, toUnits } from '../model/decimal/decimal.ts';
import type { Dialect } from './database.ts';

/** A decimal is a text with all of its digits. PostgreSQL stores it as such, SQLite as a whole number of its smallest unit. */

/** A decimal as its column stores it; undefined if a column of so many digits after the point cannot have it. */
export function toStoredDecimal(value: unknown, scale: number, dialect: Dialect): string | number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const units = toUnits(value, scale);
  return units === undefined || dialect === 'sqlite' ? units : fromUnits(units, scale);
}

/**
 * The text of a decimal that a column gives: a number, of 15 digits at most, which a double keeps. A text is returned as it is, and
 * so is a number that another program wrote and that no decimal is.
 */
export function fromStoredDecimal(value: number, scale: number, dialect: Dialect): number | string;
export function fromStoredDecimal(value: unknown, scale: number, dialect: Dialect): unknown;
export function fromStoredDecimal(value: unknown, scale: number, dialect: Dialect): unknown {
  if (typeof value !== 'number') return value;
  const units = dialect === 'sqlite' ? value : toUnits(value, scale);
  return units !== undefined && Number.isSafeInteger(units) ? fromUnits(units, scale) : value;
}

/** SQLite: the text of a decimal, of its smallest units. Null stays null. @param units A column. */
export function printUnits(units: RawBuilder<unknown>, scale: number): RawBuilder<unknown> {
  if (scale === 0) return sql`cast(${units} as text)`;
  const one = sql.raw(String(10 ** scale));
  const part = sql`substr(${sql.lit('0'.repeat(scale))} || (abs(${units}) % ${one}), ${sql.raw(String(-scale))})`;
  return sql`(case when ${units} < 0 then '-' else '' end || (abs(${units}) / ${one}) || '.' || ${part})`;
}

/**
 * SQLite: the smallest units of a decimal's text. Its conversion to a double and the product are off by less than a third of a
 * unit, for decimals of 15 digits. Null stays null.
 */
export const countUnits = (text: RawBuilder<unknown>, scale: number): RawBuilder<unknown> =>
  sql`cast(round((${text}) * ${sql.raw(`1${'0'.repeat(scale)}`)}) as integer)`;
