import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

interface Counts {
  readonly total: number;
  readonly failed: number;
}

/** Number of attempts since a time (unix seconds), and of those without a 2xx response. */
async function countAttempts(database: Database, since: number): Promise<Counts> {
  const { rows } = await sql<{ total: number; failed: number | null }>`
    select count(*) as total, sum(case when status between 200 and 299 then 0 else 1 end) as failed
    from treadle_attempt where at >= ${since}`.execute(database.kysely);
  return { total: Number(rows[0]?.total ?? 0), failed: Number(rows[0]?.failed ?? 0) };
}

/** Time of the oldest event with a pending delivery (unix seconds); undefined if nothing is pending. */
async function findOldestPending(database: Database, hooks: Iterable<string>): Promise<number | undefined> {
  let oldest: number | undefined;
  // Uses the index of hook and state: among a million deliveries few are pending, or the first one is.
  for (const hook of hooks) {
    const row = await database.kysely
      .selectFrom('treadle_delivery')
      .select('created_at')
      .where('hook', '=', hook)
      .where('state', '=', 'pending')
      .orderBy('delivery_id')
      .limit(1)
      .executeTakeFirst();
    if (row) oldest = Math.min(oldest ?? Number.POSITIVE_INFINITY, Number(row.created_at));
  }
  return oldest;
}

async function countReceivers(database: Database): Promise<{ readonly failing: number; readonly disabled: number }> {
  const { rows } = await sql<{ failing: number | null; disabled: number | null }>`
    select sum(case when disabled_at is null and failing_since is not null then 1 else 0 end) as failing,
      sum(case when disabled_at is not null then 1 else 0 end) as disabled
    from treadle_receiver`.execute(database.kysely);
  return { failing: Number(rows[0]?.failing ?? 0), disabled: Number(rows[0]?.disabled ?? 0) };
}

/** Figures of the log and the receivers, with the names of the event's results. */
export async function readFigures(database: Database, hooks: Iterable<string>, now: number) {
  const [hour, day, oldest, receivers] = [
    await countAttempts(database, now - HOUR),
    await countAttempts(database, now - DAY),
    await findOldestPending(database, hooks),
    await countReceivers(database),
  ];
  return {
    oldest_seconds: oldest === undefined ? 0 : Math.max(0, now - oldest),
    attempts_hour: hour.total,
    failures_hour: hour.failed,
    attempts_day: day.total,
    failures_day: day.failed,
    receivers_failing: receivers.failing,
    receivers_disabled: receivers.disabled,
  };
}
