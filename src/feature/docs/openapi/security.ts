import type { Json } from '../../../model/json/value-schema.ts';
import type { Model } from '../../../model/model.ts';
import { listCallScopes } from '../../../plan/call/scope.ts';
import type { CallPlan } from '../../../plan/feature.ts';

function listScopes(model: Model, access: 'app' | 'user'): Record<string, string> {
  const scopes = [...model.scopes.values()].filter(({ definition }) => definition.access === access);
  return Object.fromEntries(scopes.map(({ slug, definition }) => [slug, definition.name]));
}

/** Both flows of the standard endpoints. @see RFC 6749 */
function buildFlows(model: Model, baseUrl: string): Json {
  const doors = { tokenUrl: `${baseUrl}/oauth/token`, refreshUrl: `${baseUrl}/oauth/token` };
  return {
    authorizationCode: {
      authorizationUrl: `${baseUrl}/oauth/authorize`,
      ...doors,
      scopes: listScopes(model, 'user'),
    },
    clientCredentials: { tokenUrl: doors.tokenUrl, scopes: listScopes(model, 'app') },
  };
}

const apiKey = (place: 'query' | 'header', name: string, description: string): Json => ({
  type: 'apiKey',
  in: place,
  name,
  description,
});

/** The credentials that the API accepts. Stricter values of `oauth.mode` allow fewer in the query. */
export function buildSecuritySchemes(model: Model, baseUrl: string): Record<string, Json> {
  const { mode } = model.settings.oauth;
  const classic = `The classic door: the dialog at ${baseUrl}/dialog/request?client_id=…, then POST ${baseUrl}/rest/access.`;
  return {
    oauth2: {
      type: 'oauth2',
      description: 'OAuth 2.0 with PKCE (S256): for a user by code, for the app itself by client credentials.',
      flows: buildFlows(model, baseUrl),
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'An access token of either door' },
    appBasic: { type: 'http', scheme: 'basic', description: 'Client id and client secret of an app' },
    clientId: apiKey('query', 'client_id', 'An app, to read'),
    ...(mode === 'strict'
      ? {}
      : { accessToken: apiKey('query', 'access_token', `An access token, to read. ${classic}`) }),
    ...(mode === 'classic'
      ? {
          clientSecret: apiKey('query', 'client_secret', 'With client_id: to write as an app'),
          accessSecret: apiKey('query', 'access_secret', 'With access_token: to write, too'),
        }
      : {}),
  };
}

function listAppNeeds(call: CallPlan, model: Model, isRead: boolean): Json[] {
  const { mode } = model.settings.oauth;
  const appScopes = listCallScopes(call, model);
  return [
    ...(isRead ? [{ clientId: [] }] : []),
    { appBasic: [] },
    ...(mode === 'classic' && !isRead ? [{ clientId: [], clientSecret: [] }] : []),
    ...(appScopes.length === 0 ? [{ oauth2: [] }] : appScopes.map((slug) => ({ oauth2: [slug] }))),
    { bearer: [] },
  ];
}

function listUserNeeds(call: CallPlan, model: Model, isRead: boolean): Json[] {
  const { mode } = model.settings.oauth;
  const listing = listCallScopes(call, model);
  return [
    ...listing.map((slug) => ({ oauth2: [slug] })),
    { bearer: [] },
    ...(mode !== 'strict' && isRead ? [{ accessToken: [] }] : []),
    ...(mode === 'classic' && !isRead ? [{ accessToken: [], accessSecret: [] }] : []),
  ];
}

/** The credentials that one call accepts: any one of the list; an empty list needs none. */
export function listSecurity(call: CallPlan, model: Model, isRead: boolean): Json[] {
  const { access } = call.definition;
  if (access === 'public') return [];
  return access === 'app' ? listAppNeeds(call, model, isRead) : listUserNeeds(call, model, isRead);
}
