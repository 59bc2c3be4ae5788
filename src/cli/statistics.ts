import { readMessage } from '../core/errors.ts';
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
    terminal.say(`The statistics of the query planner stay as they were: ${readMessage(error)}`);
  await refreshStatistics(database, {
    log: { warn },
    written: new Map(written.map(({ table, rows }) => [table, rows])),
  });
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** `3 days`. */
function toAge(seconds: number): string {
  if (seconds < MINUTE) return 'less than a minute';
  const [unit, length] = seconds >= DAY ? ['day', DAY] : seconds >= HOUR ? ['hour', HOUR] : ['minute', MINUTE];
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const toNumber = (count: number): string => count.toLocaleString('en');

export interface StatisticsText {
  readonly text: string;
  readonly isOutdated: boolean;
}

/** How old the planner's statistics are, and what to do; undefined if no table is so large that they matter. */
export async function readStatisticsText(database: Database, now: number): Promise<StatisticsText | undefined> {
  const [{ readStatistics }, { toStatisticsAge }] = await Promise.all([
    import('../database/statistics/refresh.ts'),
    import('../database/statistics/age.ts'),
  ]);
  const { oldest, tables, outdated } = toStatisticsAge(await readStatistics(database), now);
  const [worst] = outdated;
  if (worst !== undefined) {
    const { table, rows, at, written } = worst;
    const when = at === undefined ? 'were never counted' : `were counted ${toAge(now - at)} ago (${toNumber(rows)})`;
    const more = outdated.length > 1 ? ` And ${outdated.length - 1} more.` : '';
    const text = `the rows of ${table} ${when}, and ${toNumber(written)} were written since: searches may read far too many.${more} Count them with: treadle migrate`;
    return { text, isOutdated: true };
  }
  if (oldest === undefined) return undefined;
  const of = tables === 1 ? oldest.table : `${tables} tables, the oldest of ${oldest.table}`;
  return { text: `${of}: ${toNumber(oldest.rows)} rows, ${toAge(now - oldest.at)} ago`, isOutdated: false };
}
