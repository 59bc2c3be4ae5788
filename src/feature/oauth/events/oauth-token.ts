import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { createToken, digest } from '../../../core/secret/secret.ts';
import { defineEvent } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import { listAllowedScopes, toSlugs } from '../client/allowed-scopes.ts';
import type { ClientApp } from '../client/app-row.ts';
import { type Proof, parameter, proveClient, toProof } from '../client/proof.ts';
import { areOwnResources } from '../client/resource.ts';
import {
  BAD_CLIENT,
  BAD_GRANT_TYPE,
  BAD_SCOPE,
  BAD_TARGET,
  badRequest,
  EMPTY,
  rejectToken,
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
async function grantClient({ services, plan }: Context, app: ClientApp, scope: string): Promise<Outcome> {
  if (app.secretHash === undefined) {
    const message = 'A public app cannot have a token of its own: it can keep no secret.';
    return { fault: { error: 'unauthorized_client', status: 400, message } };
  }
  const { database, clock, random } = services;
  const allowed = listAllowedScopes(plan.model, app, 'app');
  const requested = toSlugs(scope);
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

const tokenStage = () =>
  z.object({
    grant_type: parameter('`authorization_code`, `refresh_token` or `client_credentials`.'),
    client_id: parameter('The app.'),
    client_secret: parameter("The app's secret; a public app has none."),
    code: parameter('The authorization code.'),
    redirect_uri: parameter('The redirect URI that the code was sent to. Optional with a verifier.'),
    code_verifier: parameter('The PKCE verifier of the challenge in the authorization request.'),
    refresh_token: parameter('The refresh token; it works once.'),
    scope: parameter('Fewer scopes than were granted, separated by spaces.'),
    resource: parameter(
      "Addresses that the token is for, separated by spaces: only the site's own or its API's (RFC 8707).",
    ),
  });

interface TokenRequest extends z.output<ReturnType<typeof tokenStage>> {
  readonly proof: Proof;
  readonly arrival: Arrival;
}

/** The parameter that each grant type needs. */
const NEEDED = {
  authorization_code: 'code',
  refresh_token: 'refresh_token',
  client_credentials: undefined,
} as const;

const isGrantType = (type: string): type is keyof typeof NEEDED => Object.hasOwn(NEEDED, type);

async function decide(context: Context, asked: TokenRequest): Promise<Outcome> {
  const { grant_type: type, scope, proof } = asked;
  if (type === '') return { fault: missing('grant_type') };
  if (!isGrantType(type)) return { fault: BAD_GRANT_TYPE };
  if (proof.clientId === '') return { fault: { ...BAD_CLIENT, message: 'The app does not say who it is.' } };
  if (!areOwnResources(context.services.baseUrl(), asked.resource.split(' '))) return { fault: BAD_TARGET };
  const needed = NEEDED[type];
  if (needed !== undefined && asked[needed] === '') return { fault: missing(needed) };
  const proved = await proveClient(context, proof);
  if ('fault' in proved) return proved;
  const { app, isTrial } = proved;
  // The token would allow app calls, which the trial secret must not.
  if (type === 'client_credentials') return isTrial ? { fault: TRIAL_ONLY } : grantClient(context, app, scope);
  if (type === 'refresh_token') return refreshTokens(context, app, { token: asked.refresh_token, scope });
  return exchangeCode(context, app, {
    code: asked.code,
    redirectUri: asked.redirect_uri,
    verifier: asked.code_verifier,
    door: 'standard',
    arrival: asked.arrival,
  });
}

export const oauthToken = defineEvent({
  name: 'oauth-token',
  description: 'Issues tokens for a code, a refresh token or client credentials (RFC 6749).',
  // The results contain only secrets.
  kind: 'silent',
  stage: tokenStage,
  results: () =>
    z
      .object({
        access_token: z.string(),
        token_type: z.string(),
        expires_in: z.number(),
        refresh_token: z.string().optional(),
        scope: z.string(),
      })
      .describe('`access_token`, `token_type`, `expires_in`, `refresh_token`, `scope`.'),
  async run(stage, context, { request, response }) {
    const arrival = arriveWith(context, stage.code);
    const outcome = await decide(context, { ...stage, proof: toProof(stage, request), arrival });
    if ('fault' in outcome) return rejectToken(response, outcome.fault);
    const { access, refresh, seconds, scopes } = outcome.token;
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: seconds,
      ...(refresh === undefined ? {} : { refresh_token: refresh }),
      // Also for a user who unticked everything: without the member the app has what it asked for (RFC 6749 section 5.1).
      scope: scopes.join(' '),
    };
  },
});
