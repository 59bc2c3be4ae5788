import type { Database } from '../database/database.ts';
import type { Terminal } from './terminal.ts';

/** A table with the number of rows that a command wrote. */
export interface WrittenTable {
  readonly table: string;
  readonly rows: number;
}

/** Renews the planner's statistics after a command that made tables or wrote many rows. @see refreshStatistics */
export async function refreshPlanner(
  { terminal }: { readonly terminal: Pick<Terminal, 'say'> },
  database: Database,
  written: readonly WrittenTable[] = [],
): Promise<void> {
  const { refreshStatistics } = await import('../database/statistics/refresh.ts');
  const warn = (_: string, { error }: Readonly<Record<string, unknown>> = {}): void =>
    terminal.say(`The statistics of the query planner stay as they were: ${(error as Error).message}`);
  await refreshStatistics(database, {
    log: { warn },
    written: new Map(written.map(({ table, rows }) => [table, rows])),
  });
}
