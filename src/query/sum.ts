import { sql } from 'kysely';
import type { Dialect, Row } from '../database/database.ts';
import { toRef } from './condition.ts';
import type { Fragment } from './operator.ts';
import type { SourceColumn } from './source-column.ts';

/** The column of a sum, for the order of the groups; its exact parts are in columns beside it. */
export const SUM = 'total';
const [DIGITS, LOW, REST, REST_COUNT] = ['treadle_sum', 'treadle_sum_low', 'treadle_rest', 'treadle_rest_count'];

/**
 * SQLite's sum of integers fails beyond 64 bits, and the driver returns numbers: two halves of 26 bits each stay exact for
 * 67 million rows.
 */
const HALF = 2 ** 26;
/** A sum of more doubles depends on their order from here on. */
const SURE_DOUBLES = 2;
/** Digits that a sum of doubles keeps on both databases. */
const SURE_DIGITS = 15;

const toScale = ({ decimals = 0 }: SourceColumn): number => 10 ** decimals;

/** True if a double is the nearest to a decimal of so many digits: division rounds correctly (IEEE 754, 5.1). */
function toFits(ref: Fragment, column: SourceColumn): Fragment {
  const scale = sql.raw(`${toScale(column)}.0`);
  const most = sql.raw(`${2 ** 53 / toScale(column)}`);
  return sql`(case when abs(${ref}) < ${most} then round(${ref} * ${scale}) / ${scale} = ${ref} else ${ref} is null end)`;
}

const as = (value: Fragment, name: string): Fragment => sql`${value} as ${sql.ref(name)}`;

function compileSqlite(ref: Fragment, column: SourceColumn): Fragment[] {
  const scale = sql.raw(`${toScale(column)}.0`);
  const isWhole = column.decimals === undefined;
  const fits = toFits(ref, column);
  const whole = isWhole ? ref : sql`case when ${fits} then cast(round(${ref} * ${scale}) as integer) end`;
  const high = sql`coalesce(sum((${whole}) / ${sql.lit(HALF)}), 0)`;
  const low = sql`coalesce(sum((${whole}) % ${sql.lit(HALF)}), 0)`;
  const sum = sql`${high} * ${sql.lit(HALF)} + ${low}`;
  const rest = sql`total(case when ${fits} then null else ${ref} end)`;
  const parts = [as(high, DIGITS), as(low, LOW), as(isWhole ? sum : sql`(${sum}) / ${scale} + ${rest}`, SUM)];
  if (isWhole) return parts;
  return [...parts, as(rest, REST), as(sql`count(case when ${fits} then null else 1 end)`, REST_COUNT)];
}

function compilePostgres(ref: Fragment, column: SourceColumn): Fragment[] {
  if (column.decimals === undefined) {
    const sum = sql`coalesce(sum(${ref}), 0)`;
    return [as(sql`cast(${sum} as text)`, DIGITS), as(sum, SUM)];
  }
  const fits = toFits(ref, column);
  // By way of text: a cast from a double keeps 15 digits only.
  const exact = sql`cast(cast(${ref} as text) as numeric)`;
  const sum = sql`coalesce(sum(case when ${fits} then ${exact} end), 0)`;
  const rest = sql`coalesce(sum(case when ${fits} then null else ${exact} end), 0)`;
  return [
    as(sql`cast(round(${sum} * ${sql.raw(String(toScale(column)))}) as text)`, DIGITS),
    as(sql`${sum} + ${rest}`, SUM),
    as(sql`cast(${rest} as text)`, REST),
    as(sql`count(case when ${fits} then null else 1 end)`, REST_COUNT),
  ];
}

/**
 * Sums whole numbers and decimals exactly, the same on both databases. What is no decimal of the column's digits, such as
 * 2/3, is summed apart, as doubles.
 */
export function compileSum(column: SourceColumn, dialect: Dialect): Fragment[] {
  const ref = toRef(column);
  return dialect === 'sqlite' ? compileSqlite(ref, column) : compilePostgres(ref, column);
}

function toDecimal(digits: bigint, decimals: number): string {
  const text = String(digits < 0n ? -digits : digits).padStart(decimals + 1, '0');
  const [whole, part] = [text.slice(0, text.length - decimals), text.slice(text.length - decimals).replace(/0+$/, '')];
  return `${digits < 0n ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`;
}

/** The sum: a number, or a text of digits if no number holds it. */
function readSum(row: Row, { decimals = 0 }: SourceColumn): number | string {
  const digits = BigInt(String(row[DIGITS]));
  const exact = toDecimal(row[LOW] === undefined ? digits : digits * BigInt(HALF) + BigInt(String(row[LOW])), decimals);
  const count = Number(row[REST_COUNT] ?? 0);
  if (count === 0) return String(Number(exact)) === exact ? Number(exact) : exact;
  const sum = Number(exact) + Number(row[REST]);
  return count > SURE_DOUBLES ? Number(sum.toPrecision(SURE_DIGITS)) : sum;
}

/** Puts the parts of {@link compileSum} together. */
export function toSummed(row: Row, column: SourceColumn): Row {
  const { [DIGITS]: _digits, [LOW]: _low, [REST]: _rest, [REST_COUNT]: _count, ...shown } = row;
  return { ...shown, [SUM]: readSum(row, column) };
}
