import type { Context, RouteContribution } from '../../plan/feature.ts';
import { fillStage, findMe, logIn, type Pair, showPage } from './page.ts';

const PATH = '/auth/account';
const LOGIN = `/auth/login?redirect_uri=${encodeURIComponent(PATH)}`;

async function showAccount(context: Context, pair: Pair): Promise<void> {
  const { request } = pair;
  if (findMe(request) === undefined) {
    pair.response.setRedirect(LOGIN);
    return;
  }
  const typed = request.getPost('profile_name');
  await showPage(context, pair, {
    name: 'account',
    title: 'Your account',
    data: {
      me: request.getSession('me'),
      form: { profile_name: typeof typed === 'string' ? typed : request.getSession('me', 'profile_name') },
    },
  });
}

async function change(context: Context, pair: Pair, fields: readonly string[]): Promise<void> {
  const { request, response } = pair;
  fillStage(request, fields, { auth_id: findMe(request) });
  await context.emit('auth-update', request, response);
  if (response.isError()) return showAccount(context, pair);
  await logIn(context, pair, response.getResults() as Record<string, unknown>);
  request.setSession('flash', { message: 'Saved.', type: 'success' });
  response.removeResults().setRedirect(PATH);
}

async function postAccount(context: Context, pair: Pair): Promise<void> {
  const { request, response } = pair;
  const { sessions } = context.services;
  const authId = findMe(request);
  if (authId === undefined) {
    response.setRedirect(LOGIN);
    return;
  }
  const action = request.getPost('action');
  if (action === 'name') return change(context, pair, ['profile_name']);
  if (action === 'password') return change(context, pair, ['auth_current', 'auth_password', 'confirm']);
  if (action !== 'logout') {
    response.setStatus(400).setError(true, 'Choose what to change.');
    return showAccount(context, pair);
  }
  await sessions.endAll(authId, request);
  sessions.end(request);
  response.setRedirect('/auth/login');
}

export const accountRoutes: readonly RouteContribution[] = [
  {
    method: 'GET',
    path: PATH,
    description: 'Name, password and sessions of the logged-in user.',
    listen: (context) => (request, response) => showAccount(context, { request, response }),
  },
  {
    method: 'POST',
    path: PATH,
    description: 'Changes the name or the password, or logs out everywhere.',
    listen: (context) => (request, response) => postAccount(context, { request, response }),
  },
];
