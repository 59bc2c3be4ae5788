import { sql } from 'kysely';
import { toSecretVersion } from '../../core/webhook-secret.ts';
import { listOf, rowsOf } from '../../database/bound-rows.ts';
import type { Database } from '../../database/database.ts';
import type { Receiver } from './receiver.ts';
import { type KnownVersion, toWantedVersion } from './rotation.ts';

/** A receiver of a hook; `version` is the hook's `secretVersion`. */
export interface HookReceiver extends Receiver {
  readonly hook: string;
  readonly version: number;
}

interface Touched extends KnownVersion {
  readonly receiver: string;
  readonly disabled_at: number | null;
}

/** Saves a new version; the former secret also signs for a day. */
async function rotate(database: Database, to: HookReceiver, row: Touched, now: number): Promise<void> {
  const { version, hookVersion } = toWantedVersion(row, to.version, to.secretVersion);
  if (version === Number(row.version)) return;
  await sql`update treadle_receiver set previous_version = version, version = ${version},
    hook_version = ${hookVersion}, rotated_at = ${now}
    where receiver = ${to.key} and version <> ${version}`.execute(database.kysely);
}

/** Rows of receivers; adds missing ones. Writes nothing for known ones, which other transactions read. */
async function findOrAdd(database: Database, receivers: readonly HookReceiver[], now: number): Promise<Touched[]> {
  const { dialect, kysely: db } = database;
  const keys = listOf(
    dialect,
    receivers.map(({ key }) => key),
  );
  const known = await sql<Touched>`select receiver, disabled_at, version, hook_version from treadle_receiver
    where receiver in (select l.value from ${keys} l)`.execute(db);
  const there = new Set(known.rows.map((row) => row.receiver));
  const values = receivers
    .filter(({ key }) => !there.has(key))
    .map(({ key, hook, url, clientId, version, secretVersion }) => {
      const first = toSecretVersion(version, secretVersion);
      return sql`(${key}, ${hook}, ${url}, ${clientId ?? null}, ${first}, ${version}, ${now})`;
    });
  if (values.length === 0) return known.rows;
  // Another process may have added the row meanwhile: the no-op update makes the statement return it.
  const added = await sql<Touched>`
    insert into treadle_receiver (receiver, hook, url, client_id, version, hook_version, created_at)
    values ${sql.join(values)}
    on conflict (receiver) do update set url = excluded.url
    returning receiver, disabled_at, version, hook_version`.execute(db);
  return [...known.rows, ...added.rows];
}

/** Adds missing receivers and saves new secret versions. Returns the keys of disabled ones. */
export async function touchReceivers(
  database: Database,
  receivers: readonly HookReceiver[],
  now: number,
): Promise<ReadonlySet<string>> {
  // Always in the same order, so that two processes cannot deadlock.
  const byKey = new Map(
    receivers.map((receiver) => [receiver.key, receiver] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  if (byKey.size === 0) return new Set();
  const rows = await findOrAdd(database, [...byKey.values()], now);
  for (const row of rows) {
    const to = byKey.get(row.receiver);
    if (to) await rotate(database, to, row, now);
  }
  return new Set(rows.filter((row) => row.disabled_at !== null).map((row) => row.receiver));
}

export interface NewDelivery {
  readonly eventId: string;
  readonly hook: string;
  readonly receiver: Receiver;
  readonly state: 'pending' | 'disabled';
}

export interface AddedDelivery {
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
  state: 'text',
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
  const values = deliveries.map(({ eventId, hook, receiver: { key, url, clientId }, state }) => ({
    event_id: eventId,
    receiver: key,
    hook,
    url,
    client_id: clientId ?? null,
    state,
    next_at: state === 'disabled' ? null : now,
    created_at: now,
  }));
  const { rows } = await sql<AddedDelivery>`
    insert into treadle_delivery (event_id, receiver, hook, url, client_id, state, next_at, created_at)
    ${rowsOf(database.dialect, values, DELIVERY)}
    on conflict (event_id, receiver) do nothing
    returning event_id, receiver, delivery_id`.execute(database.kysely);
  return rows.map((row) => ({ ...row, delivery_id: Number(row.delivery_id) }));
}
