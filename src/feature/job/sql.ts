import { sql } from 'kysely';
import type { Database, SystemTable } from '../../database/database.ts';
import { takeNextId } from '../../database/dialect-sql.ts';

/**
 * `waiting`: for its time, its turn or the next attempt. `running`: an attempt has begun. `unhandled`: the process that
 * took it has no handler of its name. `done`, `failed`, `replaced`: settled.
 */
export const JOB_STATES = ['waiting', 'running', 'unhandled', 'done', 'failed', 'replaced'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Jobs of projects. Which of them a process runs is in `treadle_job`, as for all queues. */
export const ownJobTable: SystemTable = {
  name: 'treadle_own_job',
  columns: [
    { name: 'own_job_id', type: 'id' },
    { name: 'name', type: 'text', isRequired: true },
    // JSON; null once it is done.
    { name: 'data', type: 'text' },
    { name: 'job_key', type: 'text' },
    // The key while the job waits: unique by name.
    { name: 'pending_key', type: 'text' },
    { name: 'state', type: 'text', isRequired: true, default: 'waiting' },
    // Begun ones, so that a job that kills its process is given up, too.
    { name: 'attempts', type: 'integer', isRequired: true, default: 0 },
    { name: 'most_attempts', type: 'integer', isRequired: true },
    { name: 'reason', type: 'text' },
    { name: 'queued_at', type: 'integer', isRequired: true },
    { name: 'due_at', type: 'integer', isRequired: true },
    { name: 'started_at', type: 'integer' },
    { name: 'settled_at', type: 'integer' },
  ],
  indexes: [
    { name: 'treadle_own_job_key', columns: ['name', 'pending_key'], isUnique: true },
    { name: 'treadle_own_job_state', columns: ['state', 'settled_at', 'own_job_id'] },
  ],
};

/** When schedules run next; one row for all processes. */
export const scheduleTable: SystemTable = {
  name: 'treadle_schedule',
  columns: [
    { name: 'schedule_id', type: 'id' },
    { name: 'name', type: 'text', isRequired: true },
    { name: 'cron', type: 'text', isRequired: true },
    { name: 'next_at', type: 'integer', isRequired: true },
    { name: 'last_job_id', type: 'integer' },
  ],
  indexes: [{ name: 'treadle_schedule_name', columns: ['name'], isUnique: true }],
};

/** Times are unix seconds. */
export interface JobRow {
  readonly own_job_id: number;
  readonly name: string;
  readonly data: string | null;
  readonly job_key: string | null;
  readonly pending_key: string | null;
  readonly state: JobState;
  readonly attempts: number;
  readonly most_attempts: number;
  readonly reason: string | null;
  readonly queued_at: number;
  readonly due_at: number;
  readonly started_at: number | null;
  readonly settled_at: number | null;
}

export type NewJobRow = Pick<JobRow, 'name' | 'data' | 'job_key' | 'most_attempts' | 'queued_at' | 'due_at'> & {
  /** Default: the next one. @see reserveJobId */
  readonly own_job_id?: number;
};
export type JobChanges = Partial<Omit<JobRow, 'own_job_id' | 'name'>>;

/** Inserts a job. Returns undefined if one waits with its key. */
async function insertRow({ kysely }: Database, row: NewJobRow): Promise<number | undefined> {
  const made = await kysely
    .insertInto('treadle_own_job')
    .values({ ...row, pending_key: row.job_key })
    .onConflict((conflict) => conflict.columns(['name', 'pending_key']).doNothing())
    .returning('own_job_id')
    .executeTakeFirst();
  return made && Number(made.own_job_id);
}

/** Takes the next id, for a job that is inserted later. */
export const reserveJobId = (database: Database): Promise<number> =>
  database.write(() => takeNextId(database, 'treadle_own_job', 'own_job_id'));

/** The id of the job that waits with a key. */
export async function findWaiting({ kysely }: Database, name: string, key: string): Promise<number | undefined> {
  const query = kysely.selectFrom('treadle_own_job').select('own_job_id');
  const found = await query.where('name', '=', name).where('pending_key', '=', key).executeTakeFirst();
  return found && Number(found.own_job_id);
}

/** The one that waits may start between the two statements. */
const TRIES = 5;

/** Inserts a job, or finds the one that waits with its key. Inside a transaction. */
export async function insertJob(database: Database, row: NewJobRow): Promise<{ id: number; isNew: boolean }> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const made = await insertRow(database, row);
    if (made !== undefined) return { id: made, isNew: true };
    const found = await findWaiting(database, row.name, row.job_key ?? '');
    if (found !== undefined) return { id: found, isNew: false };
  }
  const id = await insertRow(database, { ...row, job_key: null });
  return { id: Number(id), isNew: true };
}

export async function findJob({ kysely }: Database, id: number): Promise<JobRow | undefined> {
  const query = kysely.selectFrom('treadle_own_job').selectAll().where('own_job_id', '=', id);
  return (await query.executeTakeFirst()) as JobRow | undefined;
}

export async function updateJob({ kysely }: Database, id: number, changes: JobChanges): Promise<void> {
  await kysely.updateTable('treadle_own_job').set(changes).where('own_job_id', '=', id).execute();
}

/** Notes that an attempt begins. A job that is queued with the same key from now on is another one. */
export async function beginAttempt(database: Database, id: number, now: number): Promise<void> {
  await sql`update treadle_own_job set state = 'running', attempts = attempts + 1, started_at = ${now},
    pending_key = null where own_job_id = ${id}`.execute(database.kysely);
}

/** Takes an attempt back that the process could not finish. */
export async function cancelAttempt(database: Database, id: number): Promise<void> {
  await sql`update treadle_own_job set state = 'waiting', attempts = attempts - 1
    where own_job_id = ${id} and state = 'running'`.execute(database.kysely);
}

/** Number of jobs by name and state, without those that are done. */
export async function countJobs({
  kysely,
}: Database): Promise<readonly { readonly name: string; readonly state: JobState; readonly count: number }[]> {
  const { rows } = await sql<{ name: string; state: JobState; count: number }>`
    select name, state, count(*) as count from treadle_own_job
    where state in ('waiting', 'running', 'unhandled', 'failed') group by name, state`.execute(kysely);
  return rows.map(({ name, state, count }) => ({ name, state, count: Number(count) }));
}

/** Jobs that no process had a handler for, of these names. */
export async function listUnhandled(
  { kysely }: Database,
  names: readonly string[],
  limit: number,
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  if (names.length === 0) return [];
  const query = kysely.selectFrom('treadle_own_job').select(['own_job_id', 'name']).limit(limit);
  const rows = await query.where('state', '=', 'unhandled').where('name', 'in', names).execute();
  return rows.map((row) => ({ id: Number(row.own_job_id), name: String(row.name) }));
}
