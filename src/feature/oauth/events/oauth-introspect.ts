import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { digest } from '../../../core/secret/secret.ts';
import type { Row } from '../../../database/row-statement.ts';
import { defineEvent } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import { isScopeAllowed } from '../client/allowed-scopes.ts';
import { type ClientApp, parseList } from '../client/app-row.ts';
import { parameter, proveClient, toProof } from '../client/proof.ts';
import { BAD_CLIENT, badRequest, EMPTY, rejectToken } from '../errors.ts';
import { findToken } from '../sql.ts';

function isActive(row: Row, app: ClientApp, now: number): boolean {
  if (row.app_id !== app.appId || row.auth_active !== 1) return false;
  if (row.revoked_at !== null || row.grant_revoked_at !== null || row.consumed_at !== null) return false;
  return Number(row.expires_at) > now;
}

/** @see RFC 7662 section 2.2 */
function describe({ services, plan }: Context, row: Row, app: ClientApp) {
  const issuer = services.baseUrl();
  const scopes = parseList(row.scopes).filter((slug) => isScopeAllowed(plan.model, app, slug));
  return {
    active: true,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    client_id: app.clientId,
    sub: row.profile_id === null ? app.clientId : String(row.profile_id),
    exp: Number(row.expires_at),
    iat: Number(row.created_at),
    iss: issuer,
    aud: issuer,
    ...(row.kind === 'access' ? { token_type: 'Bearer' } : {}),
  };
}

export const oauthIntrospect = defineEvent({
  name: 'oauth-introspect',
  description: "Token introspection (RFC 7662), for an app's own tokens.",
  kind: 'silent',
  stage: () =>
    z.object({
      client_id: parameter('The app; a public one may not ask.'),
      client_secret: parameter("The app's secret."),
      token: parameter('The token.'),
      token_type_hint: parameter('Not needed: every kind of token is tried.'),
    }),
  results: () =>
    z
      .object({
        active: z.boolean(),
        scope: z.string().optional(),
        client_id: z.string().optional(),
        sub: z.string().optional(),
        exp: z.number().optional(),
        iat: z.number().optional(),
        iss: z.string().optional(),
        aud: z.string().optional(),
        token_type: z.string().optional(),
      })
      .describe(
        '`active`; for an active token also `scope`, `client_id`, `sub`, `exp`, `iat`, `iss`, `aud`, `token_type`.',
      ),
  async run(stage, context, { request, response }) {
    const { database, clock } = context.services;
    const proved = await proveClient(context, toProof(stage, request));
    if ('fault' in proved) return rejectToken(response, proved.fault);
    // Anybody can name a public client, and a trial secret does not act as the app.
    if (proved.app.secretHash === undefined || proved.isTrial) return rejectToken(response, BAD_CLIENT);
    if (stage.token === '') return rejectToken(response, badRequest('token is missing.', { token: EMPTY }));
    const row = await findToken(database, digest(stage.token));
    const isOn = row !== undefined && isActive(row, proved.app, toSeconds(clock.now()));
    return isOn ? describe(context, row, proved.app) : { active: false };
  },
});
