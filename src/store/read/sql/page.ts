import { sql } from 'kysely';
import type { Dialect } from '../../../database/database.ts';
import { buildRef, buildTest } from '../parse/condition.ts';
import type { Condition } from '../parse/json-path.ts';
import { Slot, toLimit } from '../parse/operator.ts';
import type { Order } from '../parse/order.ts';
import { compileHits } from '../parse/words.ts';
import type { Cursor, Search } from '../search-shape.ts';
import { isIndexable, type Source } from '../source/source.ts';
import type { Fragment } from './exact-double.ts';
import { isServed } from './served.ts';

/** The parts of a statement that reads a page. */
export interface PageQuery {
  readonly list: Fragment;
  /** Names of the listed columns. */
  readonly names: readonly string[];
  readonly from: Fragment;
  readonly tests: readonly Fragment[];
  readonly order: readonly Order[];
  readonly cursor: Cursor | undefined;
  /** Index of the row limit; then the offset, then the sum of both. */
  readonly limitSlot: number;
  /** True if no index on the order finds the rows: then one condition for all parts is cheapest. */
  readonly isWhole: boolean;
  /** A condition without columns; if it is false, the page is empty and nothing is read. Default: none. */
  readonly gate?: Fragment;
}

const PART = 'treadle_part';

function buildOrderBy(order: readonly Order[], isReversed: boolean, dialect: Dialect, byName = false): Fragment {
  const parts = order.map(({ column, isDescending }) => {
    const isDown = isDescending !== isReversed;
    const ref = byName ? sql`${sql.ref(column.name)}` : buildRef(column, dialect);
    // SQLite sorts nulls first when ascending. PostgreSQL needs it spelled out, and its indexes are declared the same
    // way. A key has no nulls.
    const isTold = dialect === 'postgres' && column.type !== 'integer';
    const nulls = isTold ? (isDown ? sql` nulls last` : sql` nulls first`) : sql``;
    return sql`${ref} ${isDown ? sql`desc` : sql`asc`}${nulls}`;
  });
  return sql.join(parts);
}

const join = (parts: readonly Fragment[]): Fragment => sql.join([...parts], sql` and `);

/**
 * Conditions for rows past the cursor's value in one column, in order: the bound, then nulls if they sort after
 * it.
 */
function listBounds({ column, isDescending }: Order, isNull: boolean, slot: Slot, at: Bounds): Fragment[] {
  const ref = buildRef(column, at.dialect);
  const isDown = isDescending !== at.isReversed;
  if (isNull) return isDown ? [] : [sql`${ref} is not null`];
  if (!isDown) return [sql`${ref} > ${slot}`];
  return column.isNullable ? [sql`${ref} < ${slot}`, sql`${ref} is null`] : [sql`${ref} < ${slot}`];
}

interface Bounds {
  readonly dialect: Dialect;
  readonly isReversed: boolean;
}

/**
 * Conditions for the rows past a cursor, in parts that follow each other: first rows that share all its values
 * but the last, then all but the last two, and so on. An index finds the start of each part directly, however
 * deep the page and however many rows share a value.
 */
function listParts(order: readonly Order[], { slot: first, nulls }: Cursor, at: Bounds): Fragment[] {
  const parts: Fragment[] = [];
  for (const [level, last] of [...order.entries()].reverse()) {
    const same = order.slice(0, level).map(({ column }, index) => {
      const ref = buildRef(column, at.dialect);
      return nulls[index] ? sql`${ref} is null` : sql`${ref} = ${new Slot(first + index)}`;
    });
    const bounds = listBounds(last, nulls[level] === true, new Slot(first + level), at);
    parts.push(...bounds.map((bound) => join([...same, bound])));
  }
  return parts;
}

const buildWhere = (tests: readonly Fragment[]): Fragment => (tests.length === 0 ? sql`` : sql`where ${join(tests)}`);

/** Compiles a page, from the start or from a cursor. */
export function compilePages(query: PageQuery, dialect: Dialect): Fragment {
  const { list, names, from, tests, order, cursor, limitSlot, isWhole, gate } = query;
  const isReversed = cursor?.direction === 'before';
  const orderBy = buildOrderBy(order, isReversed, dialect);
  const limit =
    gate === undefined ? toLimit(limitSlot, dialect) : sql`case when ${gate} then ${new Slot(limitSlot)} else 0 end`;
  const window = sql`limit ${limit} offset ${new Slot(limitSlot + 1)}`;
  const parts = cursor === undefined ? [] : listParts(order, cursor, { dialect, isReversed });
  if (cursor === undefined || isWhole || parts.length <= 1) {
    const past = cursor === undefined ? [] : [parts.length === 0 ? sql`1 = 0` : sql`(${sql.join(parts, sql` or `)})`];
    return sql`select ${list} ${from} ${buildWhere([...tests, ...past])} order by ${orderBy} ${window}`;
  }
  const reach = toLimit(limitSlot + 2, dialect);
  const shown = sql.join(names.map((name) => sql`${sql.ref(name)}`));
  const toPart = (part: Fragment, index: number): Fragment => {
    const page = sql`select ${list} ${from} ${buildWhere([...tests, part])} order by ${orderBy} limit ${reach}`;
    const place = dialect === 'sqlite' ? sql`` : sql`, ${sql.lit(index)} as ${sql.ref(PART)}`;
    return sql`select ${shown}${place} from (${page}) as ${sql.ref(`p${index}`)}`;
  };
  const all = sql.join(parts.map(toPart), sql` union all `);
  // SQLite runs the parts in order and stops when the page is full. PostgreSQL does not guarantee the order, so
  // it sorts by the part's number.
  if (dialect === 'sqlite') return sql`${all} ${window}`;
  const sorted = sql`order by ${sql.ref(PART)}, ${buildOrderBy(order, isReversed, dialect, true)}`;
  return sql`select ${shown} from (${all}) as pages ${sorted} ${window}`;
}

/** Smaller tables are sorted in some milliseconds. */
const LEAST_ROWS = 20_000;
/** At most this share of the rows is counted as matches. */
const COUNTED_SHARE = 10;
/** Rows to read for each that an even spread of the matches would need. */
const MARGIN = 2;

/** How rows are tested one after the other in the order of a column. */
interface WordsTest {
  /** Selects the matches, for a count that costs little. */
  readonly matches: Fragment;
  /** The test that finds them, if it is not among those of the search. */
  readonly test: Fragment | undefined;
  /** How many times as long this takes for a row as to look it up and sort it. */
  readonly cost: number;
}

function testWords({ words, source }: Search, dialect: Dialect): WordsTest | undefined {
  const hits = words && compileHits(words, source, dialect);
  if (hits === undefined) return undefined;
  const from = sql`from ${hits.from} where ${hits.test}`;
  return {
    matches: sql`select 1 ${from}`,
    test: sql`exists (select 1 ${from} and w.rowid = ${buildRef(source.primary)})`,
    cost: 16,
  };
}

/** Each filterable column has an index with `active`, so the matches of one value are counted without the rows. */
function testCondition({ source, order }: Search, condition: Condition, dialect: Dialect): WordsTest | undefined {
  const { column } = condition;
  const isPlain =
    condition.operator === 'eq' && condition.within === undefined && column !== undefined && isIndexable(column);
  if (!isPlain || column.type === 'json' || column.name === order[0]?.column.name) return undefined;
  const tests = sql.join([...listActive(source), buildTest(condition, dialect)], sql` and `);
  return {
    matches: sql`select 1 from ${sql.table(source.schema.table)} as t where ${tests}`,
    test: undefined,
    cost: 2,
  };
}

const listActive = ({ active }: Source): Fragment[] => (active === undefined ? [] : [sql`${buildRef(active)} = 1`]);

/** The tests of a search, if its page may be at the start of a sorted index of the searched table. */
export function findTested(search: Search, dialect: Dialect): WordsTest | undefined {
  const { source, words, conditions, alternatives, rows, active, order, cursor } = search;
  const column = order[0]?.column;
  if (dialect !== 'sqlite' || cursor !== undefined || rows !== undefined || active !== 'only') return undefined;
  if (alternatives !== undefined) return undefined;
  if (source.active === undefined) return undefined;
  // An index ends with the key, and a second column would need an index of its own.
  if (column === undefined || !isIndexable(column) || column.name === source.primary.name || order.length > 2)
    return undefined;
  if (words !== undefined) return conditions.length === 0 ? testWords(search, dialect) : undefined;
  const [condition, ...more] = conditions.filter(({ isImplied }) => isImplied !== true);
  return condition === undefined || more.length > 0 || isServed(search)
    ? undefined
    : testCondition(search, condition, dialect);
}

export interface StartQuery {
  readonly search: Search;
  readonly page: Pick<PageQuery, 'list' | 'names'>;
  /** The 1:1 relations, and the conditions without the words. */
  readonly joins: Fragment;
  readonly tests: readonly Fragment[];
}

/**
 * A page from the first rows of a sorted index, and from another way if too few of those rows match. SQLite would look up
 * and sort every match: one in 50 of a million rows in 40 ms, though 20 of the first 2,000 take 6 ms. How many rows are
 * read follows from the number of matches, so that it never takes longer than to sort them.
 *
 * @param rest Compiles the other way, which reads nothing if its gate is false.
 */
export function compileStart(
  { search, page, joins, tests }: StartQuery,
  { matches, test, cost }: WordsTest,
  rest: (gate: Fragment) => Fragment,
): Fragment {
  const { source, order, limitSlot } = search;
  const { primary, table } = source.schema;
  const [limit, offset, reach] = [0, 1, 2].map((index) => new Slot(limitSlot + index));
  const last = sql`(select coalesce(max(${sql.ref(primary)}), 0) from ${sql.table(table)})`;
  const count = sql`(select count(*) from (${matches} limit ${last} / ${sql.lit(COUNTED_SHARE)}))`;
  const needed = sql`${sql.lit(MARGIN)} * ${reach} * rows`;
  const steps = sql`(select case when n * n > ${sql.lit(cost)} * ${needed} then ${needed} / n else 0 end from treadle_match)`;
  const ids = sql`select ${buildRef(source.primary)} as id from ${sql.table(table)} as t where ${sql.join(listActive(source), sql` and `)}
    order by ${buildOrderBy(order, false, 'sqlite')} limit ${steps}`;
  const all = [...(test === undefined ? [] : [test]), ...tests];
  const names = sql.join(page.names.map((name) => sql.ref(name)));
  const isEnough = sql`(select count(*) from treadle_start) >= ${reach}`;
  // SQLite keeps the order of a cross join's first table.
  return sql`with treadle_match(n, rows) as materialized (select case when ${last} < ${sql.lit(LEAST_ROWS)} then 0 else ${count} end, ${last}),
    treadle_start as materialized (select ${page.list} from (${ids}) as k cross join ${sql.table(table)} as t on ${buildRef(source.primary)} = k.id ${joins}
      where ${sql.join(all, sql` and `)} limit +${reach})
    select ${names} from (select * from treadle_start where ${isEnough} limit +${limit} offset ${offset})
    union all select ${names} from (${rest(sql`not (${isEnough})`)})`;
}
