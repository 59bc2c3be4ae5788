import { CONFIRM, hasWork, isProven, markProven, takeWork } from '../../../access/proof.ts';
import { toLocalPath } from '../../../core/text/local-path.ts';
import { parsePairs } from '../../../core/text/pairs.ts';
import { createRoute, type Exchange, flash, requireMe } from '../../../page/exchange.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { checkCurrentPassword } from '../current-password.ts';
import { tellBusy } from '../errors.ts';
import { fillStage, showAccountPage } from '../page.ts';
import { toWaysIn } from '../provider/account-part.ts';
import { type AuthRow, findAuth } from '../sql.ts';
import { toPasskeyData } from './pages.ts';

const LATE = 'Your form waited too long and was not sent. Please enter it again.';

const findTarget = ({ request }: Exchange): string =>
  toLocalPath(request.getPost('redirect_uri') ?? request.getGet('redirect_uri'), '/auth/account');

/** The page that the form which waits leads back to; undefined if the request names no page. */
const findNamed = (exchange: Exchange): string | undefined =>
  exchange.request.hasPost('redirect_uri') || exchange.request.hasGet('redirect_uri')
    ? findTarget(exchange)
    : undefined;

/** The page itself, for a sign-in by a provider that comes back to it. */
const toHere = (target: string): string => `${CONFIRM}?redirect_uri=${encodeURIComponent(target)}`;

async function showForm(context: Context, exchange: Exchange, auth: AuthRow): Promise<void> {
  const kinds = auth.auth_second_factor.split(',');
  const data = {
    ...toPasskeyData(context, exchange),
    ...(await toWaysIn(context, exchange, toHere(findTarget(exchange)))),
    me: exchange.request.getSession('me'),
    hasTotp: kinds.includes('totp'),
    hasPasskey: kinds.includes('passkey'),
    isProven: isProven(context.services, exchange.request),
    target: findTarget(exchange),
  };
  return showAccountPage(context, exchange, { name: 'confirm', title: 'Confirm that it is you', data });
}

async function requireAccount({ services }: Context, exchange: Exchange): Promise<AuthRow | undefined> {
  const me = requireMe(exchange, findTarget(exchange));
  const auth = me === undefined ? undefined : await findAuth(services.database, 'auth_id', me);
  if (me !== undefined && !auth) exchange.response.setRedirect('/auth/login');
  return auth;
}

/** Sends the form that waited, as if it came now; or leads to the page that asked. */
async function goOn(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const target = findTarget(exchange);
  const work = takeWork(context.services, request, findNamed(exchange));
  response.removeResults().setError(false);
  if (work === undefined || work === 'late') {
    if (work === 'late') flash(exchange, LATE, 'error');
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

async function open(context: Context, exchange: Exchange): Promise<void> {
  const auth = await requireAccount(context, exchange);
  if (!auth) return;
  const { request, response } = exchange;
  if (isProven(context.services, request) && !hasWork(request, findNamed(exchange)))
    response.setRedirect(findTarget(exchange));
  else await showForm(context, exchange, auth);
}

/** Checks the password, the code or the passkey that was sent. */
async function check(context: Context, exchange: Exchange, auth: AuthRow): Promise<boolean> {
  const { request, response } = exchange;
  const field = ['credential', 'auth_code'].find((name) => request.hasPost(name));
  if (field === undefined) {
    const current = request.getPost('auth_current');
    const text = typeof current === 'string' ? current : '';
    const rejection = await tellBusy(response, () => checkCurrentPassword(context, auth, text, exchange));
    if (rejection !== undefined) response.refuse(rejection.refusal);
    return rejection === undefined;
  }
  fillStage(request, field === 'credential' ? [field, 'state'] : [field], { auth_id: auth.auth_id });
  await context.emit('auth-second-factor', request, response);
  return !response.isError();
}

async function post(context: Context, exchange: Exchange): Promise<void> {
  const auth = await requireAccount(context, exchange);
  if (!auth) return;
  const { services } = context;
  const isAlready = exchange.request.getPost('action') === 'go-on' && isProven(services, exchange.request);
  if (!isAlready && !(await check(context, exchange, auth))) return showForm(context, exchange, auth);
  if (!isAlready) markProven(services, exchange.request, auth.auth_id);
  await goOn(context, exchange);
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
