import { requireProof } from '../../../access/proof.ts';
import type { Refusal } from '../../../core/request/response.ts';
import { toLocalPath } from '../../../core/text/local-path.ts';
import { toNetwork } from '../../../core/text/network.ts';
import { translate } from '../../../core/text/translate.ts';
import type { ProviderModel } from '../../../model/provider.ts';
import { type Exchange, findMe, toLogin } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { toAddress } from '../account/account.ts';
import { showAccountPage } from '../page.ts';
import { findAuth } from '../sql.ts';
import { beginFlow, type SignInRequest } from './flow.ts';
import { findServer, type ProviderServer } from './server.ts';

/** Sign-ins that a network may begin in a minute. */
const STARTS = 60;

/** Shows why a sign-in ended, and the way back. */
export function showRefused(
  context: Context,
  exchange: Exchange,
  provider: ProviderModel,
  refusal: Refusal & { readonly hint?: string },
): Promise<void> {
  exchange.response.removeResults();
  exchange.response.refuse(refusal);
  const isLoggedIn = findMe(exchange.request) !== undefined;
  const data = { provider: provider.label, name: provider.name, hint: refusal.hint, isLoggedIn };
  return showAccountPage(context, exchange, {
    name: 'provider-refused',
    title: translate('Sign-in with {provider}', { provider: provider.label }),
    data,
  });
}

/** What a person can do about a provider that does not answer; the log has the reason. */
export const toUnreachable = ({ label }: ProviderModel): Refusal => ({
  status: 502,
  code: 'OTHER_SERVER_FAILED',
  message: translate('{label} does not answer at the moment. Try again, or log in another way.', { label }),
});

async function findReady(
  context: Context,
  exchange: Exchange,
  provider: ProviderModel,
): Promise<ProviderServer | undefined> {
  const { limiter, log, providerSecret } = context.services;
  const turn = limiter.take(`auth:provider:${toNetwork(toAddress(exchange.request))}`, STARTS, 60);
  if (!turn.isAllowed) {
    exchange.response.addHeader('retry-after', String(turn.retrySeconds));
    const message = translate('Too many sign-ins from your network. Try again in {seconds} seconds.', {
      seconds: turn.retrySeconds,
    });
    await showRefused(context, exchange, provider, { status: 429, code: 'ATTEMPTS_TOO_MANY', message });
    return undefined;
  }
  if (providerSecret(provider.name) === undefined) {
    const message = translate('Sign-in with {label} is not set up yet. Log in another way.', { label: provider.label });
    await showRefused(context, exchange, provider, { status: 503, code: 'SERVICE_BUSY', message });
    return undefined;
  }
  try {
    return await findServer(context, provider);
  } catch (error) {
    log.warn('provider.unreachable', { provider: provider.name, reason: (error as Error).message });
    await showRefused(context, exchange, provider, toUnreachable(provider));
    return undefined;
  }
}

/** The provider's address for a new flow; undefined if the answer is set already. */
async function begin(
  context: Context,
  exchange: Exchange,
  provider: ProviderModel,
  options: SignInRequest,
): Promise<string | undefined> {
  const server = await findReady(context, exchange, provider);
  return server && beginFlow(context, exchange, { provider, server, options });
}

/** Goes to the provider. Changes nothing but the flow, so that a link can do it. */
export async function start(context: Context, exchange: Exchange, provider: ProviderModel): Promise<void> {
  const { request, response } = exchange;
  const { home } = context.plan.model.settings;
  const target = toLocalPath(request.getPost('redirect_uri') ?? request.getGet('redirect_uri'), home);
  const isAgain = request.hasGet('again') || request.hasPost('again');
  response.addHeader('cache-control', 'no-store').addHeader('referrer-policy', 'same-origin');
  if (findMe(request) !== undefined && !isAgain) {
    response.setRedirect(target);
    return;
  }
  const url = await begin(context, exchange, provider, { target, isAgain });
  if (url !== undefined) response.setRedirect(url);
}

/**
 * Begins to link the provider to the account of the session, after a proof of who it is. The page redirects: browsers would check
 * a redirect of the form's answer against `form-action`.
 */
export async function startLink(context: Context, exchange: Exchange, provider: ProviderModel): Promise<void> {
  const { request, response } = exchange;
  const authId = findMe(request);
  const auth = authId === undefined ? undefined : await findAuth(context.services.database, 'auth_id', authId);
  if (!auth) {
    response.setRedirect(toLogin('/auth/account'));
    return;
  }
  if (!requireProof(context, exchange, '/auth/account')) return;
  const url = await begin(context, exchange, provider, {
    target: '/auth/account',
    linkTo: auth.auth_id,
    isAgain: true,
  });
  if (url === undefined) return;
  response.addHeader('refresh', `0;url=${url}`);
  const data = { provider: provider.label, url };
  await showAccountPage(context, exchange, {
    name: 'provider-continue',
    title: translate('Continue with {provider}', { provider: provider.label }),
    data,
  });
}
