import { type RawBuilder, sql } from 'kysely';
import { toSeconds } from '../core/clock.ts';
import type { Database, Dialect, SystemTable } from '../database/database.ts';
import type { Job, JobRef, NewJob } from './queue.ts';

/** Where a queue that is a table keeps its jobs. A job under way has an owner, and is due again when its lease ends. */
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
    { name: 'treadle_job_lane', columns: ['queue', 'lane', 'due_at', 'job_id'] },
    { name: 'treadle_job_due', columns: ['queue', 'due_at'] },
  ],
};

/** Ids in one statement; lists are padded to a power of two, so that few shapes of statement exist. */
const MAX_IDS = 256;

function pad(ids: readonly number[]): number[] {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, ids.length)));
  return Array.from({ length: size }, (_, index) => ids[Math.min(index, ids.length - 1)] ?? -1);
}

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

/** The statements of one queue. Times are unix seconds. */
export interface JobStore {
  insert(jobs: readonly NewJob[], now: number): Promise<void>;
  /** Due jobs, the oldest of each lane first, at most so many a lane. */
  findDue(now: number, perLane: number): Promise<Job[]>;
  /** When the next job is due after now; undefined where none is. */
  findNextDue(now: number): Promise<number | undefined>;
  /** Takes due jobs; those that another took in between are not returned. */
  claim(ids: readonly number[], lease: Lease): Promise<Job[]>;
  /** Takes one job whenever it is due, unless somebody has it. */
  claimNow(ref: JobRef, lease: Lease): Promise<Job | undefined>;
  /** Prolongs or, with `isReleased`, gives back what an owner has. */
  extend(lease: Lease, isReleased?: boolean): Promise<void>;
  /** Ends a job or puts it off; false where the owner no longer has it. */
  settle(id: number, owner: string, retryAt: number | undefined): Promise<boolean>;
}

export interface Lease {
  readonly owner: string;
  /** Unix seconds. */
  readonly now: number;
  readonly seconds: number;
}

/** Stalled owners still find their jobs this many seconds after the lease ended. */
const STALL_SECONDS = 60;

/** Those of a lane that are due, joined to it: SQLite has no lateral join, PostgreSQL no use for the other one. */
function joinDue(dialect: Dialect, due: RawBuilder<unknown>): RawBuilder<unknown> {
  return dialect === 'postgres'
    ? sql`cross join lateral (select * ${due}) j`
    : sql`join treadle_job j on j.job_id in (select d.job_id ${due})`;
}

/** Jobs by their ids; on PostgreSQL none that another process is taking this moment, so that nobody waits for it. */
function toClaimable(dialect: Dialect, ids: readonly number[], now: number): RawBuilder<unknown> {
  const list = sql`job_id in (${sql.join(pad(ids.slice(0, MAX_IDS)))}) and due_at <= ${now}`;
  if (dialect === 'sqlite') return list;
  return sql`job_id in (select job_id from treadle_job where ${list} order by job_id for update skip locked)`;
}

export function createJobStore(database: Database, queue: string): JobStore {
  const { dialect, kysely: db } = database;
  return {
    async insert(jobs, now) {
      for (const job of jobs) {
        const dueAt = job.dueAt ?? now;
        await sql`insert into treadle_job (queue, kind, payload, lane, due_at)
          values (${queue}, ${job.kind}, ${job.payload}, ${job.lane}, ${dueAt})
          on conflict (queue, kind, payload) do update set due_at = excluded.due_at
          where treadle_job.owner is null and treadle_job.due_at > excluded.due_at`.execute(db);
      }
    },
    async findDue(now, perLane) {
      // Walks from lane to lane by the index: what waits in a long lane costs the others nothing.
      // It begins with `select`, by which the database knows that it only reads.
      const { rows } = await sql<JobRow>`select j.job_id, j.kind, j.payload, j.lane, j.due_at
        from (
          with recursive lanes(lane) as (
            select min(lane) from treadle_job where queue = ${queue}
            union all
            select (select min(n.lane) from treadle_job n where n.queue = ${queue} and n.lane > lanes.lane)
            from lanes where lanes.lane is not null
          )
          select lane from lanes
        ) l ${joinDue(
          dialect,
          sql`from treadle_job d where d.queue = ${queue} and d.lane = l.lane and d.due_at <= ${now}
            order by d.due_at, d.job_id limit ${perLane}`,
        )}
        order by j.due_at, j.job_id`.execute(db);
      return rows.map(toJob);
    },
    async findNextDue(now) {
      const { rows } = await sql<{ due_at: number | null }>`select min(due_at) as due_at from treadle_job
        where queue = ${queue} and due_at > ${now}`.execute(db);
      const due = rows[0]?.due_at;
      return due === null || due === undefined ? undefined : Number(due);
    },
    async claim(ids, { owner, now, seconds }) {
      if (ids.length === 0) return [];
      const { rows } = await sql<JobRow>`update treadle_job set owner = ${owner}, due_at = ${now + seconds}
        where ${toClaimable(dialect, ids, now)}
        returning job_id, kind, payload, lane, due_at`.execute(db);
      return rows.map(toJob);
    },
    async claimNow({ kind, payload }, { owner, now, seconds }) {
      const { rows } = await sql<JobRow>`update treadle_job set owner = ${owner}, due_at = ${now + seconds}
        where queue = ${queue} and kind = ${kind} and payload = ${payload} and owner is null
        returning job_id, kind, payload, lane, due_at`.execute(db);
      return rows[0] ? toJob(rows[0]) : undefined;
    },
    async extend({ owner, now, seconds }, isReleased = false) {
      const kept = isReleased ? sql`null` : sql`${owner}`;
      await sql`update treadle_job set due_at = ${isReleased ? now : now + seconds}, owner = ${kept}
        where queue = ${queue} and owner = ${owner}
        and due_at between ${now - STALL_SECONDS} and ${now + seconds}`.execute(db);
    },
    async settle(id, owner, retryAt) {
      const { rows } =
        retryAt === undefined
          ? await sql`delete from treadle_job where job_id = ${id} and owner = ${owner} returning job_id`.execute(db)
          : await sql`update treadle_job set due_at = ${retryAt}, owner = null
              where job_id = ${id} and owner = ${owner} returning job_id`.execute(db);
      return rows.length > 0;
    },
  };
}

/** Unix seconds of now. */
export const secondsOf = (clock: { now(): number }): number => toSeconds(clock.now());
