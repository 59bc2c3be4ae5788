import type { Database } from '../../database/database.ts';
import { KEY } from './tables.ts';

/** Rows deleted per statement. */
const STEP = 500;

/** What is stored for a request with an `Idempotency-Key`. */
export interface StoredKey {
  readonly fingerprint: string;
  /** 0 for an answer that cannot be replayed. */
  readonly status: number;
  readonly answer: string | undefined;
}

/** The stored request of a key; undefined if it is new, or older than `since` (unix seconds). */
export async function findKey({ kysely }: Database, keyHash: string, since: number): Promise<StoredKey | undefined> {
  const row = await kysely
    .selectFrom(KEY)
    .select(['fingerprint', 'status', 'answer'])
    .where('key_hash', '=', keyHash)
    .where('created_at', '>', since)
    .executeTakeFirst();
  if (!row) return undefined;
  const answer = typeof row.answer === 'string' ? row.answer : undefined;
  return { fingerprint: String(row.fingerprint), status: Number(row.status), answer };
}

/** Claims a key in the open transaction; false if another request has it. Replaces an expired one. */
export async function takeKey(
  { kysely }: Database,
  row: { readonly key_hash: string; readonly fingerprint: string; readonly created_at: number },
  since: number,
): Promise<boolean> {
  await kysely.deleteFrom(KEY).where('key_hash', '=', row.key_hash).where('created_at', '<=', since).execute();
  const insert = kysely.insertInto(KEY).values({ ...row });
  const result = await insert.onConflict((conflict) => conflict.column('key_hash').doNothing()).executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Stores the answer of a key, in the same transaction. */
export async function saveAnswer(
  { kysely }: Database,
  keyHash: string,
  stored: { readonly status: number; readonly answer: string | null },
): Promise<void> {
  await kysely
    .updateTable(KEY)
    .set({ ...stored })
    .where('key_hash', '=', keyHash)
    .execute();
}

/** Deletes some keys older than `since`; true if there may be more. */
export async function removeOldKeys({ kysely }: Database, since: number): Promise<boolean> {
  const old = kysely.selectFrom(KEY).select('key_hash').where('created_at', '<=', since).limit(STEP);
  const result = await kysely.deleteFrom(KEY).where('key_hash', 'in', old).executeTakeFirst();
  return Number(result.numDeletedRows) >= STEP;
}

/** True if there is a key older than `since`. */
export async function hasOldKey({ kysely }: Database, since: number): Promise<boolean> {
  const row = await kysely
    .selectFrom(KEY)
    .select('key_hash')
    .where('created_at', '<=', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
