import { toSeconds } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { digest } from '../../../core/secret/secret.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { isScopeAllowed } from '../client/allowed-scopes.ts';
import { type ClientApp, parseList } from '../client/app-row.ts';
import { proveClient, readProof, readText } from '../client/proof.ts';
import { BAD_CLIENT, badRequest, EMPTY, refuseToken } from '../errors.ts';
import { findToken } from '../sql.ts';

function isActive(row: Row, app: ClientApp, now: number): boolean {
  if (row.app_id !== app.appId || row.auth_active !== 1) return false;
  if (row.revoked_at !== null || row.grant_revoked_at !== null || row.consumed_at !== null) return false;
  return Number(row.expires_at) > now;
}

/** @see RFC 7662 section 2.2 */
function describe({ services, plan }: Context, row: Row, app: ClientApp): Row {
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

async function introspect(context: Context, request: Request, response: Response): Promise<void> {
  const { database, clock } = context.services;
  const proved = await proveClient(context, readProof(request));
  if ('fault' in proved) return refuseToken(response, proved.fault);
  // Anybody can name a public client, and a trial secret does not act as the app.
  if (proved.app.secretHash === undefined || proved.isTrial) return refuseToken(response, BAD_CLIENT);
  const token = readText(request, 'token');
  if (token === '') return refuseToken(response, badRequest('token is missing.', { token: EMPTY }));
  const row = await findToken(database, digest(token));
  const isOn = row !== undefined && isActive(row, proved.app, toSeconds(clock.now()));
  response.succeed(isOn ? describe(context, row, proved.app) : { active: false });
}

export const oauthIntrospect: EventContribution = {
  name: 'oauth-introspect',
  description: "Token introspection (RFC 7662), for an app's own tokens.",
  stage: {
    client_id: 'The app; a public one may not ask.',
    client_secret: "The app's secret.",
    token: 'The token.',
    token_type_hint: 'Not needed: every kind of token is tried.',
  },
  results: '`active`; for an active token also `scope`, `client_id`, `sub`, `exp`, `iat`, `iss`, `aud`, `token_type`.',
  kind: 'silent',
  listen: (context) => (request, response) => introspect(context, request, response),
};
