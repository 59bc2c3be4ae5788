import { toStamp } from '../../core/clock.ts';
import { toBasePath } from '../../core/text/base-path.ts';
import { putBasePathInHtml } from '../../core/text/html-address.ts';
import { translate } from '../../core/text/translate.ts';
import type { Row } from '../../database/row-statement.ts';
import type { OutgoingMail } from '../../outbound/mail.ts';
import { createRoute, type Exchange } from '../../page/exchange.ts';
import { showPage } from '../../page/frame.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import { isLocalRequest } from '../../plan/local-request.ts';
import { findMailIn } from './content.ts';
import { findMail, listMails, type MailRow, type MailState } from './sql.ts';

const OUTBOX = '/__treadle/mail';
/** Mails that the page shows. */
const SHOWN = 50;
const LINK = /https?:\/\/[^\s<>"]+/g;

/** The HTML of a mail runs no script and loads images only, as in a mail program. */
const PREVIEW_POLICY =
  "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'";

const STATES: Readonly<Record<MailState, { readonly label: string; readonly tone: string }>> = {
  waiting: { label: 'Waiting', tone: '' },
  sent: { label: 'Sent', tone: 't-badge-good' },
  failed: { label: 'Failed', tone: 't-badge-bad' },
  kept: { label: 'Not sent', tone: '' },
};

const toTime = (seconds: number): string => toStamp(Number(seconds) * 1000);

function toEntry(context: Context, row: MailRow): Row {
  const mail = findMailIn(context.services.secret, row.sealed);
  return {
    id: row.mail_id,
    template: row.template,
    badge: STATES[row.state],
    created: toTime(row.created_at),
    reason: row.reason,
    mail: mail && { ...mail, isHtml: mail.html !== undefined, links: [...new Set(mail.text?.match(LINK))] },
    preview: `${OUTBOX}/${row.mail_id}`,
  };
}

function admit({ request, response }: Exchange): boolean {
  if (isLocalRequest(request)) return true;
  response.refuse({
    status: 403,
    code: 'NOT_ALLOWED',
    message: 'Mail is shown on the machine that runs `treadle dev`, at localhost.',
  });
  return false;
}

/** The page, or only its list with `part=list`, which the page's script polls. */
async function openOutbox(context: Context, exchange: Exchange): Promise<void> {
  if (!admit(exchange)) return;
  const { services } = context;
  const entries = (await listMails(services.database, SHOWN)).map((row) => toEntry(context, row));
  const list = services.views.render('mail', 'outbox-list', { entries });
  if (exchange.request.getGet('part') === 'list') {
    exchange.response
      .addHeader('content-type', 'application/json; charset=utf-8')
      .addHeader('cache-control', 'no-store')
      .setContent(JSON.stringify({ list: putBasePathInHtml(toBasePath(services.baseUrl()), list) }));
    return;
  }
  const isSent = services.mailer.way === 'smtp';
  showPage(context, exchange, {
    frame: 'developer',
    title: translate('Mail'),
    template: 'mail/outbox',
    data: { list, isSent, poll: `${OUTBOX}?part=list` },
    scripts: ['developer', 'webhook-inbox'],
    current: 'mail',
  });
}

/** The HTML of one mail, framed by the page. */
async function openPreview({ services }: Context, exchange: Exchange): Promise<void> {
  if (!admit(exchange)) return;
  const row = await findMail(services.database, Number(exchange.request.getParameters('mail_id')));
  const mail: OutgoingMail | undefined = row && findMailIn(services.secret, row.sealed);
  if (mail?.html === undefined) return;
  exchange.response
    .addHeader('cache-control', 'no-store')
    .addHeader('x-frame-options', 'SAMEORIGIN')
    .addHeader('content-security-policy', PREVIEW_POLICY)
    .setContent(mail.html);
}

/** Pages that show a developer what the site would send; in development only. */
export const outboxRoutes: readonly RouteContribution[] = [
  createRoute('GET', OUTBOX, 'Mail of the site, as it happens; in `treadle dev` only.', openOutbox),
  createRoute('GET', `${OUTBOX}/:mail_id`, 'The HTML of one mail; in `treadle dev` only.', openPreview),
];
