import { listEmailForms } from '../../../core/text/email.ts';
import type { Database } from '../../../database/database.ts';
import { APP } from '../tables.ts';

export interface Holder {
  readonly authId: number;
  /** Whether the e-mail is verified. */
  readonly isVerified: boolean;
}

/** The account of an e-mail. */
export async function findHolder({ kysely }: Database, email: string): Promise<Holder | undefined> {
  const forms = listEmailForms(email);
  const rows = await kysely
    .selectFrom('treadle_auth')
    .select(['auth_id', 'auth_verified', 'auth_slug'])
    .where('auth_slug', 'in', forms)
    .execute();
  const [row] = forms.flatMap((form) => rows.filter(({ auth_slug: slug }) => slug === form));
  return row && { authId: Number(row.auth_id), isVerified: row.auth_verified === 1 };
}

export async function isVerified({ kysely }: Database, authId: number): Promise<boolean> {
  const query = kysely.selectFrom('treadle_auth').select('auth_verified').where('auth_id', '=', authId);
  return (await query.executeTakeFirst())?.auth_verified === 1;
}

/** Gives apps of definition files to an account. */
export async function setOwner({ kysely }: Database, clientIds: readonly string[], authId: number): Promise<void> {
  await kysely
    .updateTable(APP)
    .set({ owner_auth_id: authId })
    .where('client_id', 'in', clientIds)
    .where('name', 'is not', null)
    .execute();
}
