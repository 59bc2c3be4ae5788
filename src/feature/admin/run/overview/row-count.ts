import { sql } from 'kysely';
import type { Database } from '../../../../database/database.ts';
import type { Context } from '../../../../plan/feature.ts';
import { shareFor } from '../share.ts';

/** The rows of a table. */
export interface RowCount {
  readonly count: number;
  /** Whether it is an estimate. */
  readonly isEstimate: boolean;
}

/** Rows that are counted one by one; above that the database's own facts tell about how many there are. */
const COUNTED = 10_000;
const REMEMBERED_MS = 10_000;

const toNumber = (rows: readonly { readonly n: unknown }[]): number => Number(rows[0]?.n ?? 0);

/**
 * About how many rows a large table has: on PostgreSQL by the statistics of its last analysis, on SQLite by the distance
 * of its first and last primary key, which counts removed rows in between.
 */
async function estimate({ kysely, dialect }: Database, table: string, primary: string): Promise<number> {
  const { rows } =
    dialect === 'postgres'
      ? await sql<{ n: unknown }>`select reltuples::bigint as n from pg_class
          where oid = to_regclass(quote_ident(${table}))`.execute(kysely)
      : await sql<{ n: unknown }>`select (select max(${sql.ref(primary)}) from ${sql.table(table)})
          - (select min(${sql.ref(primary)}) from ${sql.table(table)}) + 1 as n`.execute(kysely);
  return toNumber(rows);
}

async function countRows(database: Database, table: string, primary: string): Promise<RowCount> {
  const { rows } = await sql<{ n: unknown }>`select count(*) as n
    from (select 1 from ${sql.table(table)} limit ${COUNTED + 1}) as counted`.execute(database.kysely);
  const count = toNumber(rows);
  if (count <= COUNTED) return { count, isEstimate: false };
  return { count: Math.max(count, await estimate(database, table, primary)), isEstimate: true };
}

async function countAll({ plan, services }: Context): Promise<ReadonlyMap<string, RowCount>> {
  const counts = new Map<string, RowCount>();
  for (const { name, table, primary } of plan.model.schemas.values())
    counts.set(name, await countRows(services.database, table, primary));
  return counts;
}

/** The rows of every schema, as they were at most ten seconds ago. The cost does not grow with the rows. */
export const countSchemas = shareFor(REMEMBERED_MS, countAll);
