import { sql } from 'kysely';
import type { Dialect } from '../database/database.ts';
import { toRef, toTest } from './condition.ts';
import { type Fragment, Slot } from './operator.ts';
import { type PageQuery, toOrderBy } from './page.ts';
import type { Search } from './search.ts';
import type { Source } from './source.ts';
import { compileHits } from './words.ts';

/** Smaller tables are sorted in some milliseconds. */
const LEAST_ROWS = 20_000;
/** At most this share of the rows is counted as matches. */
const COUNTED_SHARE = 10;
/** Rows to read for each that an even spread of the matches would need. */
const MARGIN = 2;

/** How rows are tested one after the other in the order of a column. */
interface Tested {
  /** Selects the matches, for a count that costs little. */
  readonly matches: Fragment;
  /** The test that finds them, if it is not among those of the search. */
  readonly test: Fragment | undefined;
  /** How many times as long this takes for a row as to look it up and sort it. */
  readonly cost: number;
}

function testWords({ words, source }: Search, dialect: Dialect): Tested | undefined {
  const hits = words && compileHits(words, source, dialect);
  if (hits === undefined) return undefined;
  const from = sql`from ${hits.from} where ${hits.test}`;
  return {
    matches: sql`select 1 ${from}`,
    test: sql`exists (select 1 ${from} and w.rowid = ${toRef(source.primary)})`,
    cost: 16,
  };
}

/** Each filterable column has an index with `active`, so the matches of one value are counted without the rows. */
function testCondition({ conditions: [condition], source, order }: Search, dialect: Dialect): Tested | undefined {
  const column = condition?.column;
  const isPlain = condition?.operator === 'eq' && condition.within === undefined && column?.alias === 't';
  if (!isPlain || column.type === 'json' || column.name === order[0]?.column.name) return undefined;
  const tests = sql.join([...listActive(source), toTest(condition, dialect)], sql` and `);
  return {
    matches: sql`select 1 from ${sql.table(source.schema.table)} as t where ${tests}`,
    test: undefined,
    cost: 2,
  };
}

const listActive = ({ active }: Source): Fragment[] => (active === undefined ? [] : [sql`${toRef(active)} = 1`]);

/** The tests of a search, if its page may be at the start of a sorted index of the searched table. */
export function findTested(search: Search, dialect: Dialect): Tested | undefined {
  const { source, words, conditions, rows, active, order, cursor } = search;
  const column = order[0]?.column;
  if (dialect !== 'sqlite' || cursor !== undefined || rows !== undefined || active !== 'only') return undefined;
  if (source.active === undefined) return undefined;
  // An index ends with the key, and a second column would need an index of its own.
  if (column?.alias !== 't' || column.part !== undefined || column.name === source.primary.name || order.length > 2)
    return undefined;
  if (words !== undefined) return conditions.length === 0 ? testWords(search, dialect) : undefined;
  return conditions.length === 1 ? testCondition(search, dialect) : undefined;
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
  { matches, test, cost }: Tested,
  rest: (gate: Fragment) => Fragment,
): Fragment {
  const { source, order, limitSlot } = search;
  const { primary, table } = source.schema;
  const [limit, offset, reach] = [0, 1, 2].map((index) => new Slot(limitSlot + index));
  const last = sql`(select coalesce(max(${sql.ref(primary)}), 0) from ${sql.table(table)})`;
  const count = sql`(select count(*) from (${matches} limit ${last} / ${sql.lit(COUNTED_SHARE)}))`;
  const needed = sql`${sql.lit(MARGIN)} * ${reach} * rows`;
  const steps = sql`(select case when n * n > ${sql.lit(cost)} * ${needed} then ${needed} / n else 0 end from treadle_match)`;
  const ids = sql`select ${toRef(source.primary)} as id from ${sql.table(table)} as t where ${sql.join(listActive(source), sql` and `)}
    order by ${toOrderBy(order, false, 'sqlite')} limit ${steps}`;
  const all = [...(test === undefined ? [] : [test]), ...tests];
  const names = sql.join(page.names.map((name) => sql.ref(name)));
  const isEnough = sql`(select count(*) from treadle_start) >= ${reach}`;
  // SQLite keeps the order of a cross join's first table.
  return sql`with treadle_match(n, rows) as materialized (select case when ${last} < ${sql.lit(LEAST_ROWS)} then 0 else ${count} end, ${last}),
    treadle_start as materialized (select ${page.list} from (${ids}) as k cross join ${sql.table(table)} as t on ${toRef(source.primary)} = k.id ${joins}
      where ${sql.join(all, sql` and `)} limit +${reach})
    select ${names} from (select * from treadle_start where ${isEnough} limit +${limit} offset ${offset})
    union all select ${names} from (${rest(sql`not (${isEnough})`)})`;
}
