import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Application } from '../../src/boot.ts';
import type { OutgoingMail } from '../../src/outbound/mail.ts';

/** Changes `config/settings.json` of a project. */
export function changeSettings(root: string, change: Readonly<Record<string, unknown>>): void {
  const file = join(root, 'config/settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, `${JSON.stringify({ ...settings, ...change }, null, 2)}\n`);
}

/** Waits for a condition; fails after ten seconds, which only a fault takes. */
export async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (let left = 400; left > 0; left -= 1) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('It did not happen.');
}

/** Mails in the outbox of a development server, oldest first, as they would be sent. */
export async function listOutbox({ services }: Application): Promise<OutgoingMail[]> {
  const { kysely } = services.database;
  const rows = await kysely
    .selectFrom('treadle_mail')
    .selectAll()
    .where('state', '=', 'kept')
    .orderBy('mail_id')
    .execute();
  return rows.map((row) => (JSON.parse(services.secret.open(String(row.sealed))) as { mail: OutgoingMail }).mail);
}

/** Resolves when the mail queue is empty. */
export const mailsDone = ({ services }: Application): Promise<true> =>
  until(async () => {
    const query = services.database.kysely.selectFrom('treadle_mail').select('mail_id').where('state', '=', 'waiting');
    return (await query.execute()).length === 0 ? true : undefined;
  });

/** The path and query of the first link in a mail. */
export function toPath(mail: OutgoingMail | undefined): string {
  const link = /https?:\/\/[^\s]+\?token=[^\s]+/.exec(mail?.text ?? '')?.[0] ?? '';
  const url = new URL(link);
  return url.pathname + url.search;
}

export const toToken = (path: string): string => new URL(path, 'http://x').searchParams.get('token') ?? '';
