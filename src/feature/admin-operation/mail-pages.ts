import { translate } from '../../core/text/translate.ts';
import { createRoute, type Exchange } from '../../page/exchange.ts';
import { showPage } from '../../page/frame.ts';
import { emitAndLead } from '../../page/list-page.ts';
import { renderOwnList } from '../../page/own-list.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';

const BASE = '/admin/mail';
const SEARCH = `${BASE}/search`;

async function showMails(context: Context, exchange: Exchange): Promise<void> {
  const title = translate('Mail');
  const list = await renderOwnList(context, exchange, {
    table: 'mail',
    path: SEARCH,
    title,
    cells: { template: ({ template, mail_id: id, reason }) => ({ text: template, note: id, hint: reason }) },
    action: ({ state, mail_id: id, template }) =>
      state === 'waiting'
        ? { path: `${BASE}/retry/${id}`, label: translate('Try now'), row: `${template} ${id}` }
        : undefined,
    empty: [translate('No mail was sent in the last 30 days.'), translate('No mail matches.')],
  });
  if (list === undefined) return;
  const { mailWay } = context.services.operation;
  showPage(context, exchange, {
    frame: 'admin',
    title,
    template: 'admin/run/mail-search',
    data: {
      list: list.html,
      isNone: mailWay === 'none',
      isOutbox: mailWay === 'outbox',
      hasOutbox: context.plan.isDevelopment,
    },
  });
}

const retryMail = (context: Context, exchange: Exchange): Promise<void> => {
  const id = String(exchange.request.getParameters('mail_id'));
  const done = (): string => translate('The mail {id} is tried now.', { id });
  return emitAndLead(context, exchange, { event: 'mail-retry', stage: { mail_id: id }, path: SEARCH, done });
};

/** Pages of the mails. They never show recipient or text, which may open an account. */
export const mailRoutes: readonly RouteContribution[] = [
  createRoute('GET', SEARCH, 'Lists mails and their state in the admin section.', showMails),
  createRoute('POST', `${BASE}/retry/:mail_id`, 'Tries a waiting mail at once.', retryMail),
];
