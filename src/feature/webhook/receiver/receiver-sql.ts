import { sql } from 'kysely';
import { toSecretVersion } from '../../../core/secret/webhook-secret.ts';
import { rowsOf } from '../../../database/bound-rows.ts';
import type { Database } from '../../../database/database.ts';
import type { Receiver } from './receiver.ts';
import type { KnownVersions } from './rotation.ts';

/** State of a receiver: whether it responds, and which secret it knows. Times are unix seconds. */
export interface ReceiverRow extends KnownVersions {
  readonly receiver: string;
  readonly failing_since: number | null;
  readonly disabled_at: number | null;
}

/** A receiver of a hook; `version` is the hook's `secretVersion`. */
export interface HookReceiver extends Receiver {
  readonly hook: string;
  readonly version: number;
}

const RECEIVER = {
  receiver: 'text',
  hook: 'text',
  url: 'text',
  client_id: 'text',
  version: 'bigint',
  hook_version: 'bigint',
  created_at: 'bigint',
} as const;

/** Adds missing receivers. */
export async function addReceivers(database: Database, receivers: readonly HookReceiver[], now: number): Promise<void> {
  if (receivers.length === 0) return;
  // Always in the same order, so that two processes cannot deadlock.
  const rows = receivers
    .map(({ key, hook, url, clientId, version, secretVersion }) => ({
      receiver: key,
      hook,
      url,
      client_id: clientId ?? null,
      version: toSecretVersion(version, secretVersion),
      hook_version: version,
      created_at: now,
    }))
    .sort((a, b) => (a.receiver < b.receiver ? -1 : 1));
  await sql`insert into treadle_receiver (receiver, hook, url, client_id, version, hook_version, created_at)
    ${rowsOf(database.dialect, rows, RECEIVER)} on conflict (receiver) do nothing`.execute(database.kysely);
}

/** @throws if there is no such receiver. */
export async function getReceiver(database: Database, receiver: string): Promise<ReceiverRow> {
  const { rows } = await sql<ReceiverRow>`select receiver, version, hook_version, previous_version, rotated_at,
    failing_since, disabled_at from treadle_receiver where receiver = ${receiver}`.execute(database.kysely);
  if (rows[0] === undefined) throw new Error(`There is no receiver ${receiver}.`);
  return rows[0];
}

export async function updateReceiver(
  database: Database,
  receiver: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  await database.kysely.updateTable('treadle_receiver').set(values).where('receiver', '=', receiver).execute();
}

/** Saves a receiver's new secret version, unless another process has. */
export async function rotateReceiver(database: Database, row: ReceiverRow): Promise<void> {
  await sql`update treadle_receiver set previous_version = ${row.previous_version}, version = ${row.version},
    hook_version = ${row.hook_version}, rotated_at = ${row.rotated_at}
    where receiver = ${row.receiver} and version <> ${row.version}`.execute(database.kysely);
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
  const wanted = sql`coalesce(hook_version, version) + ${version} - 1`;
  const differs = sql`client_id = ${clientId} and version <> ${wanted}`;
  const found = await sql`select 1 from treadle_receiver where ${differs} limit 1`.execute(database.kysely);
  if (found.rows.length === 0) return;
  await sql`update treadle_receiver set
      previous_version = case when rotated_at = ${now} then previous_version else version end,
      version = ${wanted}, rotated_at = ${now}
    where ${differs}`.execute(database.kysely);
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
