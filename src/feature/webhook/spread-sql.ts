import { sql } from 'kysely';
import { toSecretVersion } from '../../core/webhook-secret.ts';
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

/** For a day from now the former secret signs too. */
async function rotate(database: Database, to: HookReceiver, row: Touched, now: number): Promise<void> {
  const { version, hookVersion } = toWantedVersion(row, to.version, to.secretVersion);
  if (version === Number(row.version)) return;
  await sql`update treadle_receiver set previous_version = version, version = ${version},
    hook_version = ${hookVersion}, rotated_at = ${now}
    where receiver = ${to.key} and version <> ${version}`.execute(database.kysely);
}

/** Adds the receivers that are not there yet and notes new secrets. Gives the keys of those that are disabled. */
export async function touchReceivers(
  database: Database,
  receivers: readonly HookReceiver[],
  now: number,
): Promise<ReadonlySet<string>> {
  const byKey = new Map(receivers.map((receiver) => [receiver.key, receiver] as const));
  if (byKey.size === 0) return new Set();
  const values = [...byKey.values()].map(({ key, hook, url, clientId, version, secretVersion }) => {
    const first = toSecretVersion(version, secretVersion);
    return sql`(${key}, ${hook}, ${url}, ${clientId ?? null}, ${first}, ${version}, ${now})`;
  });
  const { rows } = await sql<Touched>`
    insert into treadle_receiver (receiver, hook, url, client_id, version, hook_version, created_at)
    values ${sql.join(values)}
    on conflict (receiver) do update set url = excluded.url
    returning receiver, disabled_at, version, hook_version`.execute(database.kysely);
  for (const row of rows) {
    const to = byKey.get(row.receiver);
    if (to) await rotate(database, to, row, now);
  }
  return new Set(rows.filter((row) => row.disabled_at !== null).map((row) => row.receiver));
}

/** Ids of the new deliveries by receiver, without those that the event already had. */
export async function insertDeliveries(
  database: Database,
  event: { readonly eventId: string; readonly hook: string; readonly now: number },
  to: readonly { readonly receiver: Receiver; readonly isDisabled: boolean }[],
): Promise<ReadonlyMap<string, number>> {
  if (to.length === 0) return new Map();
  const { eventId, hook, now } = event;
  const values = to.map(({ receiver: { key, url, clientId }, isDisabled }) => {
    const state = isDisabled ? 'disabled' : 'pending';
    return sql`(${eventId}, ${key}, ${hook}, ${url}, ${clientId ?? null}, ${state}, ${isDisabled ? null : now}, ${now})`;
  });
  const { rows } = await sql<{ receiver: string; delivery_id: number }>`
    insert into treadle_delivery (event_id, receiver, hook, url, client_id, state, next_at, created_at)
    values ${sql.join(values)}
    on conflict (event_id, receiver) do nothing
    returning receiver, delivery_id`.execute(database.kysely);
  return new Map(rows.map((row) => [row.receiver, Number(row.delivery_id)] as const));
}
