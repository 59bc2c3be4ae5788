import { createRoute, type Exchange } from '../../page/exchange.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import { fillStage, findMe, showPage } from './page.ts';
import { leadTo, readFactors } from './second-factor/pages.ts';

const PATH = '/auth/sessions';
const LOGIN = `/auth/login?redirect_uri=${encodeURIComponent(PATH)}`;

async function showSessions(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const authId = findMe(request);
  if (authId === undefined) {
    response.setRedirect(LOGIN);
    return;
  }
  request.removeStage().setStage({ auth_id: authId });
  const isRefused = response.isError();
  if (!isRefused) await context.emit('auth-session-search', request, response);
  const rows = response.getResults('rows');
  response.removeResults();
  const { devices } = await readFactors(context, authId);
  await showPage(context, exchange, { name: 'sessions', title: 'Your sessions', data: { rows, devices } });
}

async function postSessions(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const authId = findMe(request);
  if (authId === undefined) {
    response.setRedirect(LOGIN);
    return;
  }
  if (request.hasPost('device')) {
    fillStage(request, ['device'], { auth_id: authId });
    await context.emit('auth-device-remove', request, response);
    return leadTo(exchange, PATH, 'The device asks for the second step again.');
  }
  const isAll = request.getPost('action') === 'all';
  fillStage(request, isAll ? [] : ['session'], { auth_id: authId });
  await context.emit('auth-session-end', request, response);
  const message = response.isError() ? response.getMessage() : 'The session has ended.';
  if (isAll) context.services.sessions.end(request);
  else request.setSession('flash', { message, type: response.isError() ? 'error' : 'success' });
  response
    .setError(false)
    .removeResults()
    .setRedirect(isAll ? '/auth/login' : PATH);
}

export const sessionRoutes: readonly RouteContribution[] = [
  createRoute('GET', PATH, 'Where the user is logged in: browser, address and last visit.', showSessions),
  createRoute('POST', PATH, 'Ends one session, or all of them.', postSessions),
];
