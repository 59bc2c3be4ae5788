import { sql } from 'kysely';
import type { Database } from '../../../../database/database.ts';
import { estimateRows } from '../../../../database/dialect-sql.ts';
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

async function countRows(database: Database, table: string, primary: string): Promise<RowCount> {
  const { rows } = await sql<{ n: unknown }>`select count(*) as n
    from (select 1 from ${sql.table(table)} limit ${COUNTED + 1}) as counted`.execute(database.kysely);
  const count = toNumber(rows);
  if (count <= COUNTED) return { count, isEstimate: false };
  return { count: Math.max(count, await estimateRows(database, table, primary)), isEstimate: true };
}

async function countAll({ plan, services }: Context): Promise<ReadonlyMap<string, RowCount>> {
  const counts = new Map<string, RowCount>();
  for (const { name, table, primary } of plan.model.schemas.values())
    counts.set(name, await countRows(services.database, table, primary));
  return counts;
}

/** The rows of every schema, as they were at most ten seconds ago. The cost does not grow with the rows. */
export const countSchemas = shareFor(REMEMBERED_MS, countAll);
