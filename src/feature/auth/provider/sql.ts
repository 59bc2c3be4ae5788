import type { Database, SystemTable } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Identity } from './identity.ts';

const TABLE = 'treadle_auth_provider';

/** Which users of which providers an account belongs to. */
export const providerTable: SystemTable = {
  name: TABLE,
  columns: [
    { name: 'link_id', type: 'id' },
    { name: 'auth_id', type: 'integer', isRequired: true },
    // Name in the settings, for the page; the issuer and the subject are the key.
    { name: 'provider', type: 'text', isRequired: true },
    { name: 'issuer', type: 'text', isRequired: true },
    { name: 'subject', type: 'text', isRequired: true },
    { name: 'email', type: 'text' },
    // Unix seconds, as the next.
    { name: 'created_at', type: 'integer', isRequired: true },
    { name: 'used_at', type: 'integer', isRequired: true },
  ],
  indexes: [
    { name: 'treadle_auth_provider_subject', columns: ['issuer', 'subject'], isUnique: true },
    { name: 'treadle_auth_provider_auth_id', columns: ['auth_id'] },
  ],
};

export type LinkRow = Row & {
  readonly link_id: number;
  readonly auth_id: number;
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly created_at: number;
  readonly used_at: number;
};

type Key = Pick<Identity, 'issuer' | 'subject'>;

export async function findLink({ kysely }: Database, { issuer, subject }: Key): Promise<LinkRow | undefined> {
  const query = kysely.selectFrom(TABLE).selectAll().where('issuer', '=', issuer).where('subject', '=', subject);
  return (await query.executeTakeFirst()) as LinkRow | undefined;
}

/** The providers of an account, the first linked first. */
export async function listLinks({ kysely }: Database, authId: number): Promise<LinkRow[]> {
  const query = kysely.selectFrom(TABLE).selectAll().where('auth_id', '=', authId).orderBy('link_id');
  return (await query.execute()) as LinkRow[];
}

/** Links a provider's user to an account; false if that user belongs to an account already. */
export async function insertLink(
  { kysely }: Database,
  { provider, issuer, subject, email }: Identity,
  { authId, now }: { readonly authId: number; readonly now: number },
): Promise<boolean> {
  const row = { auth_id: authId, provider, issuer, subject, email: email ?? null, created_at: now, used_at: now };
  const made = await kysely
    .insertInto(TABLE)
    .values(row)
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .returning('link_id')
    .execute();
  return made.length > 0;
}

/** Notes a sign-in. */
export async function touchLink({ kysely }: Database, linkId: number, identity: Identity, now: number): Promise<void> {
  const { provider, email } = identity;
  const changes = { provider, email: email ?? null, used_at: now };
  await kysely.updateTable(TABLE).set(changes).where('link_id', '=', linkId).execute();
}

/** Removes one link of an account; false if the account has no such link. */
export async function deleteLink({ kysely }: Database, authId: number, linkId: number): Promise<boolean> {
  const query = kysely.deleteFrom(TABLE).where('auth_id', '=', authId).where('link_id', '=', linkId);
  return (await query.returning('link_id').execute()).length > 0;
}

/** Removes all links of an account. */
export async function deleteLinks({ kysely }: Database, authId: number): Promise<void> {
  await kysely.deleteFrom(TABLE).where('auth_id', '=', authId).execute();
}
