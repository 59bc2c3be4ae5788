import type { Row } from '../../../database/row-statement.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { markOpenOrigin } from '../client/origins.ts';

const AUTHORIZATION_SERVER = '/.well-known/oauth-authorization-server';
const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource';

/** The standard requires empty members to be left out. */
function dropEmpty(members: Row): Row {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );
}

const findDocsUrl = ({ plan, services }: Context): string | undefined =>
  plan.model.settings.api ? `${services.baseUrl()}/developer/docs` : undefined;

/** @see RFC 8414 section 2 */
function describeServer(context: Context): Row {
  const base = context.services.baseUrl();
  const secret = ['client_secret_basic', 'client_secret_post'];
  return dropEmpty({
    issuer: base,
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    userinfo_endpoint: `${base}/oauth/userinfo`,
    revocation_endpoint: `${base}/oauth/revoke`,
    introspection_endpoint: `${base}/oauth/introspect`,
    scopes_supported: [...context.plan.model.scopes.keys()],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    token_endpoint_auth_methods_supported: [...secret, 'none'],
    revocation_endpoint_auth_methods_supported: [...secret, 'none'],
    introspection_endpoint_auth_methods_supported: secret,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: findDocsUrl(context),
  });
}

/** @see RFC 9728 section 2 */
function describeResource(context: Context): Row {
  const base = context.services.baseUrl();
  const { settings, scopes } = context.plan.model;
  return dropEmpty({
    resource: base,
    authorization_servers: [base],
    scopes_supported: [...scopes.values()]
      .filter(({ definition }) => definition.access === 'user')
      .map(({ slug }) => slug),
    bearer_methods_supported: ['header', 'body', ...(settings.oauth.mode === 'strict' ? [] : ['query'])],
    resource_name: settings.name,
    resource_documentation: findDocsUrl(context),
  });
}

/** The path of the issuer, which follows the well-known name; empty if it has none. */
function findIssuerPath({ services }: Context): string {
  const { pathname } = new URL(services.baseUrl());
  return pathname === '/' ? '' : pathname;
}

async function answer(
  context: Context,
  { request, response }: Exchange,
  { path, describe }: { readonly path: string; readonly describe: (context: Context) => Row },
): Promise<void> {
  const requested = request.getPath('string').slice(path.length);
  if (requested !== '' && requested !== findIssuerPath(context)) {
    response.setStatus(404).setError(true, 'There is no such issuer here.');
    return;
  }
  await markOpenOrigin(context, request, response);
  response
    .addHeader('content-type', 'application/json')
    .addHeader('cache-control', 'public, max-age=300')
    .setContent(JSON.stringify(describe(context), null, 2));
}

function createMetadataRoutes(
  path: string,
  description: string,
  describe: (context: Context) => Row,
): RouteContribution[] {
  return [path, `${path}/**`].map(
    (pattern): RouteContribution => ({
      method: 'GET',
      path: pattern,
      description,
      kind: 'open',
      listen: (context) => (request, response) => answer(context, { request, response }, { path, describe }),
    }),
  );
}

export const metadataRoutes: readonly RouteContribution[] = [
  ...createMetadataRoutes(AUTHORIZATION_SERVER, 'What the authorization server can do (RFC 8414).', describeServer),
  ...createMetadataRoutes(PROTECTED_RESOURCE, 'Who gives tokens for this API (RFC 9728).', describeResource),
];
