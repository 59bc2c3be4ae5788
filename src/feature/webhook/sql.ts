import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { EventFacts, Written } from './message.ts';
import { type HookReceiver, insertDeliveries, type NewDelivery, touchReceivers } from './spread-sql.ts';
import type { DeliveryState } from './tables.ts';

/** Times are unix seconds. */
export interface EventRow extends Written {
  readonly sequence: number;
  readonly event_id: string;
  readonly hook: string;
  readonly type: string;
  readonly data: string;
  readonly profile_id: number | null;
  readonly created_at: number;
}

/** A delivery with everything needed to send it. */
export interface DeliveryRow extends EventFacts {
  readonly delivery_id: number;
  readonly receiver: string;
  readonly hook: string;
  readonly url: string;
  readonly client_id: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly attempts_before: number;
  readonly created_at: number;
  readonly profile_id: number | null;
  readonly version: number;
  readonly hook_version: number;
  readonly previous_version: number | null;
  readonly rotated_at: number | null;
  readonly failing_since: number | null;
  readonly disabled_at: number | null;
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

/** Adds a missing receiver and saves a new secret version. Returns the receiver's state. */
export async function touchReceiver(
  database: Database,
  receiver: HookReceiver,
  now: number,
): Promise<{ readonly isDisabled: boolean }> {
  const disabled = await touchReceivers(database, [receiver], now);
  return { isDisabled: disabled.has(receiver.key) };
}

/** The new delivery's id; undefined if that event already has one for that receiver. */
export async function insertDelivery(
  database: Database,
  delivery: NewDelivery & { readonly now: number },
): Promise<number | undefined> {
  const [added] = await insertDeliveries(database, [delivery], delivery.now);
  return added?.delivery_id;
}

export async function findDelivery(database: Database, deliveryId: number): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select d.delivery_id, d.event_id, d.receiver, d.hook, d.url, d.client_id, d.state, d.attempts, d.attempts_before, d.created_at,
      e.sequence, e.type, e.data, e.format, e.source, e.created_at as event_at, e.profile_id,
      r.version, coalesce(r.hook_version, r.version) as hook_version, r.previous_version, r.rotated_at, r.failing_since, r.disabled_at
    from treadle_delivery d
    join treadle_event e on e.event_id = d.event_id
    join treadle_receiver r on r.receiver = d.receiver
    where d.delivery_id = ${deliveryId}`.execute(database.kysely);
  return rows[0];
}

/** Whether an event has a delivery for a receiver. */
export async function hasDelivery(database: Database, eventId: string, receiver: string): Promise<boolean> {
  const { rows } = await sql`select 1 from treadle_delivery
    where event_id = ${eventId} and receiver = ${receiver}`.execute(database.kysely);
  return rows.length > 0;
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

/**
 * Saves a hook's new secret version: the former secrets also sign for a day. The time is saved with the
 * receivers, so that it survives a restart and is equal for all processes.
 */
export async function rotateReceivers(database: Database, hook: string, version: number, now: number): Promise<void> {
  const older = await sql`select 1 from treadle_receiver
    where hook = ${hook} and coalesce(hook_version, version) < ${version} limit 1`.execute(database.kysely);
  if (older.rows.length === 0) return;
  await sql`update treadle_receiver set previous_version = version,
      version = version + ${version} - coalesce(hook_version, version), hook_version = ${version}, rotated_at = ${now}
    where hook = ${hook} and coalesce(hook_version, version) < ${version}`.execute(database.kysely);
}

/**
 * Saves an app's new secret version, like {@link rotateReceivers} for a hook. If both rose at once, the
 * secret from before both changes signs together with the new one.
 */
export async function rotateApp(database: Database, clientId: string, version: number, now: number): Promise<void> {
  const wanted = sql`hook_version + ${version} - 1`;
  const differs = sql`client_id = ${clientId} and version <> ${wanted}`;
  const found = await sql`select 1 from treadle_receiver where ${differs} limit 1`.execute(database.kysely);
  if (found.rows.length === 0) return;
  await sql`update treadle_receiver set
      previous_version = case when rotated_at = ${now} then previous_version else version end,
      version = ${wanted}, rotated_at = ${now}
    where ${differs}`.execute(database.kysely);
}

/** Events per query of the purge, and deliveries per transaction. */
const PURGE_EVENTS = 100;
const PURGE_DELIVERIES = 500;

/**
 * Removes a batch of old data: deliveries with their attempts, and events without deliveries. Few rows per
 * transaction, even for an event with thousands. True if there may be more.
 */
export async function purgeEvents(database: Database, before: number): Promise<boolean> {
  const { kysely: db } = database;
  const old = db.selectFrom('treadle_event').select('event_id').where('created_at', '<', before);
  const events = (await old.orderBy('created_at').limit(PURGE_EVENTS).execute()).map((row) => row.event_id);
  if (events.length === 0) return false;
  const sent = db.selectFrom('treadle_delivery').select('delivery_id').where('event_id', 'in', events);
  const deliveries = (await sent.limit(PURGE_DELIVERIES).execute()).map((row) => row.delivery_id);
  await database.write(async () => {
    if (deliveries.length > 0) {
      await db.deleteFrom('treadle_attempt').where('delivery_id', 'in', deliveries).execute();
      await db.deleteFrom('treadle_delivery').where('delivery_id', 'in', deliveries).execute();
    }
    if (deliveries.length < PURGE_DELIVERIES)
      await db.deleteFrom('treadle_event').where('event_id', 'in', events).execute();
  });
  return true;
}

/** Keys of receivers with a failed last attempt and that are not disabled. */
export async function findFailingReceivers(database: Database, limit: number): Promise<string[]> {
  const rows = await database.kysely
    .selectFrom('treadle_receiver')
    .select('receiver')
    .where('failing_since', 'is not', null)
    .where('disabled_at', 'is', null)
    .limit(limit)
    .execute();
  return rows.map((row) => String(row.receiver));
}
