import { CompiledQuery } from 'kysely';
import type { Database } from '../../database/database.ts';
import { quote } from '../../database/table-sql.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
import type { ReadPlan } from './plan.ts';
import { toPostgresPlan } from './postgres-plan.ts';
import { type IndexStatistics, type PlanLine, toSqlitePlan } from './sqlite-plan.ts';

/** A statement with values, which change what the database plans. */
export interface ExplainedRead {
  readonly model: Model;
  readonly schema: SchemaModel;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

const raw = (text: string, parameters: readonly unknown[] = []): CompiledQuery =>
  CompiledQuery.raw(text, [...parameters]);

/** The statistics of a table's indexes by name, `''` for the table's own; empty before the first `analyze`. */
export async function readStatistics(database: Database, table: string): Promise<IndexStatistics> {
  const [there] = await database.run(raw("select 1 from sqlite_schema where name = 'sqlite_stat1'"));
  if (there === undefined) return new Map();
  const rows = await database.run(raw('select idx, stat from sqlite_stat1 where tbl = ?', [table]));
  return new Map(rows.map(({ idx, stat }) => [String(idx ?? ''), String(stat).split(' ').map(Number)]));
}

async function readSqlitePlan(database: Database, { schema, sql, parameters }: ExplainedRead) {
  const { table, primary } = schema;
  const lines = await database.run<PlanLine>(raw(`explain query plan ${sql}`, parameters));
  const statistics = await readStatistics(database, table);
  // Keys count up, so the last one is about the number of rows; to count them would read the table.
  const [last] = await database.run(raw(`select max(${quote(primary)}) as id from ${quote(table)}`));
  const all = [...statistics.values()][0]?.[0] ?? Number(last?.id ?? 0);
  return toSqlitePlan(lines, statistics, all);
}

async function readPostgresPlan(database: Database, { schema, sql, parameters }: ExplainedRead) {
  const [found] = await database.run(raw(`explain (format json) ${sql}`, parameters));
  const [about] = await database.run(
    raw('select reltuples as count from pg_class where oid = to_regclass($1)', [quote(schema.table)]),
  );
  const plan: unknown = Object.values(found ?? {})[0];
  const count = Number(about?.count ?? -1);
  return toPostgresPlan(
    typeof plan === 'string' ? JSON.parse(plan) : plan,
    schema.table,
    count < 0 ? undefined : count,
  );
}

/** How the database would run the statement. It does not run it. Undefined if it does not read the searched table. */
export const explainRead = (database: Database, read: ExplainedRead): Promise<ReadPlan | undefined> =>
  database.dialect === 'sqlite' ? readSqlitePlan(database, read) : readPostgresPlan(database, read);
