import { secondsToStamp } from '../../../core/clock.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { digest } from '../../../core/secret/secret.ts';
import type { Row } from '../../../database/row-statement.ts';
import { type Exchange, requireMe } from '../../../page/exchange.ts';
import { toClassicCurl, toStandardCurl } from '../../../page/trial-curl.ts';
import type { Context } from '../../../plan/feature.ts';
import { isVerified } from '../client/owner-sql.ts';
import { findOwnCode } from '../sql.ts';
import { showDeveloperPage } from './page.ts';

export const LIST = '/developer/app/search';

const CODE = /^[A-Za-z0-9_-]{1,128}$/;

/** The dialog's response to this page, with the next requests. */
async function findReturned(context: Context, { request }: Exchange, authId: number): Promise<Row> {
  const code = request.getGet('code');
  if (request.getGet('error') === 'access_denied') return { isDenied: true };
  if (typeof code !== 'string' || !CODE.test(code)) return {};
  const clientId = (await findOwnCode(context.services.database, digest(code), authId)) ?? 'CLIENT_ID';
  const use = { baseUrl: context.services.baseUrl(), clientId, secret: 'CLIENT_SECRET', code };
  const isClassic = context.plan.model.settings.oauth.mode !== 'strict';
  return { code, ...(isClassic ? { curl: toClassicCurl(use) } : {}), standardCurl: toStandardCurl(use) };
}

function toView(row: Row): Row {
  return {
    ...row,
    isActive: row.active === 1,
    isPublic: row.public === 1,
    isFile: row.name !== null,
    isWaiting: [row.pending, row.pending_hooks].some((waiting) => Array.isArray(waiting) && waiting.length > 0),
    used: secondsToStamp(row.last_at),
  };
}

/**
 * Whether definition files name owners and this account's e-mail is not verified. Does not tell whether
 * they name this account.
 */
async function isWaiting({ plan, services }: Context, authId: number): Promise<boolean> {
  if (![...plan.model.apps.values()].some(({ definition }) => definition.owner !== undefined)) return false;
  return !(await isVerified(services.database, authId));
}

export async function showApps(context: Context, exchange: Exchange): Promise<void> {
  const owner = requireMe(exchange);
  if (owner === undefined) return;
  const found = new Response();
  await context.emit('app-search', new Request().setStage({ owner }), found);
  const rows = found.getResults('rows');
  const apps = Array.isArray(rows) ? rows.map(toView) : [];
  const isUnverified = await isWaiting(context, owner);
  const data = { ...(await findReturned(context, exchange, owner)), apps, isUnverified };
  showDeveloperPage(context, exchange, { name: 'app-search', title: 'Your apps', data });
}
