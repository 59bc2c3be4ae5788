import type { Row } from '../../../database/row-statement.ts';
import { createRoute, type Exchange, findMe, flash } from '../../../page/exchange.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { LINK_GONE, LOG_IN_FIRST } from '../errors.ts';
import { fillStage, logIn, showAccountPage } from '../page.ts';
import { findAuth, hasPassword } from '../sql.ts';
import { findTarget, saveWayBack, takeWayBack, toCarried } from '../way-back.ts';
import { toLife } from './mail.ts';
import { findToken, type Purpose } from './mail-token.ts';

/** The token of a link, from its query or from the form that it opened. */
const readToken = ({ request }: Exchange): unknown => request.getPost('token') ?? request.getGet('token');

function askForm(context: Context, exchange: Exchange, name: 'forgot' | 'verify-request'): Promise<void> {
  const title = name === 'forgot' ? 'Lost password' : 'Confirm your e-mail';
  const { request } = exchange;
  const carried = toCarried(context, findTarget(context, request));
  const data = { form: { auth_slug: request.getPost('auth_slug') }, ...carried };
  return showAccountPage(context, exchange, { name, title, data });
}

/** Emits the event that requests a mail, and says that a mail may be on its way. */
async function postAsk(context: Context, exchange: Exchange, name: 'forgot' | 'verify-request'): Promise<void> {
  const { request, response } = exchange;
  const target = findTarget(context, request);
  fillStage(request, ['auth_slug']);
  await context.emit(name === 'forgot' ? 'auth-forgot' : 'auth-verify-request', request, response);
  if (response.isError()) return askForm(context, exchange, name);
  const slug = response.getResults('auth_slug');
  response.removeResults();
  await showMailed(context, exchange, { slug, purpose: name === 'forgot' ? 'recover' : 'verify', target });
}

interface MailRequest {
  readonly slug: unknown;
  readonly purpose: Purpose;
  /** Page to which the link leads back. */
  readonly target: string;
}

/** The page after a form that requests a mail: the same for every address. */
export function showMailed(
  context: Context,
  exchange: Exchange,
  { slug, purpose, target }: MailRequest,
): Promise<void> {
  const isSignup = purpose === 'verify';
  saveWayBack(context, exchange.request, target);
  const data = { slug, isSignup, life: toLife(purpose), ...toCarried(context, target) };
  return showAccountPage(context, exchange, { name: 'mailed', title: 'Look at your mail', data });
}

/**
 * The form that a link opens. Opening it does not use up the token: mail programs open links before people
 * do.
 */
async function showLinkForm(context: Context, exchange: Exchange, purpose: 'recover' | 'verify'): Promise<void> {
  const { response } = exchange;
  const token = readToken(exchange);
  const also = purpose === 'recover' ? 'invite' : 'email';
  const found = await findToken(context.services, token, purpose, also);
  if (!found && !response.isError()) response.refuse(LINK_GONE);
  const isChange = found?.purpose === 'email';
  const auth = isChange ? await findAuth(context.services.database, 'auth_id', found.auth_id) : undefined;
  const asksForPassword = auth === undefined || hasPassword(auth);
  // Said before the form is sent, which could not do it.
  const isElsewhere = !asksForPassword && findMe(exchange.request) !== auth?.auth_id;
  if (isElsewhere && !response.isError()) response.refuse(LOG_IN_FIRST);
  const title = purpose === 'recover' ? 'New password' : 'Confirm your e-mail';
  const data: Row = { token, isGone: !found, isChange, asksForPassword, isElsewhere };
  await showAccountPage(context, exchange, { name: purpose, title, data });
}

async function postRecover(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  fillStage(request, ['token', 'auth_password', 'confirm']);
  await context.emit('auth-recover', request, response);
  if (response.isError()) return showLinkForm(context, exchange, 'recover');
  response.removeResults();
  flash(exchange, 'Your password was changed. Log in with the new one.');
  response.setRedirect(`/auth/login${toCarried(context, takeWayBack(context, request)).query}`);
}

async function postVerify(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  if (!request.hasPost('token')) return postAsk(context, exchange, 'verify-request');
  fillStage(request, ['token', 'auth_password']);
  await context.emit('auth-verify', request, response);
  if (response.isError()) return showLinkForm(context, exchange, 'verify');
  const account = response.getResults() as Row;
  response.removeResults();
  await logIn(context, exchange, account, { target: takeWayBack(context, request) });
  flash(exchange, 'Your e-mail is confirmed.');
}

function openVerify(context: Context, exchange: Exchange): Promise<void> {
  return exchange.request.hasGet('token')
    ? showLinkForm(context, exchange, 'verify')
    : askForm(context, exchange, 'verify-request');
}

/** Pages for lost passwords and for the confirmation of e-mail addresses. */
export const mailRoutes: readonly RouteContribution[] = [
  createRoute('GET', '/auth/forgot', 'The form for a lost password.', (context, exchange) =>
    askForm(context, exchange, 'forgot'),
  ),
  createRoute('POST', '/auth/forgot', 'Mails a link to a new password.', (context, exchange) =>
    postAsk(context, exchange, 'forgot'),
  ),
  createRoute(
    'GET',
    '/auth/recover',
    'The form that the mailed link opens; opening it changes nothing.',
    (context, exchange) => showLinkForm(context, exchange, 'recover'),
  ),
  createRoute('POST', '/auth/recover', 'Sets the new password.', postRecover),
  createRoute(
    'GET',
    '/auth/verify',
    'With a `token` the form that the mailed link opens; without, the form that mails it again.',
    openVerify,
  ),
  createRoute('POST', '/auth/verify', 'Confirms an e-mail by link and password, or mails the link again.', postVerify),
];
