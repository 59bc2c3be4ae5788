import { Request } from '../../core/request.ts';
import { Response } from '../../core/response.ts';
import { digest } from '../../core/secret.ts';
import type { Row } from '../../database/database.ts';
import { type Pair, requireMe } from '../../plan/developer-frame.ts';
import type { Context } from '../../plan/feature.ts';
import { toClassicCurl, toStandardCurl } from '../../plan/trial-curl.ts';
import { showDeveloperPage, toTime } from './developer-page.ts';
import { findOwnCode } from './sql.ts';

export const LIST = '/developer/app/search';

const CODE = /^[A-Za-z0-9_-]{1,128}$/;

/** What the dialog sent back to this page, with the requests that go on from there. */
async function findReturned(context: Context, { request }: Pair, authId: number): Promise<Row> {
  const code = request.getGet('code');
  if (request.getGet('error') === 'access_denied') return { isDenied: true };
  if (typeof code !== 'string' || !CODE.test(code)) return {};
  const clientId = (await findOwnCode(context.services.database, digest(code), authId)) ?? 'CLIENT_ID';
  const exchange = { baseUrl: context.services.baseUrl(), clientId, secret: 'CLIENT_SECRET', code };
  const isClassic = context.plan.model.settings.oauth.mode !== 'strict';
  return { code, ...(isClassic ? { curl: toClassicCurl(exchange) } : {}), standardCurl: toStandardCurl(exchange) };
}

function toView(row: Row): Row {
  return {
    ...row,
    isActive: row.active === 1,
    isPublic: row.public === 1,
    isFile: row.name !== null,
    isWaiting: [row.pending, row.pending_hooks].some((waiting) => Array.isArray(waiting) && waiting.length > 0),
    used: toTime(row.last_at),
  };
}

export async function showApps(context: Context, pair: Pair): Promise<void> {
  const owner = requireMe(pair);
  if (owner === undefined) return;
  const found = new Response();
  await context.emit('app-search', new Request().setStage({ owner }), found);
  const rows = found.getResults('rows');
  const apps = Array.isArray(rows) ? rows.map(toView) : [];
  const data = { ...(await findReturned(context, pair, owner)), apps };
  showDeveloperPage(context, pair, { name: 'app-search', title: 'Your apps', data });
}
