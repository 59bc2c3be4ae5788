import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { createRoute, type Exchange, findMe, toLogin } from '../../../page/exchange.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { MOST_FILES, takeFilePlace } from '../../../rows/file-place.ts';
import { fillStage, showAccountPage } from '../page.ts';
import { toWaysIn } from '../provider/account-part.ts';
import { readFactors } from '../second-factor/pages.ts';
import { type AuthRow, findAuth } from '../sql.ts';
import { streamOwnData } from './own-data.ts';
import { countOwned, listOwnedSchemas } from './owned.ts';

const REMOVE = '/auth/remove';
const DATA = '/auth/data';

/** The account of the session; a visitor is led to the login and back. */
async function requireAccount({ services }: Context, { request, response }: Exchange): Promise<AuthRow | undefined> {
  const authId = findMe(request);
  const auth = authId === undefined ? undefined : await findAuth(services.database, 'auth_id', authId);
  if (!auth) response.setRedirect(toLogin('/auth/account'));
  return auth;
}

/** Results of an event about the account itself; none if no feature hears it. */
async function ask(context: Context, event: string, stage: Row, from?: Request): Promise<readonly Row[]> {
  const request = from ?? new Request();
  request.removeStage().setStage(stage);
  const response = new Response(request);
  await context.emit(event, request, response);
  return response.isError() ? [] : ((response.getResults('rows') ?? []) as Row[]);
}

async function sendData(context: Context, exchange: Exchange): Promise<void> {
  const auth = await requireAccount(context, exchange);
  if (!auth) return;
  const leave = takeFilePlace(context.services.database, auth.auth_id);
  if (leave === undefined) {
    const message = translate('You fetch {count} files already. Wait for one of them to end.', { count: MOST_FILES });
    return void exchange.response.addHeader('retry-after', '10').setStatus(429).setError(true, message);
  }
  await startData(context, exchange, auth, leave).catch((error: unknown) => {
    leave();
    throw error;
  });
}

async function startData(context: Context, exchange: Exchange, auth: AuthRow, leave: () => void): Promise<void> {
  const sessions = await ask(context, 'auth-session-search', { auth_id: auth.auth_id }, exchange.request);
  const providers = await ask(context, 'auth-provider-search', { auth_id: auth.auth_id }, exchange.request);
  exchange.response
    .addHeader('content-type', 'application/json')
    .addHeader('content-disposition', 'attachment; filename="my-data.json"')
    .addHeader('cache-control', 'no-store')
    .setStream({
      stream: streamOwnData(context, auth, {
        sessions,
        second_factor: await readFactors(context, auth.auth_id),
        providers,
      }).once('close', leave),
    });
}

async function showRemove(context: Context, exchange: Exchange): Promise<void> {
  const auth = await requireAccount(context, exchange);
  if (!auth) return;
  const { database } = context.services;
  const owned = await countOwned(database, listOwnedSchemas(context.plan.model), auth.profile_id);
  const apps = await ask(context, 'app-search', { owner: auth.auth_id });
  const data = { me: exchange.request.getSession('me'), owned, apps, ...(await toWaysIn(context, exchange)) };
  await showAccountPage(context, exchange, { name: 'remove', title: 'Remove your account', data });
}

async function postRemove(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const auth = await requireAccount(context, exchange);
  if (!auth) return;
  fillStage(request, ['auth_current'], { auth_id: auth.auth_id });
  await context.emit('auth-delete', request, response);
  if (response.isError()) return showRemove(context, exchange);
  context.services.sessions.end(request);
  response.removeResults().setRedirect(context.plan.model.settings.home);
}

export const dataRoutes: readonly RouteContribution[] = [
  createRoute(
    'GET',
    DATA,
    "What the site stores of the user, as a JSON file: account, sessions, and the profile's rows.",
    sendData,
  ),
  createRoute('GET', REMOVE, 'Names what goes with the account, and asks for the password.', showRemove),
  createRoute('POST', REMOVE, 'Removes the account with its profile and what the profile owns.', postRemove),
];
