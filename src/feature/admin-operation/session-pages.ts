import { secondsToStamp } from '../../core/clock.ts';
import { translate } from '../../core/text/translate.ts';
import type { Row } from '../../database/row-statement.ts';
import { createRoute, type Exchange } from '../../page/exchange.ts';
import { showPage } from '../../page/frame.ts';
import { emitAndLead, readText } from '../../page/list-page.ts';
import { renderOwnList } from '../../page/own-list.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';

const BASE = '/admin/session';
const SEARCH = `${BASE}/search`;

async function showSessions(context: Context, exchange: Exchange): Promise<void> {
  const title = translate('Sessions of apps');
  const list = await renderOwnList(context, exchange, {
    table: 'session',
    path: SEARCH,
    title,
    cells: {
      title: ({ title: app, app_id: id }) => ({ text: app, href: `${SEARCH}?app_id=${id}` }),
      profile_name: ({ profile_name: name, auth_id: id }) => ({
        text: name || translate('Account {id}', { id }),
        href: `${SEARCH}?auth_id=${id}`,
      }),
      scopes: ({ scopes }) =>
        Array.isArray(scopes) && scopes.length > 0 ? { codes: scopes } : { empty: translate('Identity only') },
      expires_at: ({ expires_at: ends }) => ({ text: secondsToStamp(ends) }),
    },
    action: ({ grant_id: id, title: app, profile_name: name, created_at: at }) => ({
      path: `${BASE}/remove`,
      label: translate('End'),
      row: `${app}, ${name}, ${secondsToStamp(at)}`,
      fields: { grant_id: id },
    }),
    empty: [translate('No app has a valid token of a user.'), translate('No app has a valid token of a user.')],
  });
  if (list === undefined) return;
  const [first] = list.rows;
  const app = list.filter.app_id !== undefined && first ? { id: first.app_id, title: first.title } : undefined;
  showPage(context, exchange, {
    frame: 'admin',
    title,
    template: 'admin/run/session-search',
    data: { list: list.html, app },
  });
}

function endSession(context: Context, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const [grant, app] = [readText(request.getPost('grant_id')), readText(request.getPost('app_id'))];
  const stage = grant === '' ? { app_id: app } : { grant_id: grant };
  const done = ({ removed }: Row): string =>
    grant === ''
      ? translate('Ended: {count}. The tokens of the app itself ended, too.', { count: removed })
      : translate('The session has ended.');
  return emitAndLead(context, exchange, { event: 'session-remove', stage, path: SEARCH, done });
}

/** Pages of the OAuth sessions of all apps. */
export const sessionRoutes: readonly RouteContribution[] = [
  createRoute('GET', SEARCH, 'Lists the OAuth sessions of all apps in the admin section.', showSessions),
  createRoute('POST', `${BASE}/remove`, 'Ends a session of an app, or all of them.', endSession),
];
