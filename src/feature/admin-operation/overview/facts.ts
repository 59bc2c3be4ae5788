import { sql } from 'kysely';
import type { Refusal } from '../../../access/refusal.ts';
import { toSeconds } from '../../../core/clock.ts';
import type { Database } from '../../../database/database.ts';
import { estimateRows } from '../../../database/dialect-sql.ts';
import type { Row } from '../../../database/row-statement.ts';
import { type StatisticsAge, toStatisticsAge } from '../../../database/statistics/age.ts';
import { readStatistics } from '../../../database/statistics/refresh.ts';
import { readResults } from '../../../page/emit-event.ts';
import type { Context } from '../../../plan/feature.ts';
import type { Storage, Traffic } from '../../../plan/operation.ts';
import { shareFor } from './share.ts';

/** The rows of a table. */
interface RowCount {
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
const countSchemas = shareFor(REMEMBERED_MS, countAll);

/** Figures of an event, by the names of its results. Empty if no feature has it, or it failed. */
type Figures = Readonly<Record<string, number>>;

/** What the first page shows, for whoever may see everything. */
export interface OverviewFacts {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly traffic: Traffic;
  readonly storage: Storage;
  readonly hooks: Figures;
  readonly jobs: Figures;
  readonly mails: Figures;
  /** Receivers of web hooks that are disabled or fail. */
  readonly receivers: readonly Row[];
  /** Apps with scopes or web hooks that wait for approval. */
  readonly pendingApps: readonly Row[];
  readonly rows: ReadonlyMap<string, RowCount>;
  /** Of the database's planner. */
  readonly statistics: StatisticsAge;
  /** What roles refused on pages in the last hour, most first. */
  readonly refusals: readonly Refusal[];
  /** Milliseconds since 1970 of the newest backup in `var/backup`; undefined without one. */
  readonly backupAt: number | undefined;
}

/** Milliseconds for which the facts are shared by all who look. */
const SHARED_MS = 2000;

const readRows = async (context: Context, event: string, stage: Row = {}): Promise<readonly Row[]> =>
  (await readResults<{ rows: readonly Row[] }>(context, event, stage))?.rows ?? [];

async function gather(context: Context): Promise<OverviewFacts> {
  const { operation, clock, database } = context.services;
  const readFigures = async (event: string): Promise<Figures> => (await readResults<Figures>(context, event)) ?? {};
  const [traffic, storage, rows] = await Promise.all([operation.traffic(), operation.storage(), countSchemas(context)]);
  return {
    at: clock.now(),
    traffic,
    storage,
    rows,
    statistics: toStatisticsAge(await readStatistics(database), toSeconds(clock.now())),
    refusals: await operation.refusals(),
    backupAt: (await operation.backups.list())[0]?.at,
    hooks: await readFigures('webhook-figures'),
    jobs: await readFigures('job-figures'),
    mails: await readFigures('mail-figures'),
    receivers: [
      ...(await readRows(context, 'webhook-receiver-search', { state: 'disabled' })),
      ...(await readRows(context, 'webhook-receiver-search', { state: 'failing' })),
    ],
    pendingApps: await readRows(context, 'app-pending-search'),
  };
}

/** The facts of the first page, at most two seconds old. */
export const readFacts = shareFor(SHARED_MS, gather);
