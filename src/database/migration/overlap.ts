import type { Database } from '../database.ts';
import { overlapSql } from '../index/exclude-rule.ts';
import type { TableExclusion } from '../index/index-shape.ts';
import { runText } from '../run-text.ts';
import { quote } from '../table-sql.ts';
import { NAMED_ROWS, type RowId } from './count.ts';

/** Pairs that a message names. */
const NAMED_PAIRS = 5;

/** Rows that a rule of `exclude` refuses. */
export interface PeriodConflicts {
  /** Rows that overlap another one that starts before them, or with them. */
  readonly count: number;
  readonly ids: readonly RowId[];
  /** The first of them, each with the other row. */
  readonly pairs: readonly (readonly [RowId, RowId])[];
  /** Rows that end before they start. */
  readonly early: { readonly count: number; readonly ids: readonly RowId[] };
}

export interface PeriodQuery {
  /** Names as they are in the database now. */
  readonly table: string;
  readonly excludes: TableExclusion;
  readonly only: string | undefined;
}

async function findEarly(
  database: Database,
  { table, excludes, only }: PeriodQuery,
): Promise<PeriodConflicts['early']> {
  const { from, until, key } = excludes;
  const live = only === undefined ? '' : `${quote(only)} = 1 and `;
  const where = `from ${quote(table)} where ${live}${quote(from)} > ${quote(until)}`;
  const [counted] = await runText(database, `select count(*) as n ${where}`);
  const count = Number(counted?.n ?? 0);
  if (count === 0) return { count, ids: [] };
  const rows = await runText(database, `select ${quote(key)} as id ${where} order by 1 limit ${NAMED_ROWS}`);
  return { count, ids: rows.map(({ id }) => Number(id)) };
}

/** Finds the rows that break a rule, in one pass by their starts: a row overlaps an earlier one if it starts before the last end so far. */
export async function findPeriodConflicts(database: Database, query: PeriodQuery): Promise<PeriodConflicts> {
  const { table, excludes, only } = query;
  const early = await findEarly(database, query);
  const [start, end, key] = [quote(excludes.from), quote(excludes.until), quote(excludes.key)];
  const by = excludes.by.map(quote);
  const tests = [
    ...(only === undefined ? [] : [`${quote(only)} = 1`]),
    ...by.map((name) => `${name} is not null`),
    `(${start} is null or ${end} is null or ${start} < ${end})`,
  ];
  const part = by.length === 0 ? '' : `partition by ${by.join(', ')} `;
  const found = `from (select ${key} as id, ${start} as s, count(*) over w as n,
      max(case when ${end} is null then 1 else 0 end) over w as is_open, max(${end}) over w as e
    from ${quote(table)} where ${tests.join(' and ')}
    window w as (${part}order by case when ${start} is null then 0 else 1 end, ${start}, ${key}
      rows between unbounded preceding and 1 preceding)) as r
    where n > 0 and (is_open = 1 or s is null or e > s)`;
  const [counted] = await runText(database, `select count(*) as n ${found}`);
  const count = Number(counted?.n ?? 0);
  if (count === 0) return { count, ids: [], pairs: [], early };
  const rows = await runText(database, `select id ${found} order by id limit ${NAMED_ROWS}`);
  const ids = rows.map(({ id }) => Number(id));
  const same = by.map((name) => ` and o.${name} = n.${name}`).join('');
  const live = only === undefined ? '' : ` and o.${quote(only)} = 1`;
  const pairs: [RowId, RowId][] = [];
  for (const id of ids.slice(0, NAMED_PAIRS)) {
    const [other] = await runText(
      database,
      `select min(o.${key}) as id from ${quote(table)} as n join ${quote(table)} as o on o.${key} <> n.${key}${same}${live}
        where n.${key} = ${id} and ${overlapSql(excludes)}`,
    );
    pairs.push([Number(other?.id), id]);
  }
  return { count, ids, pairs, early };
}
