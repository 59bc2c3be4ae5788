import { secondsToStamp, toStamp } from '../../../core/clock.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import type { Row } from '../../../database/row-statement.ts';
import { createRoute, type Exchange, flash, toLogin } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { toPlace } from '../client/redirect-uri.ts';
import { findDecider } from './dialog-routes.ts';
import { describeScope } from './permission.ts';

const PATH = '/auth/apps';
const LOGIN = toLogin(PATH);

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

async function show(context: Context, exchange: Exchange, authId: number): Promise<void> {
  const { response } = exchange;
  const failed = response.isError() ? response.getMessage() : undefined;
  const found = new Response();
  await context.emit('grant-search', new Request().setStage({ auth_id: authId }), found);
  const rows = found.getResults('rows');
  const data = {
    site: context.plan.model.settings.name,
    message: failed,
    apps: Array.isArray(rows) ? rows.map((row: Row) => toView(context, row)) : [],
  };
  await showPage(context, exchange, { frame: 'site', title: 'Apps with access', template: 'oauth/granted', data });
}

async function open(context: Context, exchange: Exchange): Promise<void> {
  const me = findDecider(exchange.request);
  if (me) await show(context, exchange, me.authId);
  else exchange.response.setRedirect(LOGIN);
}

async function remove(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const me = findDecider(request);
  if (!me) {
    response.setRedirect(LOGIN);
    return;
  }
  request.removeStage().setStage({ auth_id: me.authId, app_id: request.getPost('app_id') });
  await context.emit('grant-remove', request, response);
  if (response.isError()) return show(context, exchange, me.authId);
  flash(exchange, 'The app has no access any more.');
  response.removeResults().setRedirect(PATH);
}

export const grantedRoutes: readonly RouteContribution[] = [
  createRoute('GET', PATH, 'The apps that may act for whoever is logged in.', open),
  createRoute('POST', PATH, "Ends an app's access.", remove),
];
