import { sql } from 'kysely';
import type { Dialect } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { fromUnits } from '../../../model/decimal/decimal.ts';
import type { SourceColumn } from '../source/source.ts';
import type { Fragment } from '../sql/exact-double.ts';
import { buildRef } from './condition.ts';

/** Sums and averages of groups: the database gives exact parts, and JavaScript puts them together. */

/** The columns of a sum or an average, for the order of the groups; exact parts are in columns beside it. */
export const SUM = 'total';
export const AVERAGE = 'average';
/** A second column for the order by averages: what the whole part leaves. */
export const AVERAGE_REST = 'treadle_average_order';

interface PartNames {
  readonly digits: string;
  readonly low: string;
  readonly rest: string;
  readonly restCount: string;
  readonly count: string;
}

const toNames = (start: string): PartNames => ({
  digits: `treadle_${start}`,
  low: `treadle_${start}_low`,
  rest: `treadle_${start}_rest`,
  restCount: `treadle_${start}_rest_count`,
  count: `treadle_${start}_count`,
});
const OF_SUM = toNames('sum');
const OF_AVERAGE = toNames('average');

/**
 * SQLite's sum of integers fails beyond 64 bits, and the driver returns numbers: two halves of 26 bits each stay exact for
 * 67 million rows.
 */
const HALF = 2 ** 26;
/** A sum of more doubles depends on their order from here on. */
const SURE_DOUBLES = 2;
/** Digits that a sum of doubles keeps on both databases. */
const SURE_DIGITS = 15;
/** Digits of an average after those of its column. */
const MORE_DIGITS = 4;

/** Digits after the point that a sum of the column has exactly. */
const toDigits = ({ decimals, scale }: SourceColumn): number => scale ?? decimals ?? 0;

/** 100 for doubles of two decimals. */
const toFactor = ({ decimals = 0 }: SourceColumn): number => 10 ** decimals;

/** True if a double is the nearest to a decimal of so many digits: division rounds correctly (IEEE 754, 5.1). */
function buildFitTest(ref: Fragment, column: SourceColumn): Fragment {
  const factor = sql.raw(`${toFactor(column)}.0`);
  const most = sql.raw(`${2 ** 53 / toFactor(column)}`);
  return sql`(case when abs(${ref}) < ${most} then round(${ref} * ${factor}) / ${factor} = ${ref} else ${ref} is null end)`;
}

const as = (value: Fragment, name: string): Fragment => sql`${value} as ${sql.ref(name)}`;

/** The exact parts of a sum, and the sum as the database itself compares it. */
interface CompiledSum {
  readonly parts: readonly Fragment[];
  /** Of whole numbers and decimals a whole number of the smallest unit. */
  readonly sum: Fragment;
}

function compileSqlite(ref: Fragment, column: SourceColumn, names: PartNames): CompiledSum {
  const factor = sql.raw(`${toFactor(column)}.0`);
  const isWhole = column.decimals === undefined;
  const fits = buildFitTest(ref, column);
  const whole = isWhole ? ref : sql`case when ${fits} then cast(round(${ref} * ${factor}) as integer) end`;
  const high = sql`coalesce(sum((${whole}) / ${sql.lit(HALF)}), 0)`;
  const low = sql`coalesce(sum((${whole}) % ${sql.lit(HALF)}), 0)`;
  const sum = sql`(${high} * ${sql.lit(HALF)} + ${low})`;
  const parts = [as(high, names.digits), as(low, names.low)];
  if (isWhole) return { parts, sum };
  const rest = sql`total(case when ${fits} then null else ${ref} end)`;
  const restCount = as(sql`count(case when ${fits} then null else 1 end)`, names.restCount);
  return { parts: [...parts, as(rest, names.rest), restCount], sum: sql`(${sum} / ${factor} + ${rest})` };
}

function compilePostgres(ref: Fragment, column: SourceColumn, names: PartNames): CompiledSum {
  const { scale = 0 } = column;
  if (column.decimals === undefined) {
    const sum = sql`cast(coalesce(sum(${ref}), 0) * ${sql.raw(String(10 ** scale))} as numeric)`;
    return { parts: [as(sql`cast(trunc(${sum}) as text)`, names.digits)], sum };
  }
  const fits = buildFitTest(ref, column);
  // By way of text: a cast from a double keeps 15 digits only.
  const exact = sql`cast(cast(${ref} as text) as numeric)`;
  const sum = sql`coalesce(sum(case when ${fits} then ${exact} end), 0)`;
  const rest = sql`coalesce(sum(case when ${fits} then null else ${exact} end), 0)`;
  const parts = [
    as(sql`cast(round(${sum} * ${sql.raw(String(toFactor(column)))}) as text)`, names.digits),
    as(sql`cast(${rest} as text)`, names.rest),
    as(sql`count(case when ${fits} then null else 1 end)`, names.restCount),
  ];
  return { parts, sum: sql`(${sum} + ${rest})` };
}

const compileParts = (column: SourceColumn, dialect: Dialect, names: PartNames): CompiledSum => {
  const ref = buildRef(column, dialect);
  return dialect === 'sqlite' ? compileSqlite(ref, column, names) : compilePostgres(ref, column, names);
};

/**
 * Sums whole numbers and decimals exactly, the same on both databases. What is no decimal of the column's digits, such as
 * 2/3, is summed apart, as doubles.
 */
export function compileSum(column: SourceColumn, dialect: Dialect): Fragment[] {
  const { parts, sum } = compileParts(column, dialect, OF_SUM);
  return [...parts, as(sum, SUM)];
}

/**
 * An average of the values that are there. Groups sort by its whole part, then by the fraction: both databases compare these
 * alike, and exactly.
 */
export function compileAverage(column: SourceColumn, dialect: Dialect): Fragment[] {
  const { parts, sum } = compileParts(column, dialect, OF_AVERAGE);
  const counted = sql`count(${buildRef(column, dialect)})`;
  const all = [...parts, as(counted, OF_AVERAGE.count)];
  const count = sql`nullif(${counted}, 0)`;
  if (column.decimals !== undefined) {
    const average = sql`cast(${sum} as double precision) / ${count}`;
    return [...all, as(average, AVERAGE), as(sql`0`, AVERAGE_REST)];
  }
  const whole = dialect === 'sqlite' ? sql`${sum} / ${count}` : sql`div(${sum}, ${count})`;
  const rest = dialect === 'sqlite' ? sql`${sum} % ${count}` : sql`mod(${sum}, ${count})`;
  return [...all, as(whole, AVERAGE), as(sql`cast(${rest} as double precision) / ${count}`, AVERAGE_REST)];
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** The exact part of a sum, in the smallest unit. */
function readDigits(row: Row, { digits, low }: PartNames): bigint {
  const read = BigInt(String(row[digits]));
  return row[low] === undefined ? read : read * BigInt(HALF) + BigInt(String(row[low]));
}

/** A sum: of decimals a text with all of their digits; else a number, or a text of digits if no number holds it. */
function readTotal(row: Row, column: SourceColumn, names: PartNames): number | string {
  const all = fromUnits(readDigits(row, names), toDigits(column));
  if (column.scale !== undefined) return all;
  const exact = trimZeros(all);
  const count = Number(row[names.restCount] ?? 0);
  if (count === 0) return String(Number(exact)) === exact ? Number(exact) : exact;
  const sum = Number(exact) + Number(row[names.rest]);
  return count > SURE_DOUBLES ? Number(sum.toPrecision(SURE_DIGITS)) : sum;
}

/** The nearest whole number to a quotient; halves go away from zero. */
function divide(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const quotient = (2n * size + divisor) / (2n * divisor);
  return dividend < 0n ? -quotient : quotient;
}

/** An average, with four digits more than the column has: of decimals as text. Null if there is no value. */
function readMean(row: Row, column: SourceColumn): number | string | null {
  const count = Number(row[OF_AVERAGE.count]);
  if (count === 0) return null;
  if (Number(row[OF_AVERAGE.restCount] ?? 0) > 0) {
    const mean = Number(readTotal(row, column, OF_AVERAGE)) / count;
    return Number(mean.toPrecision(SURE_DIGITS));
  }
  const units = divide(readDigits(row, OF_AVERAGE) * 10n ** BigInt(MORE_DIGITS), BigInt(count));
  const text = fromUnits(units, toDigits(column) + MORE_DIGITS);
  return column.scale === undefined ? Number(text) : text;
}

const PARTS: readonly string[] = [...Object.values(OF_SUM), ...Object.values(OF_AVERAGE), AVERAGE_REST];

/** What a search adds up, and of what it gives the average. */
export interface Totals {
  readonly sum: SourceColumn | undefined;
  readonly average: SourceColumn | undefined;
}

/** Puts the parts of {@link compileSum} and {@link compileAverage} together, in place. */
export function readTotals(row: Row, { sum, average }: Totals): void {
  if (sum !== undefined) row[SUM] = readTotal(row, sum, OF_SUM);
  if (average !== undefined) row[AVERAGE] = readMean(row, average);
  if (sum !== undefined || average !== undefined) for (const name of PARTS) delete row[name];
}

/** The sum and the average of no row. */
export const createNoTotals = ({ sum, average }: Totals): Row => ({
  ...(sum === undefined ? {} : { [SUM]: sum.scale === undefined ? 0 : fromUnits(0, sum.scale) }),
  ...(average === undefined ? {} : { [AVERAGE]: null }),
});
