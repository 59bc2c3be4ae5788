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
import { AVERAGE, AVERAGE_REST, compileAverage, compileSum, readTotals, SUM, type Totals } from './exact-sum.ts';
import { listSorts } from './order.ts';

/** A column to group rows by; a time is cut to its day, month or year. */
interface Group {
  readonly column: SourceColumn;
  readonly characters: number | undefined;
}

interface GroupOrder {
  /** A group's column, or the count, the total or the average. */
  readonly name: string;
  readonly isDescending: boolean;
}

/** A search that returns groups instead of rows. */
export interface Aggregate extends Totals {
  readonly groups: readonly Group[];
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

function readCount(input: Input, draft: Draft): SourceColumn | undefined {
  const name = toPlain(input.count).trim();
  if (!isGiven(input.count) || ['1', 'true', '*'].includes(name)) return undefined;
  const column = draft.source.sure.get(name);
  if (!column) draft.errors.count = describeColumn(name, draft.source, draft.source.sure, 'a column to count');
  return column;
}

function readOrder(input: Input, groups: readonly Group[], { sum, average }: Totals, draft: Draft): GroupOrder[] {
  const parameter = isGiven(input.sort) ? 'sort' : 'order';
  const totals = [...(sum === undefined ? [] : [SUM]), ...(average === undefined ? [] : [AVERAGE])];
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

/** Parses `group`, `sum`, `average` and `count`; undefined if none is there. */
export function parseAggregate(input: Input, draft: Draft): Aggregate | undefined {
  if (!AGGREGATES.some((name) => isGiven(input[name]))) return undefined;
  const groups = readGroups(input, draft);
  const totals = { sum: readNumber(input, 'sum', draft), average: readNumber(input, 'average', draft) };
  const count = readCount(input, draft);
  for (const name of ['after', 'before', 'fields', 'columns', 'expand']) {
    if (isGiven(input[name])) draft.errors[name] = `"${name}" cannot be combined with groups.`;
  }
  const order = readOrder(input, groups, totals, draft);
  const names = groups.map(({ column, characters }) => `${column.name}:${characters ?? ''}`);
  const sorts = order.map(({ name, isDescending }) => `${isDescending ? '-' : ''}${name}`);
  const { sum, average } = totals;
  const key = `${names.join()} ${sum?.name ?? ''} ${average?.name ?? ''} ${count?.name ?? ''} ${sorts.join()}`;
  return { groups, ...totals, count, order, key };
}

function buildGroupRef({ column, characters }: Group, dialect: Dialect): Fragment {
  const ref = buildRef(column, dialect);
  return characters === undefined ? ref : sql`substr(${ref}, 1, ${sql.lit(characters)})`;
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

/** Compiles an aggregate. */
export function compileAggregate({ groups, sum, average, count, order }: Aggregate, dialect: Dialect): AggregateSql {
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

/** The groups as rows: a count is a number, a sum is exact. */
export function toGroupRows(rows: readonly Row[], aggregate: Aggregate, dialect: Dialect): Row[] {
  const decimals = aggregate.groups.filter(({ column }) => column.scale !== undefined);
  return rows.map((found) => {
    const row: Row = { ...found, [COUNT]: Number(found[COUNT]) };
    for (const { column } of decimals)
      row[column.name] = fromStoredDecimal(row[column.name], column.scale ?? 0, dialect);
    readTotals(row, aggregate);
    return row;
  });
}
