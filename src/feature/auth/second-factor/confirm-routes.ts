import { CONFIRM, hasWork, isProven, markProven, takeWork } from '../../../access/proof.ts';
import { toLocalPath } from '../../../core/text/local-path.ts';
import { parsePairs } from '../../../core/text/pairs.ts';
import { createRoute, type Pair } from '../../../page/exchange.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { isCurrentPassword } from '../current-password.ts';
import { isBusy } from '../errors.ts';
import { fillStage, showPage } from '../page.ts';
import { toWaysIn } from '../provider/account-part.ts';
import { type AuthRow, findAuth } from '../sql.ts';
import { requireMe, toPasskeyData } from './pages.ts';

const LATE = 'Your form waited too long and was not sent. Please enter it again.';

const findTarget = ({ request }: Pair): string =>
  toLocalPath(request.getPost('redirect_uri') ?? request.getGet('redirect_uri'), '/auth/account');

/** The page that the form which waits leads back to; undefined if the request names no page. */
const findNamed = (pair: Pair): string | undefined =>
  pair.request.hasPost('redirect_uri') || pair.request.hasGet('redirect_uri') ? findTarget(pair) : undefined;

/** The page itself, for a sign-in by a provider that comes back to it. */
const toHere = (target: string): string => `${CONFIRM}?redirect_uri=${encodeURIComponent(target)}`;

async function showForm(context: Context, pair: Pair, auth: AuthRow): Promise<void> {
  const kinds = auth.auth_second_factor.split(',');
  const data = {
    ...toPasskeyData(context, pair),
    ...(await toWaysIn(context, pair, toHere(findTarget(pair)))),
    me: pair.request.getSession('me'),
    hasTotp: kinds.includes('totp'),
    hasPasskey: kinds.includes('passkey'),
    isProven: isProven(context.services, pair.request),
    target: findTarget(pair),
  };
  return showPage(context, pair, { name: 'confirm', title: 'Confirm that it is you', data });
}

async function requireAccount({ services }: Context, pair: Pair): Promise<AuthRow | undefined> {
  const me = requireMe(pair, findTarget(pair));
  const auth = me === undefined ? undefined : await findAuth(services.database, 'auth_id', me);
  if (me !== undefined && !auth) pair.response.setRedirect('/auth/login');
  return auth;
}

/** Sends the form that waited, as if it came now; or leads to the page that asked. */
async function goOn(context: Context, pair: Pair): Promise<void> {
  const { request, response } = pair;
  const target = findTarget(pair);
  const work = takeWork(context.services, request, findNamed(pair));
  response.removeResults().setError(false);
  if (work === undefined || work === 'late') {
    if (work === 'late') request.setSession('flash', { message: LATE, type: 'error' });
    response.setRedirect(target);
    return;
  }
  const get = parsePairs(work.query);
  request.setPost(work.post).setGet(get).setPath(work.path).setQuery(work.query);
  request.removeStage().bringStage(get).bringStage(work.post);
  const passes = context.findGate(work.path);
  if (passes && !(await passes(request, response))) return;
  await context.emit(`POST ${work.path}`, request, response);
}

async function open(context: Context, pair: Pair): Promise<void> {
  const auth = await requireAccount(context, pair);
  if (!auth) return;
  const { request, response } = pair;
  if (isProven(context.services, request) && !hasWork(request, findNamed(pair))) response.setRedirect(findTarget(pair));
  else await showForm(context, pair, auth);
}

/** Checks the password, the code or the passkey that was sent. */
async function check(context: Context, pair: Pair, auth: AuthRow): Promise<boolean> {
  const { request, response } = pair;
  const field = ['credential', 'auth_code'].find((name) => request.hasPost(name));
  if (field === undefined) {
    fillStage(request, ['auth_current'], { auth_id: auth.auth_id });
    return isCurrentPassword(context, auth, pair);
  }
  fillStage(request, field === 'credential' ? [field, 'state'] : [field], { auth_id: auth.auth_id });
  await context.emit('auth-second-factor', request, response);
  return !response.isError();
}

async function post(context: Context, pair: Pair): Promise<void> {
  const auth = await requireAccount(context, pair);
  if (!auth) return;
  const { services } = context;
  const isAlready = pair.request.getPost('action') === 'go-on' && isProven(services, pair.request);
  try {
    if (!isAlready && !(await check(context, pair, auth))) return showForm(context, pair, auth);
  } catch (error) {
    if (!isBusy(error)) throw error;
    pair.response.addHeader('retry-after', error.headers['retry-after'] ?? '10');
    pair.response.refuse({ status: error.status, message: error.message });
    return showForm(context, pair, auth);
  }
  if (!isAlready) markProven(services, pair.request, auth.auth_id);
  await goOn(context, pair);
}

export const confirmRoutes: readonly RouteContribution[] = [
  createRoute(
    'GET',
    CONFIRM,
    'Asks for the password or a second factor again, before a secret is shown or changed.',
    open,
  ),
  createRoute('POST', CONFIRM, 'Checks it, and then sends the form that waited or leads back.', post),
];
