import { toSeconds } from '../../../../core/clock.ts';
import { digest } from '../../../../core/secret/secret.ts';
import type { Row } from '../../../../database/row-statement.ts';
import type { Services } from '../../../../plan/feature.ts';

const PASSKEY = 'treadle_auth_passkey';
const CHALLENGE = 'treadle_auth_challenge';

export interface NewPasskey {
  readonly authId: number;
  /** Base64url, as the public key. */
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
}

/** The passkeys of an account, oldest first. */
export async function listPasskeys({ database }: Services, authId: number): Promise<Row[]> {
  const query = database.kysely.selectFrom(PASSKEY).selectAll().where('auth_id', '=', authId);
  return query.orderBy('passkey_id').execute();
}

export async function findPasskey({ database }: Services, credentialId: string): Promise<Row | undefined> {
  const query = database.kysely.selectFrom(PASSKEY).selectAll();
  return query.where('credential_key', '=', digest(credentialId)).executeTakeFirst();
}

/** False if the credential has a row, of whatever account. */
export async function insertPasskey({ database, clock }: Services, passkey: NewPasskey): Promise<boolean> {
  const row = {
    auth_id: passkey.authId,
    credential_key: digest(passkey.credentialId),
    credential_id: passkey.credentialId,
    public_key: passkey.publicKey,
    counter: passkey.counter,
    transports: passkey.transports.join(','),
    name: passkey.name,
    created_at: toSeconds(clock.now()),
  };
  const query = database.kysely.insertInto(PASSKEY).values(row);
  const made = await query
    .onConflict((one) => one.column('credential_key').doNothing())
    .returning('passkey_id')
    .execute();
  return made.length > 0;
}

const ofAccount = (authId: number, passkeyId: number) => ({ auth_id: authId, passkey_id: passkeyId });

export async function renamePasskey(
  { database }: Services,
  { authId, passkeyId, name }: { readonly authId: number; readonly passkeyId: number; readonly name: string },
): Promise<boolean> {
  const at = ofAccount(authId, passkeyId);
  const query = database.kysely.updateTable(PASSKEY).set({ name });
  const named = query.where('auth_id', '=', at.auth_id).where('passkey_id', '=', at.passkey_id);
  return (await named.returning('passkey_id').execute()).length > 0;
}

/** Removes a passkey of an account. Returns its name; undefined if there is none. */
export async function deletePasskey(
  { database }: Services,
  authId: number,
  passkeyId: number,
): Promise<string | undefined> {
  const query = database.kysely.deleteFrom(PASSKEY).where('auth_id', '=', authId);
  const [row] = await query.where('passkey_id', '=', passkeyId).returning('name').execute();
  return row === undefined ? undefined : String(row.name);
}

/** Notes a use, unless another request noted the same counter or a higher one. Passkeys without a counter have 0. */
export async function countUse(
  { database, clock }: Services,
  { passkeyId, counter }: { readonly passkeyId: number; readonly counter: number },
): Promise<boolean> {
  const query = database.kysely
    .updateTable(PASSKEY)
    .set({ counter, used_at: toSeconds(clock.now()) })
    .where('passkey_id', '=', passkeyId);
  const fresh = counter === 0 ? query.where('counter', '=', 0) : query.where('counter', '<', counter);
  return (await fresh.returning('passkey_id').execute()).length > 0;
}

/** Uses up a challenge; of two requests with one challenge, one gets true. */
export async function takeChallenge({ database, clock }: Services, challenge: string, until: number): Promise<boolean> {
  const { kysely } = database;
  await kysely.deleteFrom(CHALLENGE).where('expires_at', '<=', toSeconds(clock.now())).execute();
  const query = kysely.insertInto(CHALLENGE).values({ key: digest(challenge), expires_at: until });
  return (
    (
      await query
        .onConflict((one) => one.column('key').doNothing())
        .returning('key')
        .execute()
    ).length > 0
  );
}
