import { sql } from 'kysely';
import { listOf, rowsOf } from '../../../database/bound-rows.ts';
import type { Database } from '../../../database/database.ts';
import type { DeliveryState } from '../tables.ts';
import { IS_REAL } from '../trial.ts';

/** One attempt and the state of its delivery afterwards. Times are unix seconds. */
export interface AttemptRow {
  readonly delivery_id: number;
  readonly number: number;
  /** Value before the attempt. It differs now if the delivery was replayed by hand meanwhile. */
  readonly attempts_before: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
  readonly request_head: string | null;
  readonly response_head: string | null;
  readonly response_body: string | null;
  readonly at: number;
  readonly state: DeliveryState;
  readonly next_at: number | null;
  readonly settled_at: number | null;
}

const ATTEMPT = {
  delivery_id: 'bigint',
  number: 'bigint',
  status: 'bigint',
  error: 'text',
  milliseconds: 'bigint',
  request_head: 'text',
  response_head: 'text',
  response_body: 'text',
  at: 'bigint',
} as const;

const STANDING = {
  delivery_id: 'bigint',
  number: 'bigint',
  attempts_before: 'bigint',
  status: 'bigint',
  error: 'text',
  state: 'text',
  next_at: 'bigint',
  settled_at: 'bigint',
} as const;

const pick = (attempt: AttemptRow, columns: object): Record<string, unknown> =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, attempt[name as keyof AttemptRow]]));

/**
 * Adds attempts and updates their deliveries, with few statements for any number.
 * @returns Deliveries that were replayed by hand during a failed attempt: their schedule starts over now.
 */
export async function recordAttempts(
  database: Database,
  attempts: readonly AttemptRow[],
  now: number,
): Promise<ReadonlySet<number>> {
  const { dialect, kysely: db } = database;
  const logged = attempts.map((attempt) => pick(attempt, ATTEMPT));
  const standing = attempts.map((attempt) => pick(attempt, STANDING));
  const logging = sql`insert into treadle_attempt
      (delivery_id, number, status, error, milliseconds, request_head, response_head, response_body, at)
    ${rowsOf(dialect, logged, ATTEMPT)}`;
  const noting = sql<{ delivery_id: number }>`update treadle_delivery set state = l.state,
      attempts = l.number, next_at = l.next_at, status = l.status, error = l.error, settled_at = l.settled_at
    from (${rowsOf(dialect, standing, STANDING)}) l
    where treadle_delivery.delivery_id = l.delivery_id
      and (treadle_delivery.attempts_before = l.attempts_before or l.state = 'delivered')
    returning treadle_delivery.delivery_id`;
  // In parallel: the writer is held for one round trip, not two.
  const [{ rows }] = await Promise.all([noting.execute(db), logging.execute(db)]);
  const settled = new Set(rows.map((row) => Number(row.delivery_id)));
  const again = standing.filter((row) => !settled.has(Number(row.delivery_id)));
  if (again.length > 0)
    await sql`update treadle_delivery set attempts = l.number, attempts_before = l.number, next_at = ${now},
        status = l.status, error = l.error
      from (${rowsOf(dialect, again, STANDING)}) l where treadle_delivery.delivery_id = l.delivery_id`.execute(db);
  return new Set(again.map((row) => Number(row.delivery_id)));
}

/**
 * Ends a delivery without an attempt. One that arrived before and was replayed stays delivered. False if it
 * was replayed, or its receiver enabled, after it was read.
 */
export async function endDelivery(
  database: Database,
  end: {
    readonly deliveryId: number;
    readonly attemptsBefore: number;
    readonly state: 'failed' | 'disabled';
    readonly error: string;
    readonly now: number;
  },
): Promise<boolean> {
  const still =
    end.state === 'failed'
      ? sql`attempts_before = ${end.attemptsBefore}`
      : sql`exists (select 1 from treadle_receiver r
          where r.receiver = treadle_delivery.receiver and r.disabled_at is not null)`;
  const hasArrived = sql`exists (select 1 from treadle_attempt a
    where a.delivery_id = treadle_delivery.delivery_id and a.status between 200 and 299)`;
  const state = end.state === 'failed' ? sql`case when ${hasArrived} then 'delivered' else 'failed' end` : end.state;
  const { rows } = await sql`update treadle_delivery
    set state = ${state}, error = ${end.error}, next_at = null, settled_at = ${end.now}
    where delivery_id = ${end.deliveryId} and ${still} returning delivery_id`.execute(database.kysely);
  return rows.length > 0;
}

/** Saves since when receivers have only failed. */
export async function markFailing(database: Database, receiver: string, now: number): Promise<void> {
  await sql`update treadle_receiver set failing_since = ${now}
    where receiver = ${receiver} and failing_since is null`.execute(database.kysely);
}

/** Clears the failure state. Locks no row if none had failed. */
export async function clearFailing(database: Database, receivers: readonly string[]): Promise<void> {
  if (receivers.length === 0) return;
  await sql`update treadle_receiver set failing_since = null where failing_since is not null
    and receiver in (select l.value from ${listOf(database.dialect, receivers)} l)`.execute(database.kysely);
}

/** Disables a receiver; false if it was disabled already. */
export async function disableReceiver(
  database: Database,
  receiver: string,
  { at, reason }: { readonly at: number; readonly reason: string },
): Promise<boolean> {
  const { rows } = await sql`update treadle_receiver set disabled_at = ${at}, disabled_reason = ${reason}
    where receiver = ${receiver} and disabled_at is null returning receiver`.execute(database.kysely);
  return rows.length > 0;
}

/** Since when a receiver has failed, and whether anything was sent since a time. */
export async function readFailing(
  database: Database,
  receiver: string,
  since: number,
): Promise<{ readonly failingSince: number | undefined; readonly isTried: boolean }> {
  const { rows } = await sql<{ failing_since: number | null; tried: number | boolean }>`
    select failing_since, exists (select 1 from treadle_delivery d
        join treadle_attempt a on a.delivery_id = d.delivery_id
        where d.receiver = treadle_receiver.receiver and a.at >= ${since} and ${IS_REAL}) as tried
    from treadle_receiver where receiver = ${receiver}`.execute(database.kysely);
  const at = rows[0]?.failing_since;
  return {
    failingSince: at === null || at === undefined ? undefined : Number(at),
    isTried: Boolean(Number(rows[0]?.tried ?? 0)),
  };
}
