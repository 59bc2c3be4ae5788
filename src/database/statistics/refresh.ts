import { type Clock, systemClock, toSeconds } from '../../core/clock.ts';
import type { Log } from '../../core/log/log.ts';
import type { Database } from '../database.ts';
import { analyzeOnPostgres, readPostgresStatistics } from './postgres.ts';
import { isOutdated, type TableStatistics } from './rule.ts';
import { claimTables, countOnSqlite, listDueOnSqlite, readSqliteStatistics, releaseTables } from './sqlite.ts';

export interface RefreshOptions {
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Told of a failure, which harms nothing else. */
  readonly log: Pick<Log, 'warn'>;
  /** Rows just written by table, which PostgreSQL has not counted yet. SQLite knows them. */
  readonly written?: ReadonlyMap<string, number>;
  /** False to trust the counts of writes, which a look every few seconds does. Default true. */
  readonly isThorough?: boolean;
  /** True to give up, between two statements. Default: never. */
  readonly isOver?: () => boolean;
}

/** What the planner knows of each table whose writes are counted; on PostgreSQL of all. */
export const readStatistics = (database: Database): Promise<readonly TableStatistics[]> =>
  database.dialect === 'sqlite' ? readSqliteStatistics(database) : readPostgresStatistics(database);

/** Whether the database leaves it to Treadle to count the rows again. PostgreSQL's autovacuum does it. */
export const needsUpkeep = ({ dialect }: Database): boolean => dialect === 'sqlite';

async function refreshPostgres(database: Database, { written }: RefreshOptions): Promise<string[]> {
  const due = (await readPostgresStatistics(database))
    .filter((one) => isOutdated({ rows: one.rows, written: Math.max(one.written, written?.get(one.table) ?? 0) }))
    .map(({ table }) => table);
  for (const table of due) await analyzeOnPostgres(database, table);
  return due;
}

async function refreshSqlite(database: Database, options: RefreshOptions): Promise<string[]> {
  const { clock = systemClock, isThorough = true, isOver = () => false } = options;
  const now = toSeconds(clock.now());
  const due = await listDueOnSqlite(database, { now, isThorough });
  if (due.length === 0) return [];
  await database.tableVersions();
  const claimed = await claimTables(database, due, now);
  const counted: string[] = [];
  try {
    for (const table of claimed) {
      if (!(await countOnSqlite(database, table, { now, isOver }))) break;
      counted.push(table);
    }
  } finally {
    await releaseTables(database, claimed.slice(counted.length));
  }
  // Shows this process the news, so that its connections plan with them.
  await database.tableVersions();
  return counted;
}

/**
 * Gives the planner new statistics of the tables that changed much since their last: without them it reads all rows of a flag in
 * order to sort them. Call it outside a transaction. A failure is logged, and the database goes on with the former statistics.
 *
 * @returns The tables.
 */
export async function refreshStatistics(database: Database, options: RefreshOptions): Promise<readonly string[]> {
  try {
    return await (database.dialect === 'sqlite' ? refreshSqlite : refreshPostgres)(database, options);
  } catch (error) {
    options.log.warn('statistics-failed', { error });
    return [];
  }
}
