import { translate } from '../../core/text/translate.ts';
import type { Row } from '../../database/row-statement.ts';
import { readList } from '../../page/ask.ts';
import { type Pair, toRoute } from '../../page/exchange.ts';
import { act, createPageLinks, readQuery, showPage, toChoices } from '../../page/list-page.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';

const BASE = '/admin/mail';
const SEARCH = `${BASE}/search`;

const STATES: readonly (readonly [string, string])[] = [
  ['waiting', 'Waiting'],
  ['sent', 'Sent'],
  ['failed', 'Given up'],
  ['kept', 'Kept for the developer'],
];
const TONES: Readonly<Record<string, string>> = {
  waiting: 't-badge-info',
  sent: 't-badge-success',
  failed: 't-badge-danger',
};

function toView(row: Row): Row {
  const label = STATES.find(([value]) => value === row.state)?.[1] ?? String(row.state);
  return {
    ...row,
    badge: { label: translate(label), tone: TONES[String(row.state)] ?? '' },
    isWaiting: row.state === 'waiting',
  };
}

async function showMails(context: Context, pair: Pair): Promise<void> {
  const filter = readQuery(pair, ['state', 'before']);
  const { rows, next, message } = await readList(context, 'mail-search', filter);
  const { mailWay } = context.services.operation;
  showPage(context, pair, {
    title: translate('Mail'),
    name: 'mail-search',
    data: {
      message,
      mails: rows.map(toView),
      states: toChoices(STATES, filter.state),
      isFiltered: Object.keys(filter).length > 0,
      isLater: filter.before !== undefined,
      older: createPageLinks(SEARCH, filter, next),
      isNone: mailWay === 'none',
      isOutbox: mailWay === 'outbox',
      hasOutbox: context.plan.isDevelopment,
    },
  });
}

const retryMail = (context: Context, pair: Pair): Promise<void> => {
  const id = String(pair.request.getParameters('mail_id'));
  const done = (): string => translate('The mail {id} is tried now.', { id });
  return act(context, pair, { event: 'mail-retry', stage: { mail_id: id }, path: SEARCH, done });
};

/** Pages of the mails. They never show recipient or text, which may open an account. */
export const mailRoutes: readonly RouteContribution[] = [
  toRoute('GET', SEARCH, 'Lists mails and their state in the admin section.', showMails),
  toRoute('POST', `${BASE}/retry/:mail_id`, 'Tries a waiting mail at once.', retryMail),
];
