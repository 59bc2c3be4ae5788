import { sql } from 'kysely';
import { listOf, rowsOf } from '../../database/bound-rows.ts';
import type { Database } from '../../database/database.ts';
import type { EventFacts, MessageFormat } from './message.ts';
import type { Receiver } from './receiver/receiver.ts';
import type { ReceiverRow } from './receiver/receiver-sql.ts';
import type { DeliveryState } from './tables.ts';

/** Times are unix seconds. */
export interface EventRow extends MessageFormat {
  readonly sequence: number;
  readonly event_id: string;
  readonly hook: string;
  readonly type: string;
  readonly data: string;
  readonly profile_id: number | null;
  readonly created_at: number;
}

/** A delivery with its event and the state of its receiver. */
export interface DeliveryRow extends EventFacts, ReceiverRow {
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

async function findDeliveries(database: Database, ids: readonly number[]): Promise<Map<number, DeliveryRow>> {
  const { rows } = await sql<DeliveryRow>`
    select d.delivery_id, d.event_id, d.receiver, d.hook, d.url, d.client_id, d.state, d.attempts, d.attempts_before, d.created_at,
      e.sequence, e.type, e.data, e.format, e.source, e.created_at as event_at, e.profile_id,
      r.version, r.hook_version, r.previous_version, r.rotated_at, r.failing_since, r.disabled_at
    from treadle_delivery d
    join treadle_event e on e.event_id = d.event_id
    join treadle_receiver r on r.receiver = d.receiver
    where d.delivery_id in (select cast(l.value as bigint) from ${listOf(database.dialect, ids)} l)`.execute(
    database.kysely,
  );
  return new Map(rows.map((row) => [Number(row.delivery_id), row]));
}

export type FindDelivery = (deliveryId: number) => Promise<DeliveryRow | undefined>;

/** Reads deliveries: one statement for all that are asked for in one turn of the event loop. */
export function createDeliveryReader(database: Database): FindDelivery {
  let pendingIds: number[] = [];
  let reading: Promise<Map<number, DeliveryRow>> | undefined;
  return async (deliveryId) => {
    pendingIds.push(deliveryId);
    reading ??= Promise.resolve().then(() => {
      const ids = pendingIds;
      [pendingIds, reading] = [[], undefined];
      return findDeliveries(database, ids);
    });
    return (await reading).get(deliveryId);
  };
}

export interface NewDelivery {
  readonly eventId: string;
  readonly hook: string;
  readonly receiver: Receiver;
}

interface AddedDelivery {
  readonly event_id: string;
  readonly receiver: string;
  readonly delivery_id: number;
}

const DELIVERY = {
  event_id: 'text',
  receiver: 'text',
  hook: 'text',
  url: 'text',
  client_id: 'text',
  next_at: 'bigint',
  created_at: 'bigint',
} as const;

/** The new deliveries, without those that an event already had. */
export async function insertDeliveries(
  database: Database,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<readonly AddedDelivery[]> {
  if (deliveries.length === 0) return [];
  const values = deliveries.map(({ eventId, hook, receiver: { key, url, clientId } }) => ({
    event_id: eventId,
    receiver: key,
    hook,
    url,
    client_id: clientId ?? null,
    next_at: now,
    created_at: now,
  }));
  const { rows } = await sql<AddedDelivery>`
    insert into treadle_delivery (event_id, receiver, hook, url, client_id, next_at, created_at)
    ${rowsOf(database.dialect, values, DELIVERY)}
    on conflict (event_id, receiver) do nothing
    returning event_id, receiver, delivery_id`.execute(database.kysely);
  return rows.map((row) => ({ ...row, delivery_id: Number(row.delivery_id) }));
}

/** Changes the address of a delivery; false if the event already has a delivery there. */
export async function moveDelivery(database: Database, row: DeliveryRow, { key, url }: Receiver): Promise<boolean> {
  const { rows } = await sql`update treadle_delivery set receiver = ${key}, url = ${url}
    where delivery_id = ${row.delivery_id} and not exists (
      select 1 from treadle_delivery other where other.event_id = ${row.event_id} and other.receiver = ${key})
    returning delivery_id`.execute(database.kysely);
  return rows.length > 0;
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
