import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { digest } from '../../../core/secret/secret.ts';
import type { Row } from '../../../database/row-statement.ts';
import { defineEvent } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from '../client/app-row.ts';
import { parameter, proveClient, toProof } from '../client/proof.ts';
import { BAD_CLIENT, badRequest, EMPTY, rejectToken } from '../errors.ts';
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

export const oauthRevoke = defineEvent({
  name: EVENT,
  description: 'Revokes a token of an app. A refresh token takes all tokens of its consent with it.',
  kind: 'self',
  stage: () =>
    z.object({
      client_id: parameter('The app.'),
      client_secret: parameter("The app's secret; a public app has none."),
      token: parameter('The token; an unknown one is not an error.'),
      token_type_hint: parameter('Not needed: every kind of token is tried.'),
    }),
  results: () =>
    z
      .object({})
      .describe(
        'Nothing. A web hook receives `app_id`, `client_id`, `profile_id` and `kind` (`access` or `refresh`) if the token was still valid.',
      ),
  async run(stage, context, { request, response }) {
    const { database, clock } = context.services;
    if (stage.client_id === '') return rejectToken(response, BAD_CLIENT);
    if (stage.token === '') return rejectToken(response, badRequest('token is missing.', { token: EMPTY }));
    const proved = await proveClient(context, toProof(stage, request));
    if ('fault' in proved) return rejectToken(response, proved.fault);
    const { app } = proved;
    const row = await findToken(database, digest(stage.token));
    if (row && row.app_id !== app.appId) {
      const message = 'The token belongs to another app.';
      return rejectToken(response, { error: 'unauthorized_client', status: 400, message });
    }
    if (row) await database.write(() => end(context, { row, app, now: toSeconds(clock.now()) }, request));
    return {};
  },
});
