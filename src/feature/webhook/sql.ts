import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { Receiver } from './receiver.ts';
import type { DeliveryState } from './tables.ts';

/** Times are unix seconds throughout. */
export interface EventRow {
  readonly sequence: number;
  readonly event_id: string;
  readonly hook: string;
  readonly type: string;
  readonly data: string;
  readonly profile_id: number | null;
  readonly created_at: number;
}

/** A delivery with what is needed to send it. */
export interface DeliveryRow {
  readonly delivery_id: number;
  readonly event_id: string;
  readonly receiver: string;
  readonly hook: string;
  readonly url: string;
  readonly client_id: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly attempts_before: number;
  readonly sequence: number;
  readonly type: string;
  readonly data: string;
  readonly event_at: number;
  readonly version: number;
  readonly previous_version: number | null;
  readonly rotated_at: number | null;
  readonly failing_since: number | null;
  readonly disabled_at: number | null;
}

export interface AttemptRow {
  readonly delivery_id: number;
  readonly number: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
  readonly response_head: string | null;
  readonly response_body: string | null;
  readonly at: number;
}

export async function insertEvent(database: Database, event: Omit<EventRow, 'sequence'>): Promise<void> {
  await database.kysely
    .insertInto('treadle_event')
    .values({ ...event })
    .execute();
}

export async function findEvent(database: Database, eventId: string): Promise<EventRow | undefined> {
  const row = await database.kysely
    .selectFrom('treadle_event')
    .selectAll()
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  return row as unknown as EventRow | undefined;
}

/** Adds what is not there yet; tells the receiver's state. */
export async function touchReceiver(
  database: Database,
  receiver: Receiver & { readonly hook: string; readonly version: number },
  now: number,
): Promise<{ readonly isDisabled: boolean }> {
  const { rows } = await sql<{ disabled_at: number | null }>`
    insert into treadle_receiver (receiver, hook, url, client_id, version, created_at)
    values (${receiver.key}, ${receiver.hook}, ${receiver.url}, ${receiver.clientId ?? null}, ${receiver.version}, ${now})
    on conflict (receiver) do update set url = excluded.url
    returning disabled_at`.execute(database.kysely);
  return { isDisabled: rows[0] !== undefined && rows[0].disabled_at !== null };
}

/** The new delivery's id; undefined where that event already has one for that receiver. */
export async function insertDelivery(
  database: Database,
  delivery: {
    readonly eventId: string;
    readonly hook: string;
    readonly receiver: Receiver;
    readonly state: DeliveryState;
    readonly now: number;
  },
): Promise<number | undefined> {
  const { eventId, hook, receiver, state, now } = delivery;
  const { rows } = await sql<{ delivery_id: number }>`
    insert into treadle_delivery (event_id, receiver, hook, url, client_id, state, next_at, created_at)
    values (${eventId}, ${receiver.key}, ${hook}, ${receiver.url}, ${receiver.clientId ?? null}, ${state},
      ${state === 'pending' ? now : null}, ${now})
    on conflict (event_id, receiver) do nothing
    returning delivery_id`.execute(database.kysely);
  return rows[0] === undefined ? undefined : Number(rows[0].delivery_id);
}

export async function findDelivery(database: Database, deliveryId: number): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select d.delivery_id, d.event_id, d.receiver, d.hook, d.url, d.client_id, d.state, d.attempts, d.attempts_before,
      e.sequence, e.type, e.data, e.created_at as event_at,
      r.version, r.previous_version, r.rotated_at, r.failing_since, r.disabled_at
    from treadle_delivery d
    join treadle_event e on e.event_id = d.event_id
    join treadle_receiver r on r.receiver = d.receiver
    where d.delivery_id = ${deliveryId}`.execute(database.kysely);
  return rows[0];
}

export async function insertAttempt(database: Database, attempt: AttemptRow): Promise<void> {
  await database.kysely
    .insertInto('treadle_attempt')
    .values({ ...attempt })
    .execute();
}

export async function updateDelivery(
  database: Database,
  deliveryId: number,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  await database.kysely.updateTable('treadle_delivery').set(values).where('delivery_id', '=', deliveryId).execute();
}

export async function updateReceiver(
  database: Database,
  receiver: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  await database.kysely.updateTable('treadle_receiver').set(values).where('receiver', '=', receiver).execute();
}

/** Remembers since when a receiver has answered nothing but failures. */
export async function markFailing(database: Database, receiver: string, now: number): Promise<void> {
  await sql`update treadle_receiver set failing_since = ${now}
    where receiver = ${receiver} and failing_since is null`.execute(database.kysely);
}

/** Notes that a hook's secret version rose: for a day from now the former one signs too. */
export async function rotateReceivers(database: Database, hook: string, version: number, now: number): Promise<void> {
  const older = await sql`select 1 from treadle_receiver where hook = ${hook} and version < ${version} limit 1`.execute(
    database.kysely,
  );
  if (older.rows.length === 0) return;
  await sql`update treadle_receiver set previous_version = version, version = ${version}, rotated_at = ${now}
    where hook = ${hook} and version < ${version}`.execute(database.kysely);
}

/** Removes up to `limit` events older than a time, with their deliveries and attempts; tells how many. */
export async function removeEvents(database: Database, before: number, limit: number): Promise<number> {
  const old = database.kysely
    .selectFrom('treadle_event')
    .select('event_id')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit);
  const ids = (await old.execute()).map((row) => row.event_id as string);
  if (ids.length === 0) return 0;
  await database.write(async () => {
    const deliveries = database.kysely
      .selectFrom('treadle_delivery')
      .select('delivery_id')
      .where('event_id', 'in', ids);
    await database.kysely.deleteFrom('treadle_attempt').where('delivery_id', 'in', deliveries).execute();
    await database.kysely.deleteFrom('treadle_delivery').where('event_id', 'in', ids).execute();
    await database.kysely.deleteFrom('treadle_event').where('event_id', 'in', ids).execute();
  });
  return ids.length;
}
