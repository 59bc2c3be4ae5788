import { createRoute, type Exchange, leadTo, requireMe } from '../../page/exchange.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import { fillStage, showAccountPage } from './page.ts';
import { readFactors } from './second-factor/pages.ts';

const PATH = '/auth/sessions';

async function showSessions(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const authId = requireMe(exchange, PATH);
  if (authId === undefined) return;
  request.removeStage().setStage({ auth_id: authId });
  const isRefused = response.isError();
  if (!isRefused) await context.emit('auth-session-search', request, response);
  const rows = response.getResults('rows');
  response.removeResults();
  const { devices } = await readFactors(context, authId);
  await showAccountPage(context, exchange, { name: 'sessions', title: 'Your sessions', data: { rows, devices } });
}

async function postSessions(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const authId = requireMe(exchange, PATH);
  if (authId === undefined) return;
  if (request.hasPost('device')) {
    fillStage(request, ['device'], { auth_id: authId });
    await context.emit('auth-device-remove', request, response);
    return leadTo(exchange, PATH, 'The device asks for the second step again.');
  }
  const isAll = request.getPost('action') === 'all';
  fillStage(request, isAll ? [] : ['session'], { auth_id: authId });
  await context.emit('auth-session-end', request, response);
  if (!isAll) return leadTo(exchange, PATH, 'The session has ended.');
  context.services.sessions.end(request);
  response.setError(false).removeResults().setRedirect('/auth/login');
}

export const sessionRoutes: readonly RouteContribution[] = [
  createRoute('GET', PATH, 'Where the user is logged in: browser, address and last visit.', showSessions),
  createRoute('POST', PATH, 'Ends one session, or all of them.', postSessions),
];
