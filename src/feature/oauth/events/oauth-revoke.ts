import { toSeconds } from '../../../core/clock.ts';
import type { Request } from '../../../core/request.ts';
import type { Response } from '../../../core/response.ts';
import { digest } from '../../../core/secret.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { proveClient, readProof, readText } from '../client.ts';
import { BAD_CLIENT, badRequest, EMPTY, refuseToken, succeed } from '../errors.ts';
import { findToken, revokeGrant, revokeToken } from '../sql.ts';

async function revoke(context: Context, request: Request, response: Response): Promise<void> {
  const { database, clock } = context.services;
  const proof = readProof(request);
  const token = readText(request, 'token');
  if (proof.clientId === '') return refuseToken(response, BAD_CLIENT);
  if (token === '') return refuseToken(response, badRequest('token is missing.', { token: EMPTY }));
  const proved = await proveClient(context, proof);
  if ('fault' in proved) return refuseToken(response, proved.fault);
  const row = await findToken(database, digest(token));
  if (row && row.app_id !== proved.app.appId) {
    const message = 'The token belongs to another app.';
    return refuseToken(response, { error: 'unauthorized_client', status: 400, message });
  }
  const now = toSeconds(clock.now());
  if (row?.kind === 'refresh') await database.write(() => revokeGrant(database, Number(row.grant_id), now));
  else if (row) await database.write(() => revokeToken(database, String(row.token_hash), now));
  succeed(response, {});
}

export const oauthRevoke: EventContribution = {
  event: 'oauth-revoke',
  description: 'Ends a token of an app; a refresh token with everything that came of its consent.',
  stage: {
    client_id: 'The app.',
    client_secret: "The app's secret; a public app has none.",
    token: 'The token; an unknown one is no error.',
    token_type_hint: 'Not needed: all kinds are looked through.',
  },
  results: 'Nothing.',
  commits: 'self',
  listen: (context) => (request, response) => revoke(context, request, response),
};
