import { createRequire } from 'node:module';
import { Auth } from '@auth/core';
import { OAuth2Client } from '@badgateway/oauth2-client';
import { OAuth2Client as ArcticClient, CodeChallengeMethod, generateCodeVerifier, generateState } from 'arctic';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AUTHJS_CALLBACK, allow, CALLBACK, callWith, type OAuthSite, postForm, signUp, startOAuth } from './_oauth.ts';

/** Published client libraries, each through the whole flow: authorize, token, call, refresh, revoke. */
const clients = suite<OAuthSite>('outside OAuth clients');
clients.before(async (at) => {
  Object.assign(at, await startOAuth());
});
clients.after((at) => at.close?.());

const require = createRequire(import.meta.url);
const SCOPE = 'profile_read';

const insecure = { [oauth.allowInsecureRequests]: true };

async function discover({ site }: OAuthSite): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(site.url);
  return oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  );
}

interface Tried {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly proof: oauth.ClientAuth;
}

/** Authorize, token, call, refresh. */
async function obtain(
  at: OAuthSite,
  { server, client, proof }: Tried,
  callback: string,
): Promise<oauth.TokenEndpointResponse> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(String(server.authorization_endpoint));
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: SCOPE,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const back = await allow(at.site, await signUp(at.site), url);
  assert.is(back.origin + back.pathname, callback);
  const parameters = oauth.validateAuthResponse(server, client, back, state);
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    proof,
    parameters,
    callback,
    verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer);
  const address = new URL('/rest/user/profile/detail', at.site.url);
  const call = await oauth.protectedResourceRequest(
    tokens.access_token,
    'GET',
    address,
    undefined,
    undefined,
    insecure,
  );
  assert.is(call.status, 200);
  const renewal = await oauth.refreshTokenGrantRequest(server, client, proof, String(tokens.refresh_token), insecure);
  const renewed = await oauth.processRefreshTokenResponse(server, client, renewal);
  assert.is(await callWith(at.site, renewed.access_token), 200);
  return renewed;
}

async function revoke({ server, client, proof }: Tried, token: string): Promise<void> {
  await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, proof, token, insecure));
}

clients('oauth4webapi', async (at) => {
  const { site, strict } = at;
  const tried = {
    server: await discover(at),
    client: { client_id: strict.id },
    proof: oauth.ClientSecretBasic(strict.secret),
  };
  const { server, client, proof } = tried;
  const tokens = await obtain(at, tried, CALLBACK);
  const asked = await oauth.introspectionRequest(server, client, proof, tokens.access_token, insecure);
  assert.is((await oauth.processIntrospectionResponse(server, client, asked)).active, true);
  const who = await oauth.userInfoRequest(server, client, tokens.access_token, insecure);
  assert.match(
    String((await oauth.processUserInfoResponse(server, client, oauth.skipSubjectCheck, who)).name),
    'Person',
  );
  await revoke(tried, String(tokens.refresh_token));
  assert.is(await callWith(site, tokens.access_token), 401);
});

clients('oauth4webapi: an app’s own token, by header and by body, and an error that no challenge hides', async (at) => {
  const { strict } = at;
  const server = await discover(at);
  const client = { client_id: strict.id };
  const ask = async (proof: oauth.ClientAuth) =>
    oauth.processClientCredentialsResponse(
      server,
      client,
      await oauth.clientCredentialsGrantRequest(server, client, proof, {}, insecure),
    );
  for (const make of [oauth.ClientSecretBasic, oauth.ClientSecretPost])
    assert.ok((await ask(make(strict.secret))).access_token);
  const error = await ask(oauth.ClientSecretPost('wrong')).catch((reason: unknown) => reason);
  assert.is((error as oauth.ResponseBodyError).error, 'invalid_client');
});

clients('oauth4webapi, as a public app on its own port', async (at) => {
  const tried = { server: await discover(at), client: { client_id: at.open.id }, proof: oauth.None() };
  const tokens = await obtain(at, tried, 'http://127.0.0.1:61000/cb');
  await revoke(tried, tokens.access_token);
  assert.is(await callWith(at.site, tokens.access_token), 401);
});

clients('openid-client', async ({ site, strict }) => {
  const config = await openid.discovery(new URL(site.url), strict.id, strict.secret, undefined, {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  });
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const expectedState = openid.randomState();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: SCOPE,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  });
  const back = await allow(site, await signUp(site), url);
  const tokens = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState });
  assert.is(tokens.expires_in, 3600);
  const call = await openid.fetchProtectedResource(
    config,
    tokens.access_token,
    new URL('/rest/user/profile/detail', site.url),
    'GET',
  );
  assert.is(call.status, 200);
  const renewed = await openid.refreshTokenGrant(config, String(tokens.refresh_token));
  assert.is((await openid.tokenIntrospection(config, renewed.access_token)).active, true);
  const who = await openid.fetchUserInfo(config, renewed.access_token, openid.skipSubjectCheck);
  assert.match(String(who.name), 'Person');
  await openid.tokenRevocation(config, String(renewed.refresh_token));
  assert.is(await callWith(site, renewed.access_token), 401);
});

interface SimpleToken {
  readonly token: Readonly<Record<string, unknown>>;
  refresh(): Promise<SimpleToken>;
  revokeAll(): Promise<void>;
}
interface SimpleClient {
  authorizeURL(parameters: object): string;
  getToken(parameters: object): Promise<SimpleToken>;
}

clients('simple-oauth2', async ({ site, lenient }) => {
  const { AuthorizationCode, ClientCredentials } = require('simple-oauth2') as {
    AuthorizationCode: new (options: object) => SimpleClient;
    ClientCredentials: new (options: object) => SimpleClient;
  };
  const options = { client: lenient, auth: { tokenHost: site.url } };
  const client = new AuthorizationCode(options);
  const back = await allow(
    site,
    await signUp(site),
    client.authorizeURL({ redirect_uri: CALLBACK, scope: SCOPE, state: 's' }),
  );
  const tokens = await client.getToken({ code: back.searchParams.get('code'), redirect_uri: CALLBACK });
  assert.is(await callWith(site, String(tokens.token.access_token)), 200);
  const renewed = await tokens.refresh();
  assert.is(await callWith(site, String(renewed.token.access_token)), 200);
  await renewed.revokeAll();
  assert.is(await callWith(site, String(renewed.token.access_token)), 401);
  const own = await new ClientCredentials(options).getToken({});
  assert.match(String(own.token.access_token), 'tk_at_');
});

interface Passport {
  _oauth2: {
    useAuthorizationHeaderforGET(isOn: boolean): void;
    get(url: string, token: string, done: (error: unknown, body: string) => void): void;
    getOAuthAccessToken(
      code: string,
      parameters: object,
      done: (error: unknown, access: string, refresh: string) => void,
    ): void;
  };
  authenticate(request: object, options: object): void;
  redirect(url: string): void;
  success(user: { access: string; refresh: string }): void;
  error(error: unknown): void;
  fail(challenge: unknown): void;
}

/** Runs the strategy as passport does: it ends with a redirect, a user or an error. */
function authenticate(
  strategy: Passport,
  request: object,
): Promise<{ url?: string; access?: string; refresh?: string }> {
  return new Promise((resolve, reject) => {
    const run = Object.assign(Object.create(strategy) as Passport, {
      redirect: (url: string) => resolve({ url }),
      success: resolve,
      error: reject,
      fail: reject,
    });
    run.authenticate(request, { scope: [SCOPE] });
  });
}

for (const withPkce of [true, false]) {
  clients(`passport-oauth2 ${withPkce ? 'with' : 'without'} PKCE`, async ({ site, strict, lenient }) => {
    const Strategy = require('passport-oauth2') as new (options: object, verify: unknown) => Passport;
    const app = withPkce ? strict : lenient;
    const strategy = new Strategy(
      {
        authorizationURL: `${site.url}/oauth/authorize`,
        tokenURL: `${site.url}/oauth/token`,
        clientID: app.id,
        clientSecret: app.secret,
        callbackURL: CALLBACK,
        ...(withPkce ? { pkce: true, state: true } : {}),
      },
      (access: string, refresh: string, _profile: unknown, done: (error: unknown, user: object) => void) =>
        done(null, { access, refresh }),
    );
    const session = {};
    const { url } = await authenticate(strategy, { query: {}, session });
    const back = await allow(site, await signUp(site), String(url));
    const query = Object.fromEntries(back.searchParams);
    const user = await authenticate(strategy, { query, session });
    const { _oauth2: agent } = strategy;
    // By default it sends the token in the query, as with the classic endpoints.
    const body = await new Promise<string>((resolve, reject) => {
      agent.get(`${site.url}/rest/user/profile/detail`, String(user.access), (error, text) =>
        error ? reject(error as Error) : resolve(text),
      );
    });
    assert.is(JSON.parse(body).error, false);
    const renewed = await new Promise<string>((resolve, reject) => {
      agent.getOAuthAccessToken(String(user.refresh), { grant_type: 'refresh_token' }, (error, access) =>
        error ? reject(error as Error) : resolve(access),
      );
    });
    assert.is(await callWith(site, renewed), 200);
    const revoked = await postForm(`${site.url}/oauth/revoke`, {
      token: renewed,
      client_id: app.id,
      client_secret: app.secret,
    });
    assert.is(revoked.status, 200);
    assert.is(await callWith(site, renewed), 401);
  });
}

clients('passport-oauth2 hears of a denial', async ({ site, lenient }) => {
  const Strategy = require('passport-oauth2') as new (options: object, verify: unknown) => Passport;
  const options = {
    authorizationURL: `${site.url}/oauth/authorize`,
    tokenURL: `${site.url}/oauth/token`,
    clientID: lenient.id,
    clientSecret: lenient.secret,
    callbackURL: CALLBACK,
  };
  const strategy = new Strategy(options, () => {});
  const { url } = await authenticate(strategy, { query: {}, session: {} });
  const back = await allow(site, await signUp(site), String(url), 'deny');
  const failed = await authenticate(strategy, { query: Object.fromEntries(back.searchParams) }).catch(
    (fault: unknown) => fault,
  );
  assert.ok(failed);
  assert.not.ok((failed as { access?: string }).access);
});

clients('arctic', async ({ site, strict }) => {
  const client = new ArcticClient(strict.id, strict.secret, CALLBACK);
  const verifier = generateCodeVerifier();
  const state = generateState();
  const url = client.createAuthorizationURLWithPKCE(
    `${site.url}/oauth/authorize`,
    state,
    CodeChallengeMethod.S256,
    verifier,
    [SCOPE],
  );
  const back = await allow(site, await signUp(site), url);
  assert.is(back.searchParams.get('state'), state);
  const code = String(back.searchParams.get('code'));
  const tokens = await client.validateAuthorizationCode(`${site.url}/oauth/token`, code, verifier);
  assert.is(await callWith(site, tokens.accessToken()), 200);
  assert.ok(tokens.accessTokenExpiresInSeconds() > 3000);
  assert.equal(tokens.scopes(), [SCOPE]);
  const renewed = await client.refreshAccessToken(`${site.url}/oauth/token`, tokens.refreshToken(), [SCOPE]);
  assert.is(await callWith(site, renewed.accessToken()), 200);
  await client.revokeToken(`${site.url}/oauth/revoke`, renewed.refreshToken());
  assert.is(await callWith(site, renewed.accessToken()), 401);
  const again = await client
    .validateAuthorizationCode(`${site.url}/oauth/token`, code, verifier)
    .catch((error: unknown) => error);
  assert.is((again as { code?: string }).code, 'invalid_grant');
});

clients('@auth/core', async ({ site, strict }) => {
  const kept: { account?: Record<string, unknown> } = {};
  const config = {
    basePath: '/auth',
    secret: 'x'.repeat(32),
    trustHost: true,
    providers: [
      {
        id: 'treadle',
        name: 'Treadle',
        type: 'oauth' as const,
        issuer: site.url,
        clientId: strict.id,
        clientSecret: strict.secret,
        authorization: { url: `${site.url}/oauth/authorize`, params: { scope: SCOPE } },
        token: `${site.url}/oauth/token`,
        userinfo: `${site.url}/oauth/userinfo`,
        checks: ['pkce', 'state'] as ('pkce' | 'state')[],
        profile: (claims: { sub: string; name: string }) => ({ id: claims.sub, name: claims.name, email: null }),
      },
    ],
    callbacks: {
      jwt({ token, account }: { token: object; account?: unknown }) {
        if (account) kept.account = account as Record<string, unknown>;
        return token;
      },
    },
  };
  const origin = new URL(AUTHJS_CALLBACK).origin;
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const answer = (await Auth(new Request(`${origin}${path}`, { ...init, headers }), config as never)) as Response;
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const { csrfToken } = (await (await send('/auth/csrf')).json()) as { csrfToken: string };
  const start = await send('/auth/signin/treadle', { method: 'POST', body: new URLSearchParams({ csrfToken }) });
  const back = await allow(site, await signUp(site), String(start.headers.get('location')));
  const end = await send(back.pathname + back.search);
  assert.is(end.status, 302);
  assert.not.match(String(end.headers.get('location')), 'error');
  const session = (await (await send('/auth/session')).json()) as { user: { name: string } };
  assert.match(session.user.name, 'Person');
  const { access_token: access, refresh_token: refresh } = kept.account ?? {};
  assert.is(await callWith(site, String(access)), 200);
  // Refresh and revocation are the site's own code with this library, as its guide shows.
  const proof = { client_id: strict.id, client_secret: strict.secret };
  const renewal = await postForm(`${site.url}/oauth/token`, {
    ...proof,
    grant_type: 'refresh_token',
    refresh_token: String(refresh),
  });
  const renewed = (await renewal.json()) as { access_token: string; refresh_token: string };
  assert.is(await callWith(site, renewed.access_token), 200);
  assert.is((await postForm(`${site.url}/oauth/revoke`, { ...proof, token: renewed.refresh_token })).status, 200);
  assert.is(await callWith(site, renewed.access_token), 401);
});

clients('@badgateway/oauth2-client', async ({ site, strict }) => {
  const client = new OAuth2Client({ server: site.url, clientId: strict.id, clientSecret: strict.secret });
  const codeVerifier = 'v'.repeat(50);
  const state = 'some state';
  const url = await client.authorizationCode.getAuthorizeUri({
    redirectUri: CALLBACK,
    state,
    codeVerifier,
    scope: [SCOPE],
  });
  assert.match(url, '/oauth/authorize', 'found by its metadata');
  const back = await allow(site, await signUp(site), url);
  const tokens = await client.authorizationCode.getTokenFromCodeRedirect(back, {
    redirectUri: CALLBACK,
    state,
    codeVerifier,
  });
  assert.is(await callWith(site, tokens.accessToken), 200);
  const renewed = await client.refreshToken(tokens);
  assert.is(await callWith(site, renewed.accessToken), 200);
  assert.is((await client.introspect(renewed)).active, true);
  await client.revoke(renewed);
  assert.is(await callWith(site, renewed.accessToken), 401);
  assert.match((await client.clientCredentials()).accessToken, 'tk_at_');
});

interface OldToken {
  readonly accessToken: string;
  refresh(): Promise<OldToken>;
  sign(request: object): { headers: Record<string, string> };
}

clients('client-oauth2', async ({ site, lenient }) => {
  const ClientOAuth2 = require('client-oauth2') as new (
    options: object,
  ) => {
    code: { getUri(): string; getToken(uri: string): Promise<OldToken> };
    credentials: { getToken(): Promise<OldToken> };
  };
  const client = new ClientOAuth2({
    clientId: lenient.id,
    clientSecret: lenient.secret,
    accessTokenUri: `${site.url}/oauth/token`,
    authorizationUri: `${site.url}/oauth/authorize`,
    redirectUri: CALLBACK,
    scopes: [SCOPE],
  });
  const back = await allow(site, await signUp(site), client.code.getUri());
  const tokens = await client.code.getToken(String(back));
  const { headers } = tokens.sign({ method: 'get', url: site.url });
  assert.is((await fetch(`${site.url}/rest/user/profile/detail`, { headers })).status, 200);
  const renewed = await tokens.refresh();
  assert.is(await callWith(site, renewed.accessToken), 200);
  const fields = { token: renewed.accessToken, client_id: lenient.id, client_secret: lenient.secret };
  assert.is((await postForm(`${site.url}/oauth/revoke`, fields)).status, 200);
  assert.is(await callWith(site, renewed.accessToken), 401);
});

interface Granted {
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly raw?: { readonly results?: { readonly access_token: string } };
  readonly error?: unknown;
}

/** Grant's two steps, without a web framework: it returns the authorization URL, then the result. */
async function useGrant(config: object, name: string, decide: (url: string) => Promise<URL>): Promise<Granted> {
  const Grant = require('grant/lib/grant') as (args: object) => (input: object) => Promise<{
    location?: string;
    session: { response?: Granted };
    state: { response?: Granted };
  }>;
  const grant = Grant({ config: { defaults: { transport: 'state' }, [name]: config } });
  const start = await grant({ method: 'GET', params: { provider: name }, query: {}, body: {}, state: {}, session: {} });
  const back = await decide(String(start.location));
  const query = Object.fromEntries(back.searchParams);
  const end = await grant({
    method: 'GET',
    params: { provider: name, override: 'callback' },
    query,
    body: {},
    state: {},
    session: start.session,
  });
  return end.state.response ?? end.session.response ?? {};
}

clients('grant', async ({ site, strict }) => {
  const browser = await signUp(site);
  const config = {
    authorize_url: `${site.url}/oauth/authorize`,
    access_url: `${site.url}/oauth/token`,
    oauth: 2,
    key: strict.id,
    secret: strict.secret,
    redirect_uri: CALLBACK,
    scope: [SCOPE],
    scope_delimiter: ' ',
    pkce: true,
    state: true,
  };
  for (const method of ['client_secret_post', 'client_secret_basic']) {
    const tokens = await useGrant({ ...config, token_endpoint_auth_method: method }, 'treadle', (url) =>
      allow(site, browser, url),
    );
    assert.is(await callWith(site, String(tokens.access_token)), 200, method);
    const proof = { client_id: strict.id, client_secret: strict.secret };
    const fields = { ...proof, grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) };
    const renewed = (await (await postForm(`${site.url}/oauth/token`, fields)).json()) as { access_token: string };
    assert.is(await callWith(site, renewed.access_token), 200);
    assert.is((await postForm(`${site.url}/oauth/revoke`, { ...proof, token: renewed.access_token })).status, 200);
    assert.is(await callWith(site, renewed.access_token), 401);
  }
});

clients('grant in the form of the classic door, credentials and code in the query', async ({ site, lenient }) => {
  const browser = await signUp(site);
  const config = {
    authorize_url: `${site.url}/oauth/authorize`,
    access_url: `${site.url}/rest/access`,
    oauth: 2,
    key: lenient.id,
    secret: lenient.secret,
    redirect_uri: CALLBACK,
    // For answers of this type it reads tokens only from XML; the raw answer is the classic JSON.
    response: 'raw',
  };
  const { raw } = await useGrant(config, 'concur', (url) => allow(site, browser, url));
  const token = String(raw?.results?.access_token);
  assert.is((await fetch(`${site.url}/rest/user/profile/detail?access_token=${token}`)).status, 200);
});

clients.run();
