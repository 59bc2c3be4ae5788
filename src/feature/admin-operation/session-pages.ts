import { secondsToStamp } from '../../core/clock.ts';
import { translate } from '../../core/text/translate.ts';
import type { Row } from '../../database/row-statement.ts';
import { readList } from '../../page/ask.ts';
import { type Pair, toRoute } from '../../page/exchange.ts';
import { act, createPageLinks, readQuery, readText, showPage } from '../../page/list-page.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';

const BASE = '/admin/session';
const SEARCH = `${BASE}/search`;

const toView = (row: Row): Row => ({
  ...row,
  created: secondsToStamp(row.created_at),
  used: secondsToStamp(row.used_at),
  ends: secondsToStamp(row.expires_at),
});

async function showSessions(context: Context, pair: Pair): Promise<void> {
  const filter = readQuery(pair, ['app_id', 'auth_id', 'before']);
  const { rows, next, message } = await readList(context, 'session-search', filter);
  const [first] = rows;
  showPage(context, pair, {
    title: translate('Sessions of apps'),
    name: 'session-search',
    data: {
      message,
      sessions: rows.map(toView),
      isFiltered: filter.app_id !== undefined || filter.auth_id !== undefined,
      app: filter.app_id !== undefined && first ? { id: first.app_id, title: first.title } : undefined,
      filter,
      isLater: filter.before !== undefined,
      older: createPageLinks(SEARCH, filter, next),
    },
  });
}

function endSession(context: Context, pair: Pair): Promise<void> {
  const { request } = pair;
  const [grant, app] = [readText(request.getPost('grant_id')), readText(request.getPost('app_id'))];
  const stage = grant === '' ? { app_id: app } : { grant_id: grant };
  const done = ({ removed }: Row): string =>
    grant === ''
      ? translate('Ended: {count}. The tokens of the app itself ended, too.', { count: removed })
      : translate('The session has ended.');
  return act(context, pair, { event: 'session-remove', stage, path: SEARCH, done });
}

/** Pages of the OAuth sessions of all apps. */
export const sessionRoutes: readonly RouteContribution[] = [
  toRoute('GET', SEARCH, 'Lists the OAuth sessions of all apps in the admin section.', showSessions),
  toRoute('POST', `${BASE}/remove`, 'Ends a session of an app, or all of them.', endSession),
];
