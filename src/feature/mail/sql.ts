import type { Database, SystemTable } from '../../database/database.ts';

/**
 * `waiting`: to be sent, or to be prepared. `sent`: the server has it. `failed`: it was given up. `kept`: it is in the
 * outbox.
 */
export const MAIL_STATES = ['waiting', 'sent', 'failed', 'kept'] as const;
export type MailState = (typeof MAIL_STATES)[number];

export const mailTable: SystemTable = {
  name: 'treadle_mail',
  columns: [
    { name: 'mail_id', type: 'id' },
    { name: 'template', type: 'text', isRequired: true },
    { name: 'state', type: 'text', isRequired: true, default: 'waiting' },
    // Recipient, subject and text, sealed: they may hold a link that opens an account. Null once they are not needed.
    { name: 'sealed', type: 'text' },
    { name: 'attempts', type: 'integer', isRequired: true, default: 0 },
    { name: 'reason', type: 'text' },
    { name: 'created_at', type: 'integer', isRequired: true },
    { name: 'expires_at', type: 'integer', isRequired: true },
    { name: 'settled_at', type: 'integer' },
  ],
  indexes: [{ name: 'treadle_mail_state', columns: ['state', 'mail_id'] }],
};

export interface MailRow {
  readonly mail_id: number;
  readonly template: string;
  readonly state: MailState;
  readonly sealed: string | null;
  readonly attempts: number;
  readonly reason: string | null;
  /** Unix seconds, as the next two. */
  readonly created_at: number;
  /** A mail that was not sent by then is given up. */
  readonly expires_at: number;
  readonly settled_at: number | null;
}

/** A row to insert: it waits. */
export type NewMail = Pick<MailRow, 'template' | 'created_at' | 'expires_at'> & { readonly sealed: string };

export async function insertMail({ kysely }: Database, row: NewMail): Promise<number> {
  const made = await kysely.insertInto('treadle_mail').values(row).returning('mail_id').executeTakeFirstOrThrow();
  return Number(made.mail_id);
}

export async function findMail({ kysely }: Database, mailId: number): Promise<MailRow | undefined> {
  const query = kysely.selectFrom('treadle_mail').selectAll().where('mail_id', '=', mailId);
  return (await query.executeTakeFirst()) as MailRow | undefined;
}

/** The newest mails, newest first. */
export async function listMails({ kysely }: Database, limit: number): Promise<readonly MailRow[]> {
  const query = kysely.selectFrom('treadle_mail').selectAll().orderBy('mail_id', 'desc').limit(limit);
  return (await query.execute()) as unknown as MailRow[];
}

export async function removeMail({ kysely }: Database, mailId: number): Promise<void> {
  await kysely.deleteFrom('treadle_mail').where('mail_id', '=', mailId).execute();
}

export async function updateMail(
  { kysely }: Database,
  mailId: number,
  changes: Partial<Omit<MailRow, 'mail_id'>>,
): Promise<void> {
  await kysely.updateTable('treadle_mail').set(changes).where('mail_id', '=', mailId).execute();
}
