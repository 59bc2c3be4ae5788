import { toSeconds } from '../../../core/clock.ts';
import { createToken, digest } from '../../../core/secret/secret.ts';
import type { Database, SystemTable } from '../../../database/database.ts';
import type { Services } from '../../../plan/feature.ts';

/** The purpose of a mailed link, or of the `state` sent to a sign-in provider: its token is valid for nothing else. */
export type Purpose = 'recover' | 'verify' | 'invite' | 'email' | 'setup' | 'provider';

/** Seconds that a link is valid. */
export const LINK_SECONDS: Readonly<Record<Purpose, number>> = {
  recover: 1800,
  verify: 86_400,
  invite: 7 * 86_400,
  email: 3600,
  setup: 86_400,
  provider: 600,
};

/** In place of an account: the link makes one. */
export const NOBODY_ID = 0;

const TABLE = 'treadle_auth_token';

/** Tokens of mailed links, stored as SHA-256, so that a copy of the table is useless. */
export const mailTokenTable: SystemTable = {
  name: TABLE,
  columns: [
    { name: 'key', type: 'key' },
    { name: 'purpose', type: 'text', isRequired: true },
    { name: 'auth_id', type: 'integer', isRequired: true },
    { name: 'expires_at', type: 'integer', isRequired: true },
    // What the link does it with, sealed: the new address for `email`, the flow for `provider`.
    { name: 'data', type: 'text' },
  ],
  indexes: [{ name: 'treadle_auth_token_auth_id', columns: ['auth_id'] }],
};

export interface MailToken {
  readonly key: string;
  readonly purpose: Purpose;
  readonly auth_id: number;
  /** The new address for `email`, the flow for `provider`. */
  readonly data: string | undefined;
}

/** Longest text that is looked up. */
const MOST = 100;

/**
 * Creates a token for an account. It removes the account's expired ones, and those of the same purpose: only the newest
 * link works. Sign-ins at a provider run side by side. Returns the text for the link.
 */
export async function issueToken(
  { database, clock, random, secret }: Services,
  purpose: Purpose,
  authId: number,
  data?: string,
): Promise<string> {
  const now = toSeconds(clock.now());
  const text = createToken(random, 'tk_ml_');
  const row = {
    key: digest(text),
    purpose,
    auth_id: authId,
    expires_at: now + LINK_SECONDS[purpose],
    data: data === undefined ? null : secret.seal(data),
  };
  await database.write(async () => {
    await database.kysely.deleteFrom(TABLE).where('auth_id', '=', authId).where('expires_at', '<=', now).execute();
    if (purpose !== 'provider') await removeTokens(database, authId, purpose);
    await database.kysely.insertInto(TABLE).values(row).execute();
  });
  return text;
}

/** The token of a link if it still works for one of the purposes. */
export async function findToken(
  { database, clock, secret }: Services,
  text: unknown,
  ...purposes: readonly Purpose[]
): Promise<MailToken | undefined> {
  if (typeof text !== 'string' || text === '' || text.length > MOST) return undefined;
  const row = await database.kysely
    .selectFrom(TABLE)
    .selectAll()
    .where('key', '=', digest(text))
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', toSeconds(clock.now()))
    .executeTakeFirst();
  if (!row) return undefined;
  const { key, purpose, auth_id, data } = row;
  return {
    key: String(key),
    purpose: purpose as Purpose,
    auth_id: Number(auth_id),
    data: typeof data === 'string' ? secret.open(data) : undefined,
  };
}

/** Uses up a token, inside the write that it allows. False if another request was faster. */
export async function takeToken({ kysely }: Database, { key }: MailToken): Promise<boolean> {
  const taken = await kysely.deleteFrom(TABLE).where('key', '=', key).returning('key').execute();
  return taken.length > 0;
}

/** Removes every token of an account, because its password or address changed; with a purpose, only those. */
export async function removeTokens({ kysely }: Database, authId: number, purpose?: Purpose): Promise<void> {
  const all = kysely.deleteFrom(TABLE).where('auth_id', '=', authId);
  await (purpose === undefined ? all : all.where('purpose', '=', purpose)).execute();
}
