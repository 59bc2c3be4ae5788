import { sql } from 'kysely';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { Dialect } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { fromStoredDecimal } from '../../../database/stored-decimal.ts';
import { listNames } from '../../../model/filter/operand.ts';
import { toPlain } from '../../../model/filter/plain.ts';
import { AGGREGATES } from '../../../model/shape.ts';
import type { SourceColumn } from '../source/source.ts';
import type { Fragment } from '../sql/exact-double.ts';
import { buildRef } from './condition.ts';
import { type Draft, describeColumn, isGiven } from './draft.ts';
import {
  AVERAGE,
  AVERAGE_REST,
  compileAverage,
  compileSum,
  createNoTotals,
  readTotals,
  SUM,
  type Totals,
} from './exact-sum.ts';
import { listSorts } from './order.ts';

/** A column to group rows by; a time is cut to its hour, day, week, month or year. */
interface Group {
  readonly column: SourceColumn;
  readonly unit: Unit | undefined;
}

interface GroupOrder {
  /** A group's column, or what is made of the group's rows: `count`, `total`, `average`, `least`, `greatest`. */
  readonly name: string;
  readonly isDescending: boolean;
}

/** A search that returns groups instead of rows. */
export interface Aggregate extends Totals {
  readonly groups: readonly Group[];
  /** Column to count values of; undefined counts rows. */
  readonly count: SourceColumn | undefined;
  /** The columns of which the least and the greatest value are read. */
  readonly ends: Readonly<Partial<Record<End, SourceColumn>>>;
  readonly order: readonly GroupOrder[];
  /** The part of the statement's cache key that depends on the aggregate. */
  readonly key: string;
}

const MAX_GROUPS = 5;
/** Leading characters of `YYYY-MM-DD HH:MM:SS` to keep for each unit; a week is computed. */
const UNITS = { hour: 13, day: 10, week: undefined, month: 7, year: 4 } as const;
type Unit = keyof typeof UNITS;
const COUNT = 'count';
const ENDS = ['least', 'greatest'] as const;
type End = (typeof ENDS)[number];

type Input = Readonly<Record<string, unknown>>;
type Columns = ReadonlyMap<string, SourceColumn>;

const isUnit = (text: string): text is Unit => Object.hasOwn(UNITS, text);

function readGroup(text: string, columns: Columns, draft: Draft): Group | string {
  const [name = '', unit, ...more] = text.split(':');
  const column = columns.get(name);
  if (!column) return describeColumn(name, draft.source, columns, 'a column to group by');
  if (unit === undefined) return { column, unit };
  const isTime = column.type === 'moment' || column.type === 'date';
  if (!isUnit(unit) || more.length > 0 || !isTime)
    return `"${text.slice(0, 64)}" is not a valid group: add :hour, :day, :week, :month or :year to a time only.`;
  if (unit === 'hour' && column.type === 'date')
    return `"${text.slice(0, 64)}" is not a valid group: a date has no hours. Add :day, :week, :month or :year.`;
  return { column, unit };
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

const NUMBERS: ReadonlySet<SourceColumn['type']> = new Set(['number', 'decimal', 'flag']);

/** The column of numbers that a parameter names. */
function readNumber(input: Input, parameter: 'sum' | 'average', draft: Draft): SourceColumn | undefined {
  if (!isGiven(input[parameter])) return undefined;
  const numbers = new Map([...draft.source.sure].filter(([, { type }]) => NUMBERS.has(type)));
  const name = toPlain(input[parameter]);
  const column = numbers.get(name);
  if (!column) draft.errors[parameter] = describeColumn(name, draft.source, numbers, 'a number');
  return column;
}

/** True for numbers and times: of a text the order tells nothing. */
export const hasEnds = ({ type, reader }: SourceColumn): boolean =>
  type === 'number' ||
  type === 'decimal' ||
  type === 'date' ||
  type === 'moment' ||
  // A time of a day, a week, a month.
  (type === 'text' && reader?.takesParts === false);

/** The columns that `least` and `greatest` name. */
function readEnds(input: Input, draft: Draft): Aggregate['ends'] {
  const ends: Partial<Record<End, SourceColumn>> = {};
  for (const end of ENDS) {
    if (!isGiven(input[end])) continue;
    const columns = new Map([...draft.source.sure].filter(([, column]) => hasEnds(column)));
    const name = toPlain(input[end]);
    const column = columns.get(name);
    if (column === undefined) draft.errors[end] = describeColumn(name, draft.source, columns, 'a number or a time');
    else ends[end] = column;
  }
  return ends;
}

function readCount(input: Input, draft: Draft): SourceColumn | undefined {
  const name = toPlain(input.count).trim();
  if (!isGiven(input.count) || ['1', 'true', '*'].includes(name)) return undefined;
  const column = draft.source.sure.get(name);
  if (!column) draft.errors.count = describeColumn(name, draft.source, draft.source.sure, 'a column to count');
  return column;
}

type GroupValues = Pick<Aggregate, 'sum' | 'average' | 'ends'>;

function readOrder(
  input: Input,
  groups: readonly Group[],
  { sum, average, ends }: GroupValues,
  draft: Draft,
): GroupOrder[] {
  const parameter = isGiven(input.sort) ? 'sort' : 'order';
  const totals = [
    ...(sum === undefined ? [] : [SUM]),
    ...(average === undefined ? [] : [AVERAGE]),
    ...Object.keys(ends),
  ];
  const names = [...groups.map(({ column }) => column.name), COUNT, ...totals];
  const order: GroupOrder[] = [];
  for (const [name, direction] of isGiven(input[parameter]) ? listSorts(input[parameter]) : []) {
    const isDescending = toPlain(direction).toUpperCase() === 'DESC';
    if (names.includes(name)) order.push({ name, isDescending });
    else draft.errors[parameter] = `"${name.slice(0, 64)}" is not a column of the groups. ${toDidYouMean(name, names)}`;
  }
  const rest = groups.filter(({ column }) => !order.some(({ name }) => name === column.name));
  return [...order, ...rest.map(({ column }) => ({ name: column.name, isDescending: false }))];
}

/** Parses `group` and what is made of each group's rows; undefined if neither is there. */
export function parseAggregate(input: Input, draft: Draft): Aggregate | undefined {
  if (!AGGREGATES.some((name) => isGiven(input[name]))) return undefined;
  const groups = readGroups(input, draft);
  const made: GroupValues = {
    sum: readNumber(input, 'sum', draft),
    average: readNumber(input, 'average', draft),
    ends: readEnds(input, draft),
  };
  const count = readCount(input, draft);
  for (const name of ['after', 'before', 'fields', 'columns', 'expand']) {
    if (isGiven(input[name])) draft.errors[name] = `"${name}" cannot be combined with groups.`;
  }
  const order = readOrder(input, groups, made, draft);
  const names = groups.map(({ column, unit }) => `${column.name}:${unit ?? ''}`);
  const sorts = order.map(({ name, isDescending }) => `${isDescending ? '-' : ''}${name}`);
  const columns = [made.sum, made.average, count, made.ends.least, made.ends.greatest];
  const key = `${names.join()} ${columns.map((column) => column?.name ?? '').join(' ')} ${sorts.join()}`;
  return { groups, ...made, count, order, key };
}

/**
 * The week of a time by its text, such as `2026-W48`. A week belongs to the year of its Thursday (ISO 8601), so the first days
 * of January may be of the last week of the year before. SQLite has a word for it since 3.46 only.
 */
function buildWeek(ref: Fragment, dialect: Dialect): Fragment {
  const day = sql`substr(${ref}, 1, 10)`;
  if (dialect === 'postgres') return sql`to_char(cast(${day} as date), ${sql.lit('IYYY"-W"IW')})`;
  const thursday = sql`${day}, '-3 days', 'weekday 4'`;
  return sql`strftime('%Y', ${thursday}) || '-W' || substr('0' || ((strftime('%j', ${thursday}) + 6) / 7), -2)`;
}

function buildGroupRef({ column, unit }: Group, dialect: Dialect): Fragment {
  const ref = buildRef(column, dialect);
  if (unit === undefined) return ref;
  const characters = UNITS[unit];
  return characters === undefined ? buildWeek(ref, dialect) : sql`substr(${ref}, 1, ${sql.lit(characters)})`;
}

/** The parts of a statement that groups rows. */
export interface AggregateSql {
  readonly list: Fragment;
  readonly groupBy: Fragment;
  /** The same for a statement that does not select {@link list}. */
  readonly countBy: Fragment;
  readonly orderBy: Fragment;
}

const toGroupBy = (refs: readonly Fragment[]): Fragment =>
  refs.length === 0 ? sql`` : sql`group by ${sql.join(refs)}`;

const compileEnds = ({ least, greatest }: Aggregate['ends'], dialect: Dialect): Fragment[] => [
  ...(least === undefined ? [] : [sql`min(${buildRef(least, dialect)}) as ${sql.ref('least')}`]),
  ...(greatest === undefined ? [] : [sql`max(${buildRef(greatest, dialect)}) as ${sql.ref('greatest')}`]),
];

/** Compiles an aggregate. */
export function compileAggregate(aggregate: Aggregate, dialect: Dialect): AggregateSql {
  const { groups, sum, average, count, ends, order } = aggregate;
  const refs = groups.map((group) => buildGroupRef(group, dialect));
  // Each value that a condition of a computed column binds would be another parameter in `group by`.
  const groupRefs = refs.map((ref, index) =>
    groups[index]?.column.computed === undefined ? ref : sql`${sql.lit(index + 1)}`,
  );
  const counted = count === undefined ? sql`count(*)` : sql`count(${buildRef(count, dialect)})`;
  const list = [
    ...groups.map(({ column }, index) => sql`${refs[index]} as ${sql.ref(column.name)}`),
    sql`${counted} as ${sql.ref(COUNT)}`,
    ...(sum === undefined ? [] : compileSum(sum, dialect)),
    ...(average === undefined ? [] : compileAverage(average, dialect)),
    ...compileEnds(ends, dialect),
  ];
  const sorts = order.flatMap(({ name, isDescending }) => {
    const nulls = dialect === 'postgres' ? (isDescending ? sql` nulls last` : sql` nulls first`) : sql``;
    const names = name === AVERAGE ? [AVERAGE, AVERAGE_REST] : [name];
    return names.map((each) => sql`${sql.ref(each)} ${isDescending ? sql`desc` : sql`asc`}${nulls}`);
  });
  return {
    list: sql.join(list),
    groupBy: toGroupBy(groupRefs),
    countBy: toGroupBy(refs),
    orderBy: sorts.length === 0 ? sql`` : sql`order by ${sql.join(sorts)}`,
  };
}

/** The columns of decimals in the rows, with the digits after the point. */
function listScales({ groups, ends }: Aggregate): [string, number][] {
  const columns = [
    ...groups.map(({ column }) => [column.name, column] as const),
    ...ENDS.flatMap((end) => (ends[end] === undefined ? [] : [[end, ends[end]] as const])),
  ];
  return columns.flatMap(([name, { scale }]) => (scale === undefined ? [] : [[name, scale]]));
}

/** The groups as rows: a count is a number, a sum is exact. */
export function toGroupRows(rows: readonly Row[], aggregate: Aggregate, dialect: Dialect): Row[] {
  const scales = listScales(aggregate);
  return rows.map((found) => {
    const row: Row = { ...found, [COUNT]: Number(found[COUNT]) };
    for (const [name, scale] of scales) row[name] = fromStoredDecimal(row[name], scale, dialect);
    readTotals(row, aggregate);
    return row;
  });
}

/** What is made of no row. */
export const createNoGroup = (aggregate: Aggregate): Row => ({
  [COUNT]: 0,
  ...createNoTotals(aggregate),
  ...Object.fromEntries(Object.keys(aggregate.ends).map((end) => [end, null])),
});
