import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { withDatabase } from '../database.ts';

/** How the jobs of the project's code stand. */
export interface JobsState {
  readonly waiting: number;
  readonly failed: number;
  /** Seconds for which the one that is due for longest has been due. */
  readonly overdueSeconds: number;
  /** Waiting jobs without a handler. */
  readonly unhandled: readonly string[];
}

/** What is due for longer than this waits for a process that is not there. */
const STUCK_SECONDS = 600;

async function readState(database: Database, names: readonly string[], now: number): Promise<JobsState> {
  const { countJobs } = await import('../../boot.ts');
  const counted = await countJobs(database);
  const left = counted.filter(({ state }) => state !== 'failed');
  const { rows } = await sql<{ due: number | null }>`select min(due_at) as due from treadle_job
    where queue = 'job'`.execute(database.kysely);
  const due = rows[0]?.due ?? null;
  const sum = (list: typeof counted): number => list.reduce((total, { count }) => total + count, 0);
  return {
    waiting: sum(left),
    failed: sum(counted.filter(({ state }) => state === 'failed')),
    overdueSeconds: due === null ? 0 : Math.max(0, now - Number(due)),
    unhandled: [...new Set(left.map(({ name }) => name))].filter((name) => !names.includes(name)).sort(),
  };
}

/**
 * Reads the jobs without starting the project; undefined if their table does not exist.
 * @param names Of the jobs that the code has handlers for. @param now Unix seconds.
 */
export async function readJobs(
  at: { readonly url: string; readonly root: string; readonly names: readonly string[] },
  now: number,
): Promise<JobsState | undefined> {
  try {
    const { names, ...place } = at;
    return await withDatabase({ ...place, isMaking: false }, (database) => readState(database, names, now));
  } catch {
    // No table yet, or no database: another line says which.
    return undefined;
  }
}

/** What an operator should look at; undefined if nothing. */
export function toJobsText({ waiting, failed, overdueSeconds, unhandled }: JobsState): {
  readonly text: string;
  readonly isStuck: boolean;
} {
  const isLate = overdueSeconds > STUCK_SECONDS;
  const late = isLate ? `, the oldest is ${Math.round(overdueSeconds / 60)} minutes late: is a server running?` : '';
  const dead = failed === 0 ? '' : `; ${failed} failed: treadle job list --state failed`;
  const lost = unhandled.length === 0 ? '' : `; no handler for ${unhandled.join(', ')}`;
  return { text: `${waiting} queued${late}${dead}${lost}`, isStuck: isLate || failed > 0 || unhandled.length > 0 };
}
