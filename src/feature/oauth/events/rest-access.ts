import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { proveClient, readProof, readText } from '../client/proof.ts';
import { badRequest, EMPTY, refuseToken } from '../errors.ts';
import { arriveWith, exchangeCode, type Outcome } from '../token/exchange.ts';

async function exchange(context: Context, request: Request): Promise<Outcome> {
  const code = readText(request, 'code');
  const arrival = arriveWith(context, code);
  const proof = readProof(request);
  const missing = Object.entries({ client_id: proof.clientId, code }).filter(([, value]) => value === '');
  if (missing.length > 0) {
    return { fault: badRequest('Invalid Parameters', Object.fromEntries(missing.map(([name]) => [name, EMPTY]))) };
  }
  const proved = await proveClient(context, proof);
  if ('fault' in proved) return proved;
  return exchangeCode(context, proved.app, {
    code,
    redirectUri: readText(request, 'redirect_uri'),
    verifier: readText(request, 'code_verifier'),
    door: 'classic',
    arrival,
  });
}

async function answer(context: Context, request: Request, response: Response): Promise<void> {
  const outcome = await exchange(context, request);
  if ('fault' in outcome) return refuseToken(response, outcome.fault);
  const { token, code, profile } = outcome;
  // Members of the standard response in addition to the results, which have exactly these five.
  const scope = token.scopes.length === 0 ? {} : { scope: token.scopes.join(' ') };
  response.set('token', { expires_in: token.seconds, ...scope });
  response.succeed({
    access_token: token.access,
    access_secret: token.secret,
    profile_id: String(code.profile_id),
    profile_name: String(profile.profile_name ?? ''),
    profile_created: String(profile.profile_created ?? ''),
  });
}

export const restAccess: EventContribution = {
  name: 'rest-access',
  description: 'Exchanges an authorization code for an access token and its secret.',
  stage: {
    client_id: 'The app.',
    client_secret: "The app's secret; a public app has none.",
    code: 'The authorization code.',
    redirect_uri: 'The redirect URI that the code was sent to. Optional.',
    code_verifier: 'The PKCE verifier, if the authorization request had a challenge.',
  },
  results: '`access_token`, `access_secret`, `profile_id`, `profile_name`, `profile_created`.',
  // The results contain only secrets.
  kind: 'silent',
  listen: (context) => (request, response) => answer(context, request, response),
};
