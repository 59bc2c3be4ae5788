import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { markOrigin } from '../client/origins.ts';
import { findUser } from '../sql.ts';

const PATH = '/oauth/userinfo';
const BEARER = /^bearer +(\S+) *$/i;
/** A scope of this name grants the e-mail address. */
const EMAIL_SCOPE = 'email';

function refuseToken({ services }: Context, response: Response, error: string | undefined): void {
  const name = error === undefined ? '' : `, error="${error}"`;
  const metadata = `${services.baseUrl()}/.well-known/oauth-protected-resource`;
  response
    .addHeader('www-authenticate', `Bearer realm="Treadle"${name}, resource_metadata="${metadata}"`)
    .setStatus(error === 'insufficient_scope' ? 403 : 401)
    .setError(true, 'Send an access token that a user granted: "Authorization: Bearer <token>".');
}

/** Claims with the names of OpenID Connect: never more than the dialog said. */
function toClaims(user: Row, scopes: readonly string[]): Row {
  const claims: Row = { sub: String(user.profile_id), name: String(user.profile_name ?? '') };
  if (!scopes.includes(EMAIL_SCOPE)) return claims;
  return { ...claims, email: user.auth_slug, email_verified: user.auth_verified === 1 };
}

async function answer(context: Context, request: Request, response: Response): Promise<void> {
  await markOrigin(context, request, response);
  response.addHeader('cache-control', 'no-store').addHeader('pragma', 'no-cache');
  const token = BEARER.exec(request.getHeader('authorization') ?? '')?.[1];
  if (token === undefined) return refuseToken(context, response, undefined);
  const found = new Response();
  await context.emit('rest-source-session-detail', new Request().setStage({ access_token: token }), found);
  if (found.isError() || !found.hasResults()) return refuseToken(context, response, 'invalid_token');
  const { profile_id: profileId, scopes } = found.getResults() as Row;
  const user = profileId === null ? undefined : await findUser(context.services.database, Number(profileId));
  if (!user) return refuseToken(context, response, 'insufficient_scope');
  const granted = Array.isArray(scopes) ? scopes.map(String) : [];
  response.addHeader('content-type', 'application/json').setContent(JSON.stringify(toClaims(user, granted)));
}

/** Answers preflights; the dispatcher answers other methods. */
async function allow(context: Context, request: Request, response: Response): Promise<void> {
  await markOrigin(context, request, response);
  response.addHeader('allow', 'GET, OPTIONS, POST').setStatus(204).setAnswered();
}

export const userinfoRoutes: readonly RouteContribution[] = [
  ...(['GET', 'POST'] as const).map(
    (method): RouteContribution => ({
      method,
      path: PATH,
      description: 'The user that a token belongs to.',
      kind: 'api',
      listen: (context) => (request, response) => answer(context, request, response),
    }),
  ),
  {
    method: 'ALL',
    path: PATH,
    description: 'Answers preflights.',
    kind: 'api',
    listen: (context) => (request, response) => {
      if (request.getMethod() === 'OPTIONS') return allow(context, request, response);
      if (response.hasJson() || response.isAnswered()) return undefined;
      response.addHeader('allow', 'GET, OPTIONS, POST').setStatus(405).setError(true, 'Get this address.');
      return undefined;
    },
  },
];
