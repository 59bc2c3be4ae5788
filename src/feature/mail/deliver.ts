import { apartAsSystem } from '../../core/access.ts';
import { toSeconds } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { Request } from '../../core/request/request.ts';
import { Response } from '../../core/request/response.ts';
import { toReason } from '../../core/text/reason.ts';
import { inLocale } from '../../core/text/translate.ts';
import type { MailError, OutgoingMail } from '../../outbound/mail.ts';
import type { Context } from '../../plan/feature.ts';
import { findLanguage } from '../../plan/language/languages.ts';
import { createEntries } from '../../queue/entry.ts';
import type { Job, Outcome } from '../../queue/queue.ts';
import { openContent, type Preparation } from './content.ts';
import { findMail, type MailRow, removeMail, updateMail } from './sql.ts';

/** Seconds until the next attempt; the last one repeats until the mail expires. */
const RETRY_SECONDS = [60, 300, 900, 3600, 4 * 3600, 12 * 3600];

/** What an attempt says: the mail was handed over, or why not. */
interface Attempt {
  readonly reason?: string;
  readonly isFinal?: boolean;
}

type Changes = Parameters<typeof updateMail>[2];

/** Prints what a developer needs of a mail that nobody sends. */
function tellDeveloper({ services, plan }: Context, { to, subject, text = '' }: OutgoingMail): void {
  if (!plan.isDevelopment) return;
  const link = /https?:\/\/[^\s<>"]+/.exec(text)?.[0];
  services.log.info('mail', { to, subject, link });
}

async function send({ services }: Context, mail: OutgoingMail): Promise<Attempt> {
  try {
    await services.mailer.send(mail);
    return {};
  } catch (error) {
    if (!(error instanceof TreadleError)) return { reason: toReason(error) };
    return { reason: error.message, isFinal: (error.detail as MailError | undefined)?.isFinal ?? false };
  }
}

async function prepare(context: Context, { event, stage, language }: Preparation): Promise<Attempt> {
  const request = new Request().setStage(stage);
  const response = new Response(request);
  const locale = findLanguage(context.plan.languages, language);
  try {
    await apartAsSystem(() => inLocale(locale, () => context.emit(event, request, response)));
  } catch (error) {
    // The project's listeners may throw anything. A database that cannot be asked is tried again by the queue.
    if (error instanceof TreadleError && error.code.startsWith('DATABASE_')) throw error;
    context.services.log.error('mail.prepare.failed', { event, error });
    return { reason: toReason(error) };
  }
  return response.isError() ? { reason: response.getMessage() ?? 'It was refused.' } : {};
}

/** Delivers the mails of one plan's queue. */
export function createDeliver(context: Context): (job: Job) => Promise<Outcome> {
  const { database, clock, log, mailer, secret } = context.services;
  const write = createEntries<{ mailId: number; changes: Changes | undefined }>(async (items) => {
    for (const { mailId, changes } of items)
      await (changes === undefined ? removeMail(database, mailId) : updateMail(database, mailId, changes));
  });

  const giveUp = (row: MailRow, why: string): Outcome => {
    const reason = toReason(why);
    const changes: Changes = { state: 'failed', sealed: null, reason, settled_at: toSeconds(clock.now()) };
    const saved = (): void => log.error('mail.failed', { mail: row.mail_id, template: row.template, reason });
    return { entry: write({ mailId: row.mail_id, changes }), saved };
  };

  const tryLater = (row: MailRow, why: string): Outcome => {
    const reason = toReason(why);
    const attempts = Number(row.attempts) + 1;
    const wait = RETRY_SECONDS[Math.min(attempts, RETRY_SECONDS.length) - 1] ?? 60;
    const retryAt = toSeconds(clock.now()) + wait;
    if (retryAt > Number(row.expires_at)) return giveUp(row, reason);
    const saved = (): void => log.warn('mail.delayed', { mail: row.mail_id, template: row.template, attempts, reason });
    return { retryAt, entry: write({ mailId: row.mail_id, changes: { attempts, reason } }), saved };
  };

  /** The mail left, or is kept for the developer. */
  const end = (row: MailRow, isKept: boolean): Outcome => {
    const settled: Changes = { attempts: Number(row.attempts) + 1, reason: null, settled_at: toSeconds(clock.now()) };
    const changes: Changes = isKept ? { ...settled, state: 'kept' } : { ...settled, state: 'sent', sealed: null };
    return { entry: write({ mailId: row.mail_id, changes }) };
  };

  return async (job) => {
    const row = await findMail(database, Number(job.payload));
    if (row?.state !== 'waiting') return {};
    const content = openContent(secret, row.sealed);
    if (!content) return giveUp(row, 'It was sealed with another TREADLE_SECRET.');
    if ('prepare' in content) {
      const { reason } = await prepare(context, content.prepare);
      return reason === undefined
        ? { entry: write({ mailId: row.mail_id, changes: undefined }) }
        : tryLater(row, reason);
    }
    if (mailer.way === 'outbox') {
      tellDeveloper(context, content.mail);
      return end(row, true);
    }
    const { reason, isFinal = false } = await send(context, content.mail);
    if (reason === undefined) return end(row, false);
    // One refused recipient says nothing about the mails of others.
    return isFinal ? giveUp(row, reason) : tryLater(row, reason);
  };
}
