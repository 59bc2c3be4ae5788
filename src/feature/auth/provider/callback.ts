import { markProven } from '../../../access/proof.ts';
import type { Refusal } from '../../../core/request/response.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { ProviderModel } from '../../../model/provider.ts';
import { type Exchange, findMe, flash } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { logIn } from '../page.ts';
import { type Flow, takeFlow, toRedirectUri } from './flow.ts';
import { type Identity, readIdentity } from './identity.ts';
import { toIdentityStage } from './identity-stage.ts';
import { savePending } from './pending.ts';
import { findServer, loadLibrary } from './server.ts';
import { findLink } from './sql.ts';
import { showRefused, toUnreachable } from './start.ts';

const NO_FLOW: Refusal = {
  status: 400,
  code: 'SIGN_IN_OVER',
  message: 'This sign-in does not work: it was used before, is older than ten minutes, or began in another browser.',
};

/** The refusal for an error of the callback, which the log gets in full. */
async function logRefusal({ services }: Context, provider: ProviderModel, error: unknown): Promise<Refusal> {
  const { AuthorizationResponseError } = await loadLibrary();
  const { name, label } = provider;
  if (error instanceof AuthorizationResponseError) {
    // The description is text of the query, which anybody can write.
    services.log.info('provider.denied', { provider: name, reason: error.error.slice(0, 100) });
    return error.error === 'access_denied'
      ? {
          status: 403,
          code: 'SIGN_IN_DECLINED',
          message: translate('You did not let {label} sign you in here.', { label }),
        }
      : {
          status: 502,
          code: 'OTHER_SERVER_FAILED',
          message: translate('{label} refused the sign-in. Try again, or log in another way.', { label }),
        };
  }
  // Not the error: its cause holds claims and tokens.
  const { message, error: answered } = error as Error & { readonly error?: unknown };
  const reason = [message, answered].filter((part) => typeof part === 'string').join(': ');
  services.log.warn('provider.failed', { provider: name, reason: reason.slice(0, 200) });
  if ((error as { code?: unknown }).code === 'OUTBOUND_FAILED') return toUnreachable(provider);
  return {
    status: 502,
    code: 'OTHER_SERVER_FAILED',
    message: translate('{label} did not confirm who you are. Try again, or log in another way.', { label }),
  };
}

async function identify(context: Context, exchange: Exchange, provider: ProviderModel, flow: Flow): Promise<Identity> {
  const { request } = exchange;
  const codeExchange = {
    query: new URLSearchParams(request.getQuery()),
    state: String(request.getGet('state')),
    nonce: flow.nonce,
    verifier: flow.verifier,
    redirectUri: toRedirectUri(context, provider),
    secret: context.services.providerSecret(provider.name) ?? '',
  };
  return readIdentity(context, provider, { server: await findServer(context, provider), exchange: codeExchange });
}

/** Links the provider to the account that asked for it. */
async function finishLink(
  context: Context,
  exchange: Exchange,
  provider: ProviderModel,
  known: { identity: Identity; flow: Flow },
) {
  const { request, response } = exchange;
  const { identity, flow } = known;
  if (findMe(request) !== flow.linkTo) {
    const message = 'You are no longer logged in to the account that asked for this.';
    return showRefused(context, exchange, provider, { status: 403, code: 'NOT_ALLOWED', message });
  }
  request.removeStage().setStage({ auth_id: flow.linkTo, ...toIdentityStage(identity) });
  await context.emit('auth-provider-link', request, response);
  if (response.isError()) {
    const refusal = {
      status: response.getStatus(),
      code: response.refusal?.code,
      message: response.getMessage() ?? 'It could not be linked.',
    };
    return showRefused(context, exchange, provider, refusal);
  }
  flash(exchange, translate('{provider} opens your account now.', { provider: provider.label }));
  response.removeResults().setRedirect(flow.target);
}

/** A sign-in while somebody is logged in: again, to prove who it is. Another account is not entered silently. */
async function proveAgain(
  context: Context,
  exchange: Exchange,
  provider: ProviderModel,
  known: { identity: Identity; flow: Flow },
) {
  const { request, response } = exchange;
  const me = findMe(request);
  const link = await findLink(context.services.database, known.identity);
  if (me === undefined || link?.auth_id !== me) {
    const message = translate('This user of {label} is not linked to the account that you are logged in to.', {
      label: provider.label,
    });
    const hint = 'Link it on the page of your account, or log out first.';
    return showRefused(context, exchange, provider, { status: 403, code: 'NOT_ALLOWED', message, hint });
  }
  markProven(context.services, request, me);
  response.setRedirect(known.flow.target);
}

async function signIn(
  context: Context,
  exchange: Exchange,
  provider: ProviderModel,
  known: { identity: Identity; flow: Flow },
) {
  const { request, response } = exchange;
  const { identity, flow } = known;
  request.removeStage().setStage(toIdentityStage(identity));
  await context.emit('auth-sso-login', request, response);
  if (!response.isError()) {
    const account = response.getResults() as Row;
    response.removeResults();
    return logIn(context, exchange, account, { target: flow.target });
  }
  // A listener of the project may refuse without a status.
  const status = response.getStatus() < 400 ? 403 : response.getStatus();
  const step = status === 409 ? 'connect' : 'complete';
  if (status !== 409 && status !== 422) {
    return showRefused(context, exchange, provider, {
      status,
      code: response.refusal?.code,
      message: response.getMessage() ?? 'The sign-in was refused.',
    });
  }
  savePending(context, request, { identity, target: flow.target });
  response.setError(false).removeResults().setStatus(303).setRedirect(`/auth/provider/${provider.name}/${step}`);
}

/** The address that the provider sends the user back to. */
export async function openCallback(context: Context, exchange: Exchange, provider: ProviderModel): Promise<void> {
  const { request, response } = exchange;
  response.addHeader('cache-control', 'no-store').addHeader('referrer-policy', 'no-referrer');
  const flow = await takeFlow(context, request, provider);
  if (flow === undefined) return showRefused(context, exchange, provider, NO_FLOW);
  const identity = await identify(context, exchange, provider, flow).catch(async (error: unknown) => {
    await showRefused(context, exchange, provider, await logRefusal(context, provider, error));
    return undefined;
  });
  if (identity === undefined) return;
  const known = { identity, flow };
  if (flow.linkTo !== undefined) return finishLink(context, exchange, provider, known);
  if (findMe(request) !== undefined) return proveAgain(context, exchange, provider, known);
  return signIn(context, exchange, provider, known);
}
