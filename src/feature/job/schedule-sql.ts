import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

/** When a schedule runs next, in unix seconds. */
export interface ScheduleRow {
  readonly name: string;
  readonly cron: string;
  readonly nextAt: number;
}

export async function listSchedules({ kysely }: Database): Promise<readonly ScheduleRow[]> {
  const rows = await kysely
    .selectFrom('treadle_schedule')
    .select(['name', 'cron', 'next_at'])
    .orderBy('name')
    .execute();
  return rows.map((row) => ({ name: String(row.name), cron: String(row.cron), nextAt: Number(row.next_at) }));
}

/** Adds a schedule, or changes its pattern. Another process may do the same. */
export async function putSchedule({ kysely }: Database, { name, cron, nextAt }: ScheduleRow): Promise<void> {
  await sql`insert into treadle_schedule (name, cron, next_at) values (${name}, ${cron}, ${nextAt})
    on conflict (name) do update set cron = excluded.cron, next_at = excluded.next_at
    where treadle_schedule.cron <> excluded.cron`.execute(kysely);
}

export async function removeSchedule({ kysely }: Database, name: string): Promise<void> {
  await kysely.deleteFrom('treadle_schedule').where('name', '=', name).execute();
}

/**
 * Claims a run that is due by now; undefined if it is not, or another process claimed it. Inside a transaction, which
 * also inserts the job.
 */
export async function claimRun(
  { kysely }: Database,
  { name, cron, nextAt }: ScheduleRow,
  now: number,
): Promise<{ readonly lastJobId: number | undefined } | undefined> {
  const { rows } = await sql<{ last_job_id: number | null }>`update treadle_schedule set next_at = ${nextAt}
    where name = ${name} and cron = ${cron} and next_at <= ${now} returning last_job_id`.execute(kysely);
  const [row] = rows;
  if (row === undefined) return undefined;
  return { lastJobId: row.last_job_id === null ? undefined : Number(row.last_job_id) };
}

export async function noteRun({ kysely }: Database, name: string, jobId: number): Promise<void> {
  await kysely.updateTable('treadle_schedule').set({ last_job_id: jobId }).where('name', '=', name).execute();
}
