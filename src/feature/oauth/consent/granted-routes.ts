import { secondsToStamp, toStamp } from '../../../core/clock.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Pair } from '../../../page/exchange.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { toPlace } from '../client/redirect-uri.ts';
import { findDecider } from './dialog-routes.ts';
import { describeScope } from './permission.ts';

const PATH = '/auth/apps';
const LOGIN = `/auth/login?redirect_uri=${encodeURIComponent(PATH)}`;

const toDay = (seconds: unknown): string | undefined =>
  typeof seconds === 'number' ? toStamp(seconds * 1000).slice(0, 10) : undefined;
/** A row for a person: scopes in words, times as the page's own helper wants them. */
function toView(context: Context, row: Row): Row {
  const scopes = Array.isArray(row.scopes) ? row.scopes.map(String) : [];
  return {
    ...row,
    isSuspended: row.active !== 1,
    initial: [...String(row.title ?? '').trim()][0]?.toUpperCase(),
    host: typeof row.website === 'string' ? toPlace(row.website) : undefined,
    scopes: scopes.map((slug) => describeScope(context, slug)),
    granted: toDay(row.granted_at),
    used: secondsToStamp(row.used_at),
    ends: toDay(row.expires_at),
  };
}

async function show(context: Context, pair: Pair, authId: number): Promise<void> {
  const { request, response } = pair;
  const failed = response.isError() ? response.getMessage() : undefined;
  const found = new Response();
  await context.emit('grant-search', new Request().setStage({ auth_id: authId }), found);
  const rows = found.getResults('rows');
  const html = context.services.views.render('oauth', 'granted', {
    csrf: context.services.sessions.formToken(request),
    site: context.plan.model.settings.name,
    message: failed,
    apps: Array.isArray(rows) ? rows.map((row: Row) => toView(context, row)) : [],
  });
  response.addHeader('cache-control', 'no-store').addHeader('referrer-policy', 'same-origin');
  response.setTitle('Apps with access').setContent(html);
  await context.emit('www-render-page', request, response);
}

async function open(context: Context, pair: Pair): Promise<void> {
  const me = findDecider(pair.request);
  if (me) await show(context, pair, me.authId);
  else pair.response.setRedirect(LOGIN);
}

async function remove(context: Context, pair: Pair): Promise<void> {
  const { request, response } = pair;
  const me = findDecider(request);
  if (!me) {
    response.setRedirect(LOGIN);
    return;
  }
  request.removeStage().setStage({ auth_id: me.authId, app_id: request.getPost('app_id') });
  await context.emit('grant-remove', request, response);
  if (response.isError()) return show(context, pair, me.authId);
  request.setSession('flash', { message: 'The app has no access any more.', type: 'success' });
  response.removeResults().setRedirect(PATH);
}

export const grantedRoutes: readonly RouteContribution[] = [
  {
    method: 'GET',
    path: PATH,
    description: 'The apps that may act for whoever is logged in.',
    listen: (context) => (request, response) => open(context, { request, response }),
  },
  {
    method: 'POST',
    path: PATH,
    description: "Ends an app's access.",
    listen: (context) => (request, response) => remove(context, { request, response }),
  },
];
