import { toSeconds } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { createToken, digest } from '../../../core/secret/secret.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { listAllowedScopes, toSlugs } from '../client/allowed-scopes.ts';
import type { ClientApp } from '../client/app-row.ts';
import { proveClient, readProof, readText } from '../client/proof.ts';
import { areOwnResources } from '../client/resource.ts';
import {
  BAD_CLIENT,
  BAD_GRANT_TYPE,
  BAD_SCOPE,
  BAD_TARGET,
  badRequest,
  EMPTY,
  refuseToken,
  type TokenError,
} from '../errors.ts';
import { insertToken } from '../sql.ts';
import { arriveWith, exchangeCode } from '../token/exchange.ts';
import type { IssuedToken } from '../token/issue.ts';
import { refreshTokens } from '../token/refresh.ts';
import type { Arrival } from '../token/replay-detector.ts';

type Outcome = { readonly token: IssuedToken } | { readonly fault: TokenError };

const TRIAL_ONLY: TokenError = {
  error: 'unauthorized_client',
  status: 400,
  message: "A trial secret exchanges codes only; for a token of the app itself send the app's own secret.",
};

const missing = (name: string): TokenError => badRequest(`${name} is missing.`, { [name]: EMPTY });

/** A token of the app itself, for app calls: no user, no refresh. @see RFC 6749 section 4.4 */
async function grantClient({ services, plan }: Context, app: ClientApp, request: Request): Promise<Outcome> {
  if (app.secretHash === undefined) {
    const message = 'A public app cannot have a token of its own: it can keep no secret.';
    return { fault: { error: 'unauthorized_client', status: 400, message } };
  }
  const { database, clock, random } = services;
  const allowed = listAllowedScopes(plan.model, app, 'app');
  const requested = toSlugs(readText(request, 'scope'));
  if (!requested.every((slug) => allowed.includes(slug))) return { fault: BAD_SCOPE };
  const scopes = requested.length > 0 ? requested : allowed;
  const access = createToken(random, 'tk_at_');
  const seconds = plan.model.settings.oauth.accessSeconds;
  const now = toSeconds(clock.now());
  await database.write(() =>
    insertToken(database, {
      token_hash: digest(access),
      kind: 'access',
      app_id: app.appId,
      scopes: JSON.stringify(scopes),
      created_at: now,
      expires_at: now + seconds,
    }),
  );
  return { token: { access, seconds, scopes } };
}

/** Parameters that each grant type needs. */
const NEEDED: Readonly<Record<string, string | undefined>> = {
  authorization_code: 'code',
  refresh_token: 'refresh_token',
  client_credentials: undefined,
};

async function decide(context: Context, request: Request, arrival: Arrival): Promise<Outcome> {
  const type = readText(request, 'grant_type');
  if (type === '') return { fault: missing('grant_type') };
  if (!Object.hasOwn(NEEDED, type)) return { fault: BAD_GRANT_TYPE };
  const proof = readProof(request);
  if (proof.clientId === '') return { fault: { ...BAD_CLIENT, message: 'The app does not say who it is.' } };
  if (!areOwnResources(context.services.baseUrl(), readText(request, 'resource').split(' ')))
    return { fault: BAD_TARGET };
  const needed = NEEDED[type];
  if (needed !== undefined && readText(request, needed) === '') return { fault: missing(needed) };
  const proved = await proveClient(context, proof);
  if ('fault' in proved) return proved;
  const { app, isTrial } = proved;
  // The token would allow app calls, which the trial secret must not.
  if (type === 'client_credentials') return isTrial ? { fault: TRIAL_ONLY } : grantClient(context, app, request);
  if (type === 'refresh_token') {
    const params = { token: readText(request, 'refresh_token'), scope: readText(request, 'scope') };
    return refreshTokens(context, app, params);
  }
  return exchangeCode(context, app, {
    code: readText(request, 'code'),
    redirectUri: readText(request, 'redirect_uri'),
    verifier: readText(request, 'code_verifier'),
    door: 'standard',
    arrival,
  });
}

async function answer(context: Context, request: Request, response: Response): Promise<void> {
  const outcome = await decide(context, request, arriveWith(context, readText(request, 'code')));
  if ('fault' in outcome) return refuseToken(response, outcome.fault);
  const { access, refresh, seconds, scopes } = outcome.token;
  response.succeed({
    access_token: access,
    token_type: 'Bearer',
    expires_in: seconds,
    ...(refresh === undefined ? {} : { refresh_token: refresh }),
    // Also for a user who unticked everything: without the member the app has what it asked for (RFC 6749 section 5.1).
    scope: scopes.join(' '),
  });
}

export const oauthToken: EventContribution = {
  name: 'oauth-token',
  description: 'Issues tokens for a code, a refresh token or client credentials (RFC 6749).',
  stage: {
    grant_type: '`authorization_code`, `refresh_token` or `client_credentials`.',
    client_id: 'The app.',
    client_secret: "The app's secret; a public app has none.",
    code: 'The authorization code.',
    redirect_uri: 'The redirect URI that the code was sent to. Optional with a verifier.',
    code_verifier: 'The PKCE verifier of the challenge in the authorization request.',
    refresh_token: 'The refresh token; it works once.',
    scope: 'Fewer scopes than were granted, separated by spaces.',
    resource: "Addresses that the token is for, separated by spaces: only the site's own or its API's (RFC 8707).",
  },
  results: '`access_token`, `token_type`, `expires_in`, `refresh_token`, `scope`.',
  // The results contain only secrets.
  kind: 'silent',
  listen: (context) => (request, response) => answer(context, request, response),
};
