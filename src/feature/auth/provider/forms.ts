import { hasSecondFactor } from '../../../access/person.ts';
import { requireProof } from '../../../access/proof.ts';
import { isEmailAddress, normalizeEmail } from '../../../core/text/email.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { ProviderModel } from '../../../model/provider.ts';
import { type Exchange, findMe, leadTo, requireMe } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { editSignup, toSignupForm, toSignupStage } from '../account/signup-fields.ts';
import { showMailed } from '../mail/mail-routes.ts';
import { fillStage, logIn, showAccountPage } from '../page.ts';
import { takeWaiting } from '../second-factor/waiting.ts';
import { type AuthRow, findAuth, hasPassword } from '../sql.ts';
import type { Identity } from './identity.ts';
import { toIdentityStage } from './identity-stage.ts';
import { dropPending, findPending, type PendingSignIn } from './pending.ts';
import { showRefused } from './start.ts';

const LOGIN = '/auth/login';
const ACCOUNT = '/auth/account';

/** The sign-in that waits for the form; without one the user starts again. */
function requirePending(
  context: Context,
  { request, response }: Exchange,
  { name }: ProviderModel,
): PendingSignIn | undefined {
  const pending = findMe(request) === undefined ? findPending(context, request, name) : undefined;
  if (pending === undefined) response.setRedirect(LOGIN);
  return pending;
}

/** True if the form asks for the e-mail: the provider does not vouch for one. */
const asksForEmail = ({ email, isVerified }: Identity): boolean =>
  !isVerified || email === undefined || !isEmailAddress(normalizeEmail(email));

async function showComplete(
  context: Context,
  exchange: Exchange,
  provider: ProviderModel,
  pending: PendingSignIn,
): Promise<void> {
  const { request, response } = exchange;
  const { identity } = pending;
  const { model } = context.plan;
  const needsEmail = asksForEmail(identity);
  const posted = request.getPost() as Record<string, unknown>;
  const isOpen = model.settings.auth.signup;
  const data = {
    provider: provider.label,
    name: provider.name,
    email: identity.email,
    isAsked: needsEmail,
    needsPassword: needsEmail && model.settings.auth.verify,
    isOpen: isOpen && response.getStatus() !== 403,
    ...toSignupForm(model, exchange),
    form: { profile_name: posted.profile_name ?? identity.name, auth_slug: posted.auth_slug ?? identity.email },
  };
  await showAccountPage(context, exchange, { name: 'provider-complete', title: 'Your account', data });
}

export async function openComplete(context: Context, exchange: Exchange, provider: ProviderModel): Promise<void> {
  const pending = requirePending(context, exchange, provider);
  if (pending) await showComplete(context, exchange, provider, pending);
}

export async function postComplete(context: Context, exchange: Exchange, provider: ProviderModel): Promise<void> {
  const { request, response } = exchange;
  const pending = requirePending(context, exchange, provider);
  if (!pending) return;
  if (editSignup(exchange)) return showComplete(context, exchange, provider, pending);
  const needsEmail = asksForEmail(pending.identity);
  const needsPassword = needsEmail && context.plan.model.settings.auth.verify;
  const own = toSignupStage(context.plan.model, request);
  const names = [
    'profile_name',
    ...(needsEmail ? ['auth_slug'] : []),
    ...(needsPassword ? ['auth_password', 'confirm'] : []),
  ];
  fillStage(request, names, { ...own, ...toIdentityStage(pending.identity) });
  await context.emit('auth-sso-login', request, response);
  if (response.isError()) return showComplete(context, exchange, provider, pending);
  dropPending(request);
  const account = response.getResults() as Row;
  // The e-mail must be confirmed first, and the answer does not tell whether it has an account.
  if (account.auth_id === undefined || (needsPassword && account.auth_verified !== 1)) {
    response.removeResults();
    return showMailed(context, exchange, { slug: account.auth_slug, purpose: 'verify', target: pending.target });
  }
  response.removeResults();
  await logIn(context, exchange, account, { target: pending.target });
}

/** The sign-in that waits for {@link postConnect}, with the account that has the e-mail that the provider vouches for. */
async function findConnect(context: Context, { request, response }: Exchange, { name }: ProviderModel) {
  const pending = findPending(context, request, name);
  const { email = '' } = pending?.identity ?? {};
  const isKnown = pending !== undefined && !asksForEmail(pending.identity);
  const auth = isKnown ? await findAuth(context.services.database, 'auth_slug', normalizeEmail(email)) : undefined;
  const me = findMe(request);
  if (pending !== undefined && auth && (me === undefined || me === auth.auth_id)) return { pending, auth };
  response.setRedirect(LOGIN);
  return undefined;
}

async function showConnect(
  context: Context,
  exchange: Exchange,
  provider: ProviderModel,
  auth: AuthRow,
): Promise<void> {
  const data = {
    provider: provider.label,
    name: provider.name,
    email: auth.auth_slug,
    isNew: auth.auth_verified !== 1,
    // A new password by mail removes it, which its user may not want.
    hasFactor: hasSecondFactor(auth),
    isLoggedIn: findMe(exchange.request) !== undefined,
    hasPassword: hasPassword(auth),
  };
  await showAccountPage(context, exchange, { name: 'provider-connect', title: 'You have an account here', data });
}

export async function openConnect(context: Context, exchange: Exchange, provider: ProviderModel): Promise<void> {
  const found = await findConnect(context, exchange, provider);
  if (found) await showConnect(context, exchange, provider, found.auth);
}

/** Checks the password that was typed. With a second factor the session leads back to the form after it. */
async function logInToConnect(
  context: Context,
  exchange: Exchange,
  provider: ProviderModel,
  auth: AuthRow,
): Promise<void> {
  const { request, response } = exchange;
  fillStage(request, ['auth_password'], { auth_slug: auth.auth_slug });
  await context.emit('auth-login', request, response);
  const waiting = takeWaiting(request);
  if (waiting === undefined) return;
  response.setStatus(200).setError(false);
  await logIn(context, exchange, waiting, { target: `/auth/provider/${provider.name}/connect` });
}

/**
 * Connects the provider to the account with the same e-mail: only if the account's e-mail is confirmed too and its user
 * logs in to it. The e-mail alone proves nothing: somebody else may have signed up with it before (pre-hijacking).
 */
export async function postConnect(context: Context, exchange: Exchange, provider: ProviderModel): Promise<void> {
  const { request, response } = exchange;
  const found = await findConnect(context, exchange, provider);
  if (!found) return;
  const { auth, pending } = found;
  const isLoggedIn = findMe(request) !== undefined;
  if (auth.auth_verified !== 1 || !(isLoggedIn || hasPassword(auth)))
    return showConnect(context, exchange, provider, auth);
  if (isLoggedIn && !requireProof(context, exchange)) return;
  if (!isLoggedIn) await logInToConnect(context, exchange, provider, auth);
  if (response.isRedirect()) return;
  if (response.isError()) return showConnect(context, exchange, provider, auth);
  const account = response.getResults() as Row;
  response.removeResults();
  request.removeStage().setStage({ auth_id: auth.auth_id, ...toIdentityStage(pending.identity) });
  await context.emit('auth-provider-link', request, response);
  if (response.isError()) {
    const refusal = {
      status: response.getStatus(),
      code: response.refusal?.code,
      message: response.getMessage() ?? 'It could not be linked.',
    };
    return showRefused(context, exchange, provider, refusal);
  }
  response.removeResults().setRedirect(pending.target);
  dropPending(request);
  if (!isLoggedIn) await logIn(context, exchange, account, { target: pending.target });
}

/** Removes a link, from the page of the account. */
export async function postUnlink(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const authId = requireMe(exchange, ACCOUNT);
  if (authId === undefined) return;
  fillStage(request, ['link_id'], { auth_id: authId });
  await context.emit('auth-provider-unlink', request, response);
  leadTo(exchange, ACCOUNT, 'The link is removed.');
}
