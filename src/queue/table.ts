import { type RawBuilder, sql } from 'kysely';
import { toSeconds } from '../core/clock.ts';
import { listOf, rowsOf } from '../database/bound-rows.ts';
import type { Database, Dialect, SystemTable } from '../database/database.ts';
import { selectFirstOfLanes } from '../database/dialect-sql.ts';
import type { Job, JobRef, NewJob, QueueFigures } from './queue.ts';

/** Jobs of all queues. A running job has an owner, and is due again when its lease ends. */
export const jobTable: SystemTable = {
  name: 'treadle_job',
  columns: [
    { name: 'job_id', type: 'id' },
    { name: 'queue', type: 'text', isRequired: true },
    { name: 'kind', type: 'text', isRequired: true },
    { name: 'payload', type: 'text', isRequired: true },
    { name: 'lane', type: 'text', isRequired: true },
    { name: 'due_at', type: 'integer', isRequired: true },
    { name: 'owner', type: 'text' },
  ],
  indexes: [
    { name: 'treadle_job_payload', columns: ['queue', 'kind', 'payload'], isUnique: true },
    // For the first job of a lane, and for the walk from lane to lane.
    { name: 'treadle_job_lane', columns: ['queue', 'lane', 'due_at', 'job_id'] },
    // Lanes with recently due jobs, read from the index alone.
    { name: 'treadle_job_due', columns: ['queue', 'due_at', 'lane'] },
  ],
};

interface JobRow {
  readonly job_id: number;
  readonly kind: string;
  readonly payload: string;
  readonly lane: string;
  readonly due_at: number;
}

const toJob = (row: JobRow): Job => ({
  id: Number(row.job_id),
  kind: row.kind,
  payload: row.payload,
  lane: row.lane,
  dueAt: Number(row.due_at),
});

/** SQL statements of one queue. Times are unix seconds. */
export interface JobStore {
  insert(jobs: readonly NewJob[], now: number): Promise<void>;
  /** Lanes of jobs that fell due in a period, from at most `jobs` jobs, latest first. */
  findLanes(after: number, until: number, jobs: number): Promise<{ readonly lanes: string[]; readonly isAll: boolean }>;
  /** The next lanes after a name, at most `limit`, and whether each has a due job. */
  walkLanes(after: string, now: number, limit: number): Promise<{ readonly lane: string; readonly isDue: boolean }[]>;
  measure(now: number): Promise<QueueFigures>;
  /** When the next job after now is due; undefined if there is no job. */
  findNextDue(now: number): Promise<number | undefined>;
  /** Claims the oldest due jobs of lanes, up to the given number of each. Skips jobs claimed by others. */
  claim(lanes: ReadonlyMap<string, number>, lease: Lease): Promise<Job[]>;
  /** Claims one job, due or not, unless another owner has it. */
  claimNow(ref: JobRef, lease: Lease): Promise<Job | undefined>;
  /** Renews the leases that the owner still holds. */
  extend(ids: readonly number[], lease: Lease): Promise<void>;
  /** Returns the jobs that the owner still holds to the queue, due at once. */
  release(ids: readonly number[], owner: string, now: number): Promise<void>;
  /** Ends or postpones jobs. Returns the ids of those that their owners still held. */
  finish(ends: readonly JobEnd[]): Promise<ReadonlySet<number>>;
}

interface JobEnd {
  readonly id: number;
  readonly owner: string;
  /** Unix seconds; undefined ends the job. */
  readonly retryAt: number | undefined;
}

interface Lease {
  readonly owner: string;
  /** Unix seconds. */
  readonly now: number;
  readonly seconds: number;
}

const idsOf = (dialect: Dialect, ids: readonly number[]): RawBuilder<unknown> =>
  sql`select cast(l.value as bigint) from ${listOf(dialect, ids)} l`;

/** Ids of the first due jobs of lanes. */
function pick(dialect: Dialect, queue: string, lanes: readonly string[], wanted: number, now: number) {
  const first = sql`select d.job_id from treadle_job d where d.queue = ${queue} and d.lane = l.value and d.due_at <= ${now}
    order by d.due_at, d.job_id limit ${wanted}`;
  return selectFirstOfLanes(dialect, { lanes: listOf(dialect, lanes), first, id: 'job_id', table: 'treadle_job' });
}

/** Lanes by number of jobs wanted, because a statement has one limit. */
function byWanted(lanes: ReadonlyMap<string, number>): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const [lane, wanted] of lanes) {
    const group = groups.get(wanted);
    if (group) group.push(lane);
    else groups.set(wanted, [lane]);
  }
  return groups;
}

const JOB = { kind: 'text', payload: 'text', lane: 'text', due_at: 'bigint' } as const;
const PUT_OFF = { id: 'bigint', due: 'bigint' } as const;

export function createJobStore(database: Database, queue: string): JobStore {
  const { dialect, kysely: db } = database;
  return {
    ...readingStore(database, queue),
    async insert(jobs, now) {
      // One row per kind and payload: PostgreSQL rejects duplicates within one insert.
      const rows = new Map<string, Readonly<Record<string, unknown>>>();
      for (const { kind, payload, lane, dueAt = now } of jobs)
        rows.set(`${kind} ${payload}`, { kind, payload, lane, due_at: dueAt });
      await sql`insert into treadle_job (queue, kind, payload, lane, due_at)
        select ${queue}, j.* from (${rowsOf(dialect, [...rows.values()], JOB)}) j where true
        on conflict (queue, kind, payload) do update set due_at = excluded.due_at
        where treadle_job.owner is null and treadle_job.due_at > excluded.due_at`.execute(db);
    },
    async claim(lanes, { owner, now, seconds }) {
      const jobs: Job[] = [];
      for (const [wanted, names] of byWanted(lanes)) {
        const { rows } = await sql<JobRow>`with picked as materialized (${pick(dialect, queue, names, wanted, now)})
          update treadle_job set owner = ${owner}, due_at = ${now + seconds}
          where job_id in (select job_id from picked)
          returning job_id, kind, payload, lane, due_at`.execute(db);
        jobs.push(...rows.map(toJob));
      }
      return jobs;
    },
    async claimNow({ kind, payload }, { owner, now, seconds }) {
      const { rows } = await sql<JobRow>`update treadle_job set owner = ${owner}, due_at = ${now + seconds}
        where queue = ${queue} and kind = ${kind} and payload = ${payload} and owner is null
        returning job_id, kind, payload, lane, due_at`.execute(db);
      return rows[0] ? toJob(rows[0]) : undefined;
    },
    async extend(ids, { owner, now, seconds }) {
      await sql`update treadle_job set due_at = ${now + seconds}
        where job_id in (${idsOf(dialect, ids)}) and owner = ${owner}`.execute(db);
    },
    async release(ids, owner, now) {
      await sql`update treadle_job set due_at = ${now}, owner = null
        where job_id in (${idsOf(dialect, ids)}) and owner = ${owner}`.execute(db);
    },
    finish: (ends) => finishJobs(database, ends),
  };
}

async function finishJobs({ dialect, kysely: db }: Database, ends: readonly JobEnd[]): Promise<ReadonlySet<number>> {
  const owned = new Set<number>();
  const add = ({ rows }: { readonly rows: readonly { readonly job_id: number }[] }): void => {
    for (const { job_id: id } of rows) owned.add(Number(id));
  };
  for (const owner of new Set(ends.map((end) => end.owner))) {
    const own = ends.filter((end) => end.owner === owner);
    const done = own.filter(({ retryAt }) => retryAt === undefined).map(({ id }) => id);
    const later = own.flatMap(({ id, retryAt }) => (retryAt === undefined ? [] : [{ id, due: retryAt }]));
    if (done.length > 0)
      add(
        await sql<{ job_id: number }>`delete from treadle_job
          where job_id in (${idsOf(dialect, done)}) and owner = ${owner} returning job_id`.execute(db),
      );
    if (later.length > 0)
      add(
        await sql<{ job_id: number }>`update treadle_job set due_at = l.due, owner = null
          from (${rowsOf(dialect, later, PUT_OFF)}) l
          where treadle_job.job_id = l.id and treadle_job.owner = ${owner} returning job_id`.execute(db),
      );
  }
  return owned;
}

/** Upper bound for all leases; those of inline deliveries are the longest. */
const MAX_LEASE_SECONDS = 600;

/** Read-only statements. Each begins with `select`, by which the database sees it. */
function readingStore(
  { kysely: db }: Database,
  queue: string,
): Pick<JobStore, 'findLanes' | 'walkLanes' | 'findNextDue' | 'measure'> {
  return {
    async findLanes(after, until, jobs) {
      const { rows } = await sql<{ lane: string; jobs: number }>`select lane, count(*) as jobs from (
          select lane from treadle_job where queue = ${queue} and due_at > ${after} and due_at <= ${until}
          order by due_at desc limit ${jobs}
        ) recent group by lane`.execute(db);
      const found = rows.reduce((sum, row) => sum + Number(row.jobs), 0);
      return { lanes: rows.map((row) => row.lane), isAll: found < jobs };
    },
    async walkLanes(after, now, limit) {
      // Steps from lane to lane by the index, so that a long lane does not slow the others.
      const { rows } = await sql<{ lane: string; is_due: number | boolean }>`select lane, exists (
          select 1 from treadle_job d where d.queue = ${queue} and d.lane = steps.lane and d.due_at <= ${now}
        ) as is_due from (
          with recursive steps(lane, n) as (
            select min(lane), 1 from treadle_job where queue = ${queue} and lane > ${after}
            union all
            select (select min(j.lane) from treadle_job j where j.queue = ${queue} and j.lane > steps.lane), n + 1
            from steps where steps.lane is not null and n < ${limit}
          )
          select lane from steps where lane is not null
        ) steps order by lane`.execute(db);
      return rows.map((row) => ({ lane: row.lane, isDue: Boolean(Number(row.is_due)) }));
    },
    async measure(now) {
      const { rows } = await sql<Record<'depth' | 'waiting' | 'under_way' | 'first', number | null>>`select
          (select count(*) from treadle_job where queue = ${queue}) as depth,
          (select count(*) from treadle_job where queue = ${queue} and due_at <= ${now}) as waiting,
          (select count(*) from treadle_job where queue = ${queue} and due_at between ${now + 1} and ${now + MAX_LEASE_SECONDS}
            and owner is not null) as under_way,
          (select min(due_at) from treadle_job where queue = ${queue} and due_at <= ${now}) as first`.execute(db);
      const row = rows[0];
      const first = row?.first ?? now;
      return {
        depth: Number(row?.depth ?? 0),
        waiting: Number(row?.waiting ?? 0),
        underWay: Number(row?.under_way ?? 0),
        waitSeconds: Math.max(0, now - Number(first)),
      };
    },
    async findNextDue(now) {
      // Orders by the index instead of `min()`, which made PostgreSQL read all future jobs.
      const { rows } = await sql<{ due_at: number }>`select due_at from treadle_job
        where queue = ${queue} and due_at > ${now} order by due_at limit 1`.execute(db);
      return rows[0] === undefined ? undefined : Number(rows[0].due_at);
    },
  };
}

export const secondsOf = (clock: { now(): number }): number => toSeconds(clock.now());
