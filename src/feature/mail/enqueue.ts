import { toSeconds } from '../../core/clock.ts';
import { findDeferredWork } from '../../plan/emit/deferred-work.ts';
import type { Services } from '../../plan/feature.ts';
import type { JobRef, Queue } from '../../queue/queue.ts';
import { createTableQueue } from '../../queue/table-queue.ts';
import { type MailContent, openContent } from './content.ts';
import { insertMail, type MailRow } from './sql.ts';

/** Seconds for which a mail is tried, unless its sender says less. */
export const RETRY_SECONDS = 2 * 86_400;

/**
 * The queue of this process's kind: mails of a development server without a mail server wait for its outbox. Otherwise it
 * would keep the mails of a production server on the same database, and that one would send its.
 */
export const createMailQueue = (services: Services): Queue =>
  createTableQueue(services, services.mailer.way === 'outbox' ? 'mail-outbox' : 'mail');

const LANE = 'mail';
/** Preparing a mail calls no mail server: it does not wait behind mails that one refuses. */
export const PREPARE_LANE = 'prepare';

const toMailJob = (mailId: number): JobRef => ({ kind: 'mail', payload: String(mailId) });

/** Queues sealed contents, in one write that joins the open transaction; in a listener before a write, with that write. */
export async function enqueueMails(
  services: Services,
  contents: readonly MailContent[],
  { template, seconds = RETRY_SECONDS }: { readonly template: string; readonly seconds?: number | undefined },
): Promise<void> {
  const { database, clock, secret } = services;
  const now = toSeconds(clock.now());
  const insert = async (): Promise<void> => {
    const jobs = [];
    for (const content of contents) {
      const sealed = secret.seal(JSON.stringify(content));
      const mailId = await insertMail(database, { template, sealed, created_at: now, expires_at: now + seconds });
      jobs.push({ ...toMailJob(mailId), lane: 'prepare' in content ? PREPARE_LANE : LANE });
    }
    await createMailQueue(services).enqueue(jobs);
  };
  const held = findDeferredWork();
  if (held !== undefined) held.keep(database, insert);
  else await (database.isInTransaction ? insert() : database.transaction(insert));
}

/** Makes a waiting mail due now. Call it in a write. */
export async function bringForward(services: Services, row: MailRow): Promise<void> {
  const content = openContent(services.secret, row.sealed);
  const lane = content !== undefined && 'prepare' in content ? PREPARE_LANE : LANE;
  await createMailQueue(services).enqueue([{ ...toMailJob(Number(row.mail_id)), lane }]);
}
