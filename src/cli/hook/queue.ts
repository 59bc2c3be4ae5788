import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { withDatabase } from '../database.ts';

/** How the queue of web hooks stands. */
export interface QueueState {
  readonly queued: number;
  /** Seconds for which the one that is due for longest has been due. */
  readonly overdueSeconds: number;
  /** Of the last 24 hours. */
  readonly attempts: number;
  readonly failures: number;
  readonly disabled: number;
  /** True if delivery seems stopped or a receiver is dead. */
  readonly isStuck: boolean;
}

/** What is due for longer than this waits for a process that is not there. */
const STUCK_SECONDS = 600;

async function readState(database: Database, now: number): Promise<QueueState> {
  const { readHookFigures } = await import('../../boot.ts');
  const { rows } = await sql<{ queued: number; due: number | null }>`select count(*) as queued, min(due_at) as due
    from treadle_job where queue = 'webhook'`.execute(database.kysely);
  // The age of the oldest event is not told here, so no hook has to be known.
  const figures = await readHookFigures(database, [], now);
  const { attempts_day: attempts = 0, failures_day: failures = 0, receivers_disabled: disabled = 0 } = figures;
  const due = rows[0]?.due ?? null;
  const overdueSeconds = due === null ? 0 : Math.max(0, now - Number(due));
  return {
    queued: Number(rows[0]?.queued ?? 0),
    overdueSeconds,
    attempts,
    failures,
    disabled,
    isStuck: overdueSeconds > STUCK_SECONDS || disabled > 0,
  };
}

/** Reads the queue without starting the project; undefined if its tables do not exist. @param now Unix seconds. */
export async function readQueue(
  at: { readonly url: string; readonly root: string },
  now: number,
): Promise<QueueState | undefined> {
  try {
    return await withDatabase({ ...at, isMaking: false }, (database) => readState(database, now));
  } catch {
    // No table yet, or no database: the line before this one says which.
    return undefined;
  }
}

export function toQueueText({ queued, overdueSeconds, attempts, failures, disabled }: QueueState): string {
  const late =
    overdueSeconds > STUCK_SECONDS
      ? `, the oldest is ${Math.round(overdueSeconds / 60)} minutes late: is a server running?`
      : '';
  const off = disabled === 0 ? '' : `; ${disabled} receiver${disabled === 1 ? '' : 's'} disabled`;
  return `${queued} queued${late}; ${attempts} attempts in 24 hours, ${failures} failed${off}`;
}
