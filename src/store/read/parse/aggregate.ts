import { sql } from 'kysely';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { Dialect } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { listNames } from '../../../model/filter/operand.ts';
import { toPlain } from '../../../model/filter/plain.ts';
import type { SourceColumn } from '../source/source.ts';
import type { Fragment } from '../sql/exact-double.ts';
import { buildRef } from './condition.ts';
import { type Draft, describeColumn, isGiven } from './draft.ts';
import { listSorts } from './order.ts';

/** A column to group rows by; a time is cut to its day, month or year. */
interface Group {
  readonly column: SourceColumn;
  readonly characters: number | undefined;
}

interface GroupOrder {
  /** A group's column, or the count or total. */
  readonly name: string;
  readonly isDescending: boolean;
}

/** A search that returns groups instead of rows. */
export interface Aggregate {
  readonly groups: readonly Group[];
  /** Column to sum. */
  readonly sum: SourceColumn | undefined;
  /** Column to count values of; undefined counts rows. */
  readonly count: SourceColumn | undefined;
  readonly order: readonly GroupOrder[];
  /** The part of the statement's cache key that depends on the aggregate. */
  readonly key: string;
}

const MAX_GROUPS = 5;
/** Leading characters of `YYYY-MM-DD HH:MM:SS` to keep for each unit. */
const UNITS: Readonly<Record<string, number>> = { day: 10, month: 7, year: 4 };
const COUNT = 'count';

type Input = Readonly<Record<string, unknown>>;
type Columns = ReadonlyMap<string, SourceColumn>;

function readGroup(text: string, columns: Columns, draft: Draft): Group | string {
  const [name = '', unit, ...more] = text.split(':');
  const column = columns.get(name);
  if (!column) return describeColumn(name, draft.source, columns, 'a column to group by');
  if (unit === undefined) return { column, characters: undefined };
  const characters = Object.hasOwn(UNITS, unit) && more.length === 0 ? UNITS[unit] : undefined;
  const isTime = column.type === 'moment' || column.type === 'date';
  return characters === undefined || !isTime
    ? `"${text.slice(0, 64)}" is not a valid group: add :day, :month or :year to a time only.`
    : { column, characters };
}

function readGroups(input: Input, draft: Draft): Group[] {
  const columns = new Map([...draft.source.sure].filter(([, { type }]) => type !== 'json'));
  const names = isGiven(input.group) ? listNames(input.group) : [];
  if (names.length > MAX_GROUPS) draft.errors.group = `"group" takes at most ${MAX_GROUPS} columns.`;
  const groups: Group[] = [];
  for (const name of names.slice(0, MAX_GROUPS)) {
    const group = readGroup(name, columns, draft);
    if (typeof group === 'string') draft.errors.group = group;
    else if (!groups.some((other) => other.column.name === group.column.name)) groups.push(group);
  }
  return groups;
}

function parseSum(input: Input, draft: Draft): SourceColumn | undefined {
  if (!isGiven(input.sum)) return undefined;
  const numbers = new Map([...draft.source.sure].filter(([, { type }]) => type === 'number' || type === 'flag'));
  const name = toPlain(input.sum);
  const column = numbers.get(name);
  if (!column) draft.errors.sum = describeColumn(name, draft.source, numbers, 'a number');
  return column;
}

function readCount(input: Input, draft: Draft): SourceColumn | undefined {
  const name = toPlain(input.count).trim();
  if (!isGiven(input.count) || ['1', 'true', '*'].includes(name)) return undefined;
  const column = draft.source.sure.get(name);
  if (!column) draft.errors.count = describeColumn(name, draft.source, draft.source.sure, 'a column to count');
  return column;
}

function readOrder(input: Input, groups: readonly Group[], hasSum: boolean, draft: Draft): GroupOrder[] {
  const parameter = isGiven(input.sort) ? 'sort' : 'order';
  const names = [...groups.map(({ column }) => column.name), COUNT, ...(hasSum ? [SUM] : [])];
  const order: GroupOrder[] = [];
  for (const [name, direction] of isGiven(input[parameter]) ? listSorts(input[parameter]) : []) {
    const isDescending = toPlain(direction).toUpperCase() === 'DESC';
    if (names.includes(name)) order.push({ name, isDescending });
    else draft.errors[parameter] = `"${name.slice(0, 64)}" is not a column of the groups. ${toDidYouMean(name, names)}`;
  }
  const rest = groups.filter(({ column }) => !order.some(({ name }) => name === column.name));
  return [...order, ...rest.map(({ column }) => ({ name: column.name, isDescending: false }))];
}

/** Parses `group`, `sum` and `count`; undefined if none is given. */
export function parseAggregate(input: Input, draft: Draft): Aggregate | undefined {
  if (!isGiven(input.group) && !isGiven(input.sum) && !isGiven(input.count)) return undefined;
  const groups = readGroups(input, draft);
  const sum = parseSum(input, draft);
  const count = readCount(input, draft);
  for (const name of ['after', 'before', 'fields', 'columns', 'expand']) {
    if (isGiven(input[name])) draft.errors[name] = `"${name}" cannot be combined with groups.`;
  }
  const order = readOrder(input, groups, sum !== undefined, draft);
  const names = groups.map(({ column, characters }) => `${column.name}:${characters ?? ''}`);
  const sorts = order.map(({ name, isDescending }) => `${isDescending ? '-' : ''}${name}`);
  const key = `${names.join()} ${sum?.name ?? ''} ${count?.name ?? ''} ${sorts.join()}`;
  return { groups, sum, count, order, key };
}

function buildGroupRef({ column, characters }: Group): Fragment {
  const ref = buildRef(column);
  return characters === undefined ? ref : sql`substr(${ref}, 1, ${sql.lit(characters)})`;
}

/** The parts of a statement that groups rows. */
export interface AggregateSql {
  readonly list: Fragment;
  readonly groupBy: Fragment;
  readonly orderBy: Fragment;
}

/** Compiles an aggregate. */
export function compileAggregate({ groups, sum, count, order }: Aggregate, dialect: Dialect): AggregateSql {
  const refs = groups.map(buildGroupRef);
  const counted = count === undefined ? sql`count(*)` : sql`count(${buildRef(count)})`;
  const list = [
    ...groups.map(({ column }, index) => sql`${refs[index]} as ${sql.ref(column.name)}`),
    sql`${counted} as ${sql.ref(COUNT)}`,
    ...(sum === undefined ? [] : compileSum(sum, dialect)),
  ];
  const sorts = order.map(({ name, isDescending }) => {
    const nulls = dialect === 'postgres' ? (isDescending ? sql` nulls last` : sql` nulls first`) : sql``;
    return sql`${sql.ref(name)} ${isDescending ? sql`desc` : sql`asc`}${nulls}`;
  });
  return {
    list: sql.join(list),
    groupBy: refs.length === 0 ? sql`` : sql`group by ${sql.join(refs)}`,
    orderBy: sorts.length === 0 ? sql`` : sql`order by ${sql.join(sorts)}`,
  };
}

/** The groups as rows: a count is a number, a sum is exact. */
export const toGroupRows = (rows: readonly Row[], { sum }: Aggregate): Row[] =>
  rows.map((row) => {
    const counted = { ...row, [COUNT]: Number(row[COUNT]) };
    return sum === undefined ? counted : sumColumn(counted, sum);
  });

/** The column of a sum, for the order of the groups; its exact parts are in columns beside it. */
const SUM = 'total';
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
function buildFitTest(ref: Fragment, column: SourceColumn): Fragment {
  const scale = sql.raw(`${toScale(column)}.0`);
  const most = sql.raw(`${2 ** 53 / toScale(column)}`);
  return sql`(case when abs(${ref}) < ${most} then round(${ref} * ${scale}) / ${scale} = ${ref} else ${ref} is null end)`;
}

const as = (value: Fragment, name: string): Fragment => sql`${value} as ${sql.ref(name)}`;

function compileSqlite(ref: Fragment, column: SourceColumn): Fragment[] {
  const scale = sql.raw(`${toScale(column)}.0`);
  const isWhole = column.decimals === undefined;
  const fits = buildFitTest(ref, column);
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
  const fits = buildFitTest(ref, column);
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
function compileSum(column: SourceColumn, dialect: Dialect): Fragment[] {
  const ref = buildRef(column);
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
function sumColumn(row: Row, column: SourceColumn): Row {
  const { [DIGITS]: _digits, [LOW]: _low, [REST]: _rest, [REST_COUNT]: _count, ...shown } = row;
  return { ...shown, [SUM]: readSum(row, column) };
}
