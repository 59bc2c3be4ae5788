import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Log } from '../../src/core/log/log.ts';
import { allow, CALLBACK, callWith, logIn, type OAuthSite, postForm, signUp, signUpAs, startOAuth } from './_oauth.ts';

/** Requirements that need the real server: sessions, headers, bodies, logs. */
const served = suite<OAuthSite & { logged: string[] }>('conformance: as served');

function createLog(logged: string[]): Log {
  const write = (message: string, data?: unknown): void => {
    logged.push(
      `${message} ${JSON.stringify(data ?? {}, (_key, value) => (value instanceof Error ? value.stack : value))}`,
    );
  };
  return { debug: write, info: write, warn: write, error: write } as Log;
}

served.before(async (at) => {
  at.logged = [];
  Object.assign(at, await startOAuth({ log: createLog(at.logged) }));
});
served.after((at) => at.close?.());

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
/** Every secret issued in this file: none may appear anywhere. */
const issued = new Set<string>();

const toAuthorize = (id: string, more: Readonly<Record<string, string>> = {}): string =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: CALLBACK,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  })}`;

async function getTokens({ site, strict }: OAuthSite): Promise<Record<string, string>> {
  const back = await allow(site, await signUp(site), toAuthorize(strict.id));
  const code = String(back.searchParams.get('code'));
  const fields = { grant_type: 'authorization_code', code, code_verifier: VERIFIER };
  const proof = { client_id: strict.id, client_secret: strict.secret };
  const tokens = (await (await postForm(`${site.url}/oauth/token`, { ...fields, ...proof })).json()) as Record<
    string,
    string
  >;
  for (const secret of [code, tokens.access_token, tokens.refresh_token, strict.secret]) issued.add(String(secret));
  return tokens;
}

const get = ({ site }: OAuthSite, path: string, headers: Record<string, string> = {}) =>
  fetch(site.url + path, { headers, redirect: 'manual' });
const PROFILE = '/rest/user/profile/detail';
const APP_CALL = '/rest/public/profile/detail/1';

served('A20: no CORS on the authorization endpoint, for any Origin', async (at) => {
  const browser = await signUp(at.site);
  for (const origin of ['http://127.0.0.1:4999', 'https://evil.example', 'null']) {
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const headers = { origin, cookie: browser.cookie(), 'access-control-request-method': 'POST' };
      const answer = await fetch(at.site.url + toAuthorize(at.open.id), { method, headers, redirect: 'manual' });
      const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
      assert.equal(names, [], `${method} ${origin}`);
    }
  }
});

served('A21: a forged post gives no code', async ({ site, strict }) => {
  const browser = await signUp(site);
  const path = toAuthorize(strict.id);
  const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(path)).text)?.[1] ?? '';
  const other = await signUpAs(site, 'Other');
  const tries: [name: string, cookie: string, headers: Record<string, string>, csrf: string][] = [
    ['another site', browser.cookie(), { 'sec-fetch-site': 'cross-site' }, csrf],
    ['a sibling', browser.cookie(), { 'sec-fetch-site': 'same-site' }, csrf],
    ['another origin', browser.cookie(), { origin: 'https://evil.example' }, csrf],
    // With the own token it may be the dialog itself, over plain http.
    ['no origin', browser.cookie(), { origin: 'null' }, ''],
    ['no origin, another’s token', other.cookie(), { origin: 'null' }, csrf],
    ['another’s token', other.cookie(), { 'sec-fetch-site': 'same-origin' }, csrf],
    ['a made-up token', browser.cookie(), { 'sec-fetch-site': 'same-origin' }, 'x'],
  ];
  for (const [name, cookie, headers, token] of tries) {
    const body = new URLSearchParams({ action: 'allow', csrf: token });
    const answer = await fetch(site.url + path, {
      method: 'POST',
      body,
      headers: { ...headers, cookie },
      redirect: 'manual',
    });
    assert.is(answer.status, 403, name);
    assert.is(answer.headers.get('location'), null, name);
  }
  assert.is((await site.app.services.database.kysely.selectFrom('treadle_code').selectAll().execute()).length, 0);
});

const ELSEWHERE = [
  'https://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/%09/evil.example',
  '/%2f%2fevil.example',
  'http:evil.example',
  'https:/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '@evil.example',
  '/oauth/authorize@evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  ' //evil.example',
  '\u0000//evil.example',
  '/\u2028/evil.example',
];

served('A23: the way back from the login never leaves the origin', async ({ site }) => {
  const origin = new URL(site.url).origin;
  for (const uri of ELSEWHERE) {
    const { status, location } = await logIn(site, `?redirect_uri=${encodeURIComponent(uri)}`);
    assert.is(status, 303, uri);
    assert.is(new URL(location, site.url).origin, origin, uri);
    assert.match(location, /^\/(?![/\\])/, uri);
  }
  const path = '/oauth/authorize?client_id=x&state=%2F%2Fevil.example';
  assert.is((await logIn(site, `?redirect_uri=${encodeURIComponent(path)}`)).location, path);
});

served('T1: as served, another method, type or broken body is JSON with a name', async (at) => {
  const { site } = at;
  const tries: [init: RequestInit, status: number][] = [
    [{ method: 'GET' }, 405],
    [{ method: 'PUT', body: 'x' }, 405],
    [{ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }, 400],
    [{ method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }, 400],
    [{ method: 'POST' }, 400],
    [{ method: 'POST', body: new URLSearchParams({ grant_type: 'x' }) }, 400],
  ];
  for (const [init, status] of tries) {
    const answer = await fetch(`${site.url}/oauth/token`, init);
    assert.is(answer.status, status);
    assert.is(answer.headers.get('content-type'), 'application/json');
    assert.is(answer.headers.get('cache-control'), 'no-store');
    assert.type(((await answer.json()) as { error: unknown }).error, 'string');
    if (status === 405) assert.match(String(answer.headers.get('allow')), 'POST');
  }
});

served('T2: tokens are never compressed nor tagged', async (at) => {
  const { site, strict } = at;
  const fields = { grant_type: 'client_credentials', client_id: strict.id, client_secret: strict.secret };
  const answer = await postForm(`${site.url}/oauth/token`, fields, { 'accept-encoding': 'br, gzip' });
  assert.is(answer.status, 200);
  for (const name of ['content-encoding', 'etag']) assert.is(answer.headers[name], undefined);
  issued.add(((await answer.json()) as { access_token: string }).access_token);
});

served('T19: an app’s own token opens app calls, also those that change, and no user call', async (at) => {
  const { site, strict } = at;
  const fields = { grant_type: 'client_credentials', client_id: strict.id, client_secret: strict.secret };
  const { access_token: token } = (await (await postForm(`${site.url}/oauth/token`, fields)).json()) as {
    access_token: string;
  };
  issued.add(token);
  await signUp(site);
  const headers = { authorization: `Bearer ${token}` };
  assert.is((await get(at, APP_CALL, headers)).status, 200);
  const user = await get(at, PROFILE, headers);
  assert.is(user.status, 403);
  assert.match(String(user.headers.get('www-authenticate')), 'insufficient_scope');
  assert.is((await get(at, '/oauth/userinfo', headers)).status, 403);
});

served('R1: the scheme may be written in any case', async (at) => {
  const { access_token: token } = await getTokens(at);
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    assert.is((await get(at, PROFILE, { authorization: `${scheme} ${token}` })).status, 200);
  }
});

served('R2, R8: without a token the challenge has no error, and says where tokens come from', async (at) => {
  const answer = await get(at, PROFILE);
  assert.is(answer.status, 401);
  const challenge = String(answer.headers.get('www-authenticate'));
  assert.match(challenge, /^Bearer realm="/);
  assert.not.match(challenge, 'error=');
  const url = /resource_metadata="([^"]+)"/.exec(challenge)?.[1];
  const resource = (await (await fetch(String(url))).json()) as { resource: string; authorization_servers: string[] };
  assert.is(resource.resource, at.site.url);
  const server = await fetch(`${resource.authorization_servers[0]}/.well-known/oauth-authorization-server`);
  assert.is(((await server.json()) as { issuer: string }).issuer, at.site.url);
});

served('R3: bad tokens, too little scope and two tokens have their own answers', async (at) => {
  const { site, strict } = at;
  const bad = await get(at, PROFILE, { authorization: 'Bearer garbage' });
  assert.is(bad.status, 401);
  assert.match(String(bad.headers.get('www-authenticate')), 'error="invalid_token"');
  const { access_token: token } = await getTokens(at);
  const twice = await get(at, `${PROFILE}?access_token=${token}`, { authorization: `Bearer ${token}` });
  assert.is(twice.status, 400);
  assert.match(String(twice.headers.get('www-authenticate')), 'error="invalid_request"');
  const browser = await signUp(site);
  const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(toAuthorize(strict.id))).text)?.[1] ?? '';
  const { location } = await browser.post(toAuthorize(strict.id), { action: 'allow', csrf });
  const code = String(new URL(location).searchParams.get('code'));
  const proof = { client_id: strict.id, client_secret: strict.secret, code_verifier: VERIFIER };
  const answer = await postForm(`${site.url}/oauth/token`, { ...proof, grant_type: 'authorization_code', code });
  const bare = ((await answer.json()) as { access_token: string }).access_token;
  const poor = await get(at, PROFILE, { authorization: `Bearer ${bare}` });
  assert.is(poor.status, 403);
  assert.match(String(poor.headers.get('www-authenticate')), 'error="insufficient_scope", scope="profile_read"');
});

served('R4: a token in a form is for posts only', async (at) => {
  const { access_token: token } = await getTokens(at);
  const answer = await postForm(`${at.site.url}${PROFILE}`, { access_token: String(token) });
  assert.is(answer.status, 405, 'there is no such call, and the token did not make one');
  assert.is((await get(at, PROFILE, { 'content-type': 'application/x-www-form-urlencoded' })).status, 401);
});

served('R5: an answer to a token in the query is not stored', async (at) => {
  const { access_token: token } = await getTokens(at);
  const answer = await get(at, `${PROFILE}?access_token=${token}`);
  assert.is(answer.status, 200);
  assert.is(answer.headers.get('cache-control'), 'no-store');
});

served('R7: a revoked token is refused by the very next request', async (at) => {
  const { site, strict } = at;
  const { access_token: token } = await getTokens(at);
  assert.is(await callWith(site, String(token)), 200);
  await postForm(`${site.url}/oauth/revoke`, {
    token: String(token),
    client_id: strict.id,
    client_secret: strict.secret,
  });
  assert.is(await callWith(site, String(token)), 401);
});

served('M1, M4: metadata as served; no OpenID configuration is pretended', async (at) => {
  const { site } = at;
  const data = (await (await get(at, '/.well-known/oauth-authorization-server')).json()) as Record<string, unknown>;
  assert.is(data.issuer, site.url);
  for (const [name, value] of Object.entries(data)) {
    if (!name.endsWith('_endpoint')) continue;
    assert.is.not((await fetch(String(value), { redirect: 'manual' })).status, 404, name);
  }
  assert.is((await fetch(String(data.service_documentation))).status, 200);
  assert.is((await get(at, '/.well-known/openid-configuration')).status, 404);
});

served('a user sees the app, and takes its access back', async (at) => {
  const { site, strict } = at;
  const browser = await signUp(site);
  const back = await allow(site, browser, toAuthorize(strict.id));
  const proof = { client_id: strict.id, client_secret: strict.secret, code_verifier: VERIFIER };
  const fields = { ...proof, grant_type: 'authorization_code', code: String(back.searchParams.get('code')) };
  const { access_token: token } = (await (await postForm(`${site.url}/oauth/token`, fields)).json()) as {
    access_token: string;
  };
  assert.match((await browser.get('/auth/account')).text, 'href="/auth/apps"');
  const page = await browser.get('/auth/apps');
  assert.match(page.text, 'strict');
  const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
  const appId = /name="app_id" value="(\d+)"/.exec(page.text)?.[1] ?? '';
  assert.is((await browser.post('/auth/apps', { csrf: 'x', app_id: appId })).status, 403);
  assert.is(await callWith(site, token), 200);
  assert.is((await browser.post('/auth/apps', { csrf, app_id: appId })).status, 303);
  assert.is(await callWith(site, token), 401);
});

served('a new password ends every app’s access', async (at) => {
  const { site, strict } = at;
  const browser = await signUpAs(site, 'Mia');
  const back = await allow(site, browser, toAuthorize(strict.id));
  const proof = { client_id: strict.id, client_secret: strict.secret, code_verifier: VERIFIER };
  const fields = { ...proof, grant_type: 'authorization_code', code: String(back.searchParams.get('code')) };
  const { access_token: token } = (await (await postForm(`${site.url}/oauth/token`, fields)).json()) as {
    access_token: string;
  };
  const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get('/auth/account')).text)?.[1] ?? '';
  const change = {
    csrf,
    auth_current: 'a long enough word',
    auth_password: 'some other long word',
    confirm: 'some other long word',
  };
  assert.is((await browser.post('/auth/account', { ...change, action: 'password' })).status, 303);
  assert.is(await callWith(site, token), 401);
});

served('R9, 1.2: no log line and no table holds a code, a token or a secret', async ({ site, logged }) => {
  const { database } = site.app.services;
  const dump: string[] = [];
  for (const { name } of site.app.plan.tables) {
    dump.push(JSON.stringify(await database.kysely.selectFrom(name).selectAll().execute()));
  }
  assert.ok(issued.size > 10);
  assert.ok(logged.length > 50, 'requests were logged');
  for (const secret of issued) {
    assert.not.ok(
      dump.some((rows) => rows.includes(secret)),
      'in the database',
    );
    assert.not.ok(
      logged.some((line) => line.includes(secret)),
      'in the log',
    );
  }
});

served.run();

const modes = suite('modes of the doors');

modes('standard: secrets are not taken from the query, and a query token reads only', async () => {
  const at = await startOAuth({ settings: { oauth: { mode: 'standard' } } });
  try {
    const { site, lenient } = at;
    const back = await allow(
      site,
      await signUp(site),
      `/dialog/request?client_id=${lenient.id}&redirect_uri=${CALLBACK}`,
    );
    const code = String(back.searchParams.get('code'));
    const query = `client_id=${lenient.id}&client_secret=${lenient.secret}&code=${code}`;
    assert.is((await fetch(`${site.url}/rest/access?${query}`, { method: 'POST' })).status, 400);
    const answer = await postForm(`${site.url}/rest/access`, {
      client_id: lenient.id,
      client_secret: lenient.secret,
      code,
    });
    const { results } = (await answer.json()) as { results: Record<string, string> };
    assert.is((await get(at, `${PROFILE}?access_token=${results.access_token}`)).status, 200);
    const both = `${PROFILE}?access_token=${results.access_token}&access_secret=${results.access_secret}`;
    assert.is((await get(at, both)).status, 400);
  } finally {
    await at.close();
  }
});

modes('strict: R6 no query token, PKCE for all, and one form of the exchange at both paths', async () => {
  const at = await startOAuth({ settings: { oauth: { mode: 'strict' } } });
  try {
    const { site, lenient } = at;
    const browser = await signUp(site);
    for (const path of ['/dialog/request', '/oauth/authorize']) {
      for (const [more, error] of [
        ['', 'response_type is missing'],
        ['&response_type=code', 'code_challenge is missing'],
      ] as const) {
        const { location } = await browser.get(`${path}?client_id=${lenient.id}&redirect_uri=${CALLBACK}${more}`);
        assert.is(new URL(location).searchParams.get('error_description'), error, path);
      }
    }
    const back = await allow(site, browser, toAuthorize(lenient.id));
    const proof = { client_id: lenient.id, client_secret: lenient.secret, code_verifier: VERIFIER };
    const code = String(back.searchParams.get('code'));
    const bare = await postForm(`${site.url}/rest/access`, { ...proof, code });
    assert.is(((await bare.json()) as { error: string }).error, 'invalid_request');
    const answer = await postForm(`${site.url}/rest/access`, { ...proof, code, grant_type: 'authorization_code' });
    const tokens = (await answer.json()) as Record<string, unknown>;
    assert.equal(Object.keys(tokens), ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope']);
    assert.is((await get(at, `${PROFILE}?access_token=${tokens.access_token}`)).status, 401);
    assert.is(await callWith(site, String(tokens.access_token)), 200);
    const resource = (await (await get(at, '/.well-known/oauth-protected-resource')).json()) as Record<
      string,
      string[]
    >;
    assert.equal(resource.bearer_methods_supported, ['header', 'body']);
  } finally {
    await at.close();
  }
});

modes('M3: production refuses an http issuer that others reach', async () => {
  const at = await startOAuth();
  try {
    at.site.project.edit<Record<string, unknown>>('config/settings.json', (all) => {
      all.server = { baseUrl: 'http://example.org' };
    });
    const { createApp } = await import('../../src/boot.ts');
    const { silentLog } = await import('../../src/core/log/log.ts');
    const env = { TREADLE_SECRET: 'x'.repeat(40) };
    const refusal = await createApp({ root: at.site.root, mode: 'production', env, log: silentLog }).then(
      (app) => app.close(),
      (error: unknown) => error,
    );
    assert.match(JSON.stringify(refusal) + String(refusal), 'http://example.org is http');
  } finally {
    await at.close();
  }
});

modes.run();
