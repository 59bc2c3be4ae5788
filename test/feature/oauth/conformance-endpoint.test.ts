import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findIssuerProblems } from '../../../src/feature/oauth/endpoint/issuer.ts';
import { Settings } from '../../../src/model/shape.ts';
import { askToken, createWorld, getTokens, isAlive, renew, SECRET, toForm, toJson, type World } from './_flow.ts';

/** Revocation, introspection, metadata and userinfo, by the ids of the list of requirements. */
const endpoint = suite<World>('conformance: revocation, introspection, metadata');
endpoint.before.each(async (at) => {
  Object.assign(at, await createWorld());
});
endpoint.after.each(({ site }) => site.close());

const revoke = (world: World, token: string, more: Readonly<Record<string, string>> = {}) =>
  askToken(world, { token, ...more }, { path: '/oauth/revoke' });
const introspect = (world: World, token: string, more: Readonly<Record<string, string>> = {}) =>
  askToken(world, { token, ...more }, { path: '/oauth/introspect' });
const INACTIVE = '{"active":false}';

endpoint('V1: any token is answered with 200 and {}', async (world) => {
  const { access_token: access } = await getTokens(world);
  for (const token of [access, access, 'tk_at_unknown', 'garbage', 'é"\\']) {
    const answer = await revoke(world, token);
    assert.is(answer.status, 200);
    assert.is(answer.text, '{}');
    assert.is(answer.headers['content-type'], 'application/json');
  }
  assert.not(await isAlive(world, access));
  assert.is((await revoke(world, '')).status, 400);
  assert.is((await world.site.send('GET', '/oauth/revoke')).status, 405);
});

endpoint('V2: the app proves itself; another’s token is refused and stays good', async (world) => {
  const { access_token: access, refresh_token: refresh } = await getTokens(world);
  assert.is((await revoke(world, access, { client_secret: 'wrong' })).status, 401);
  assert.is((await world.site.post('/oauth/revoke', toForm({ token: access }))).status, 401);
  for (const token of [access, refresh]) {
    const foreign = await revoke(world, token, { client_id: 'two' });
    assert.is(foreign.status, 400);
    assert.is(toJson(foreign).error, 'unauthorized_client');
  }
  assert.is((await revoke(world, access, { client_id: 'public', client_secret: '' })).status, 400);
  assert.ok(await isAlive(world, access));
  assert.is((await renew(world, refresh)).status, 200);
});

endpoint('V3: a wrong hint changes nothing', async (world) => {
  const { access_token: access, refresh_token: refresh } = await getTokens(world);
  await revoke(world, access, { token_type_hint: 'refresh_token' });
  assert.not(await isAlive(world, access));
  await revoke(world, refresh, { token_type_hint: 'access_token' });
  assert.is((await renew(world, refresh)).status, 400);
  assert.is((await revoke(world, 'x', { token_type_hint: 'nonsense' })).status, 200);
});

endpoint('V4: revoking a refresh token ends every token of the consent; an access token ends alone', async (world) => {
  const first = await getTokens(world);
  const second = toJson(await renew(world, first.refresh_token));
  const other = await getTokens(world);
  await revoke(world, String(second.refresh_token));
  for (const token of [first.access_token, second.access_token]) assert.not(await isAlive(world, token));
  assert.ok(await isAlive(world, other.access_token), 'another consent is not touched');
  await revoke(world, other.access_token);
  assert.is((await renew(world, other.refresh_token)).status, 200);
});

endpoint('V4: 503 with Retry-After where the store is down', async (world) => {
  const { database } = world.site.services;
  const { TreadleError } = await import('../../../src/core/errors.ts');
  const write = database.write;
  const { access_token: access } = await getTokens(world);
  Object.assign(database, {
    write: () => Promise.reject(new TreadleError('DATABASE_BUSY', 'busy', { status: 503 })),
  });
  const answer = await revoke(world, access);
  Object.assign(database, { write });
  assert.is(answer.status, 503);
  assert.is(toJson(answer).error, 'temporarily_unavailable');
  assert.ok(Number(answer.headers['retry-after']) >= 1);
  assert.is(answer.headers['content-type'], 'application/json');
});

endpoint('I1: introspection needs an app with a secret', async (world) => {
  const { access_token: access } = await getTokens(world);
  assert.is((await world.site.post('/oauth/introspect', toForm({ token: access }))).status, 401);
  assert.is((await introspect(world, access, { client_secret: 'wrong' })).status, 401);
  assert.is((await introspect(world, access, { client_id: 'public', client_secret: '' })).status, 401);
  const answer = await introspect(world, access);
  assert.is(answer.status, 200);
  assert.is(toJson(answer).active, true);
  assert.is(answer.headers['cache-control'], 'no-store');
});

endpoint('I2: anything but an own live token gives exactly {"active":false}', async (world) => {
  const { access_token: access, refresh_token: refresh } = await getTokens(world);
  const gone = await getTokens(world);
  await revoke(world, gone.access_token);
  await renew(world, refresh);
  for (const token of ['unknown', gone.access_token, refresh]) {
    const answer = await introspect(world, token);
    assert.is(answer.status, 200);
    assert.is(answer.text, INACTIVE);
  }
  assert.is((await introspect(world, access, { client_id: 'two' })).text, INACTIVE);
  await world.site.clock.advance(3600);
  assert.is((await introspect(world, access)).text, INACTIVE);
});

endpoint('I3: a live one is described; GET is 405', async (world) => {
  const { access_token: access, refresh_token: refresh } = await getTokens(world);
  const now = Date.UTC(2026, 0, 1) / 1000;
  const about = toJson(await introspect(world, access));
  assert.equal(about, {
    active: true,
    scope: 'profile_read profile_write',
    client_id: 'reader',
    sub: '2',
    exp: now + 3600,
    iat: now,
    iss: 'http://127.0.0.1:3000',
    aud: 'http://127.0.0.1:3000',
    token_type: 'Bearer',
  });
  assert.is(toJson(await introspect(world, refresh)).exp, now + 30 * 86_400);
  const own = toJson(await askToken(world, { grant_type: 'client_credentials' }));
  assert.is(toJson(await introspect(world, String(own.access_token))).sub, 'reader');
  assert.is((await world.site.send('GET', '/oauth/introspect')).status, 405);
});

const METADATA = '/.well-known/oauth-authorization-server';

endpoint('M1, M2: the metadata names the issuer, and every value with a bad default', async ({ site }) => {
  const answer = await site.get(METADATA);
  assert.is(answer.status, 200);
  assert.is(answer.headers['content-type'], 'application/json');
  const data = toJson(answer);
  assert.is(data.issuer, site.services.baseUrl());
  assert.equal(data.response_types_supported, ['code']);
  assert.equal(data.response_modes_supported, ['query']);
  assert.equal(data.grant_types_supported, ['authorization_code', 'refresh_token', 'client_credentials']);
  assert.equal(data.token_endpoint_auth_methods_supported, ['client_secret_basic', 'client_secret_post', 'none']);
  assert.equal(data.code_challenge_methods_supported, ['S256']);
  assert.is(data.authorization_response_iss_parameter_supported, true);
  assert.ok((data.scopes_supported as string[]).includes('profile_read'));
  assert.is(data.service_documentation, 'http://127.0.0.1:3000/developer/docs');
});

endpoint('M1: an issuer with a path has its metadata between host and path', async ({ site }) => {
  const { baseUrl } = site.services;
  Object.assign(site.services, { baseUrl: () => 'https://example.org/blog' });
  for (const path of [METADATA, `${METADATA}/blog`]) {
    const data = toJson(await site.get(path));
    assert.is(data.issuer, 'https://example.org/blog');
    assert.is(data.token_endpoint, 'https://example.org/blog/oauth/token');
  }
  assert.is((await site.get(`${METADATA}/other`)).status, 404);
  Object.assign(site.services, { baseUrl });
  assert.is((await site.get(`${METADATA}/blog`)).status, 404);
});

endpoint('M3: no empty list, no endpoint that is not there, https unless loopback', async ({ site }) => {
  const data = toJson(await site.get(METADATA));
  for (const value of Object.values(data)) assert.ok(!Array.isArray(value) || value.length > 0);
  const paths = site.context.plan.routes.map(({ path }) => path);
  for (const [name, value] of Object.entries(data)) {
    if (name.endsWith('_endpoint')) assert.ok(paths.includes(new URL(String(value)).pathname), name);
  }
  const bare = await createWorld({ model: { scopes: new Map(), apps: new Map() } });
  assert.not.ok('scopes_supported' in toJson(await bare.site.get(METADATA)));
  await bare.site.close();
  const judge = (baseUrl: string | null, isDevelopment = false) =>
    findIssuerProblems(Settings.parse({ server: { baseUrl } }), isDevelopment).map(
      ({ severity = 'error' }) => severity,
    );
  assert.equal(judge('http://example.org'), ['error']);
  assert.equal(judge('http://10.0.0.1:3000', true), ['advice']);
  for (const fine of [null, 'https://example.org', 'http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:1']) {
    assert.equal(judge(fine), []);
  }
});

endpoint('M4: userinfo tells who the user is, and no more than was granted', async (world) => {
  const { site } = world;
  const ask = (authorization?: string, method = 'GET') =>
    site.send(method, '/oauth/userinfo', authorization === undefined ? {} : { headers: { authorization } });
  const { access_token: access } = await getTokens(world);
  for (const method of ['GET', 'POST']) {
    assert.equal(toJson(await ask(`bearer ${access}`, method)), { sub: '2', name: 'Una' });
  }
  const none = await ask();
  assert.is(none.status, 401);
  assert.not.match(String(none.headers['www-authenticate']), 'error=');
  const bad = await ask('Bearer nonsense');
  assert.is(bad.status, 401);
  assert.match(String(bad.headers['www-authenticate']), 'error="invalid_token"');
  const own = toJson(await askToken(world, { grant_type: 'client_credentials' }));
  assert.is((await ask(`Bearer ${own.access_token}`)).status, 403);
  assert.is((await site.send('PUT', '/oauth/userinfo')).status, 405);
  assert.is((await site.get('/.well-known/openid-configuration')).status, 200, 'unheard: no listener set anything');
  assert.is((await site.get('/.well-known/openid-configuration')).text, '');
});

endpoint('M4: a granted scope "email" opens the address', async (world) => {
  const { kysely } = world.site.services.database;
  await kysely.updateTable('treadle_app').set({ scopes: '["email"]' }).where('client_id', '=', 'reader').execute();
  const { una, site } = world;
  const { PKCE, VERIFIER } = await import('./_flow.ts');
  const answer = await site.post(
    `/oauth/authorize?response_type=code&client_id=reader&${PKCE}`,
    'action=allow&permissions[]=email',
    {
      session: una(),
    },
  );
  const code = new URL(answer.location).searchParams.get('code') ?? '';
  const tokens = toJson(
    await askToken(world, { grant_type: 'authorization_code', code, code_verifier: VERIFIER, client_secret: SECRET }),
  );
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  assert.equal(toJson(await site.send('GET', '/oauth/userinfo', { headers })), {
    sub: '2',
    name: 'Una',
    email: 'una@example.org',
    email_verified: false,
  });
});

endpoint('R8: the metadata of the protected resource names who gives tokens', async ({ site }) => {
  const data = toJson(await site.get('/.well-known/oauth-protected-resource'));
  assert.is(data.resource, site.services.baseUrl());
  assert.equal(data.authorization_servers, [site.services.baseUrl()]);
  assert.equal(data.bearer_methods_supported, ['header', 'body', 'query']);
});

endpoint.run();
