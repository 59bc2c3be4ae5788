import type { Database } from '../../database/database.ts';
import { KEY } from './tables.ts';

/** Rows that are removed at once. */
const STEP = 500;

/** What is stored of a request with an `Idempotency-Key`. */
export interface StoredKey {
  readonly fingerprint: string;
  /** 0 for an answer that cannot be given again. */
  readonly status: number;
  readonly answer: string | undefined;
}

/** What a key stands for; undefined where it is new, or from before `since` (unix seconds). */
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

/** Takes a key for the transaction that is open; false where another request has it. An old one gives way. */
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

/** Keeps the answer with its key, in the same transaction. */
export async function keepAnswer(
  { kysely }: Database,
  keyHash: string,
  kept: { readonly status: number; readonly answer: string | null },
): Promise<void> {
  await kysely
    .updateTable(KEY)
    .set({ ...kept })
    .where('key_hash', '=', keyHash)
    .execute();
}

/** Forgets some keys from before `since`; whether there may be more. */
export async function removeOldKeys({ kysely }: Database, since: number): Promise<boolean> {
  const old = kysely.selectFrom(KEY).select('key_hash').where('created_at', '<=', since).limit(STEP);
  const result = await kysely.deleteFrom(KEY).where('key_hash', 'in', old).executeTakeFirst();
  return Number(result.numDeletedRows) >= STEP;
}

/** Whether there is a key from before `since`. */
export async function hasOldKey({ kysely }: Database, since: number): Promise<boolean> {
  const row = await kysely
    .selectFrom(KEY)
    .select('key_hash')
    .where('created_at', '<=', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
