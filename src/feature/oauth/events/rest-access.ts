import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import { parameter, proveClient, toProof } from '../client/proof.ts';
import { badRequest, EMPTY, rejectToken } from '../errors.ts';
import { arriveWith, exchangeCode } from '../token/exchange.ts';

export const restAccess = defineEvent({
  name: 'rest-access',
  description: 'Exchanges an authorization code for an access token and its secret.',
  // The results contain only secrets.
  kind: 'silent',
  stage: () =>
    z.object({
      client_id: parameter('The app.'),
      client_secret: parameter("The app's secret; a public app has none."),
      code: parameter('The authorization code.'),
      redirect_uri: parameter('The redirect URI that the code was sent to. Optional.'),
      code_verifier: parameter('The PKCE verifier, if the authorization request had a challenge.'),
    }),
  results: () =>
    z
      .object({
        access_token: z.string(),
        access_secret: z.string().optional(),
        profile_id: z.string(),
        profile_name: z.string(),
        profile_created: z.string(),
      })
      .describe('`access_token`, `access_secret`, `profile_id`, `profile_name`, `profile_created`.'),
  async run(stage, context, { request, response }) {
    const { client_id, code } = stage;
    const arrival = arriveWith(context, code);
    const missing = Object.entries({ client_id, code }).filter(([, value]) => value === '');
    if (missing.length > 0) {
      const messages = Object.fromEntries(missing.map(([name]) => [name, EMPTY]));
      return rejectToken(response, badRequest('Invalid Parameters', messages));
    }
    const proved = await proveClient(context, toProof(stage, request));
    if ('fault' in proved) return rejectToken(response, proved.fault);
    const outcome = await exchangeCode(context, proved.app, {
      code,
      redirectUri: stage.redirect_uri,
      verifier: stage.code_verifier,
      door: 'classic',
      arrival,
    });
    if ('fault' in outcome) return rejectToken(response, outcome.fault);
    const { token, code: row, profile } = outcome;
    // Members of the standard response in addition to the results, which have exactly these five.
    const scope = token.scopes.length === 0 ? {} : { scope: token.scopes.join(' ') };
    response.set('token', { expires_in: token.seconds, ...scope });
    return {
      access_token: token.access,
      access_secret: token.secret,
      profile_id: String(row.profile_id),
      profile_name: String(profile.profile_name ?? ''),
      profile_created: String(profile.profile_created ?? ''),
    };
  },
});
