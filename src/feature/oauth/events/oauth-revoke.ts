import { toSeconds } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { digest } from '../../../core/secret/secret.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import type { ClientApp } from '../client/app-row.ts';
import { proveClient, readProof, readText } from '../client/proof.ts';
import { BAD_CLIENT, badRequest, EMPTY, refuseToken } from '../errors.ts';
import { findToken, revokeGrant, revokeToken } from '../sql.ts';

const EVENT = 'oauth-revoke';

interface Ending {
  readonly row: Row;
  readonly app: ClientApp;
  /** Unix seconds. */
  readonly now: number;
}

/** Revokes a token, and notifies web hooks if it was valid. The response stays empty. */
async function end(context: Context, { row, app, now }: Ending, request: Request): Promise<void> {
  const { database } = context.services;
  const isRefresh = row.kind === 'refresh';
  if (isRefresh) await revokeGrant(database, Number(row.grant_id), now);
  else await revokeToken(database, String(row.token_hash), now);
  if (row.revoked_at !== null || row.grant_revoked_at !== null) return;
  const told = new Response(request);
  told.succeed({ app_id: app.appId, client_id: app.clientId, profile_id: row.profile_id, kind: row.kind });
  await context.committing(EVENT, request, told);
}

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
  if (row) await database.write(() => end(context, { row, app: proved.app, now: toSeconds(clock.now()) }, request));
  response.succeed({});
}

export const oauthRevoke: EventContribution = {
  name: EVENT,
  description: 'Revokes a token of an app. A refresh token takes all tokens of its consent with it.',
  stage: {
    client_id: 'The app.',
    client_secret: "The app's secret; a public app has none.",
    token: 'The token; an unknown one is not an error.',
    token_type_hint: 'Not needed: every kind of token is tried.',
  },
  results:
    'Nothing. A web hook receives `app_id`, `client_id`, `profile_id` and `kind` (`access` or `refresh`) if the token was still valid.',
  kind: 'self',
  listen: (context) => (request, response) => revoke(context, request, response),
};
