import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { digest } from '../../../src/core/secret/secret.ts';
import type { Answer } from '../auth/_site.ts';
import {
  askToken,
  authorize,
  CALLBACK,
  createWorld,
  getTokens,
  isAlive,
  PKCE,
  renew,
  SECRET,
  type Tokens,
  toForm,
  toJson,
  VERIFIER,
  type World,
} from './_flow.ts';

/** The token endpoint, by the ids of the list of requirements. */
const token = suite<World>('conformance: tokens');
token.before.each(async (at) => {
  Object.assign(at, await createWorld());
});
token.after.each(({ site }) => site.close());

const DAY = 86_400;
const codeOf = async (world: World, query?: string): Promise<string> =>
  String((await authorize(world, query)).get('code'));
const exchange = (world: World, code: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  askToken(world, { grant_type: 'authorization_code', code, code_verifier: VERIFIER, ...more });
const toBasic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const tokensOf = (answer: Answer): Tokens => JSON.parse(answer.text);

function isError(answer: Answer, error: string, status = 400): void {
  assert.is(toJson(answer).error, error, answer.text);
  assert.is(answer.status, status);
  assert.is(answer.headers['content-type'], 'application/json');
  assert.is(answer.headers['cache-control'], 'no-store');
  assert.match(String(toJson(answer).error_description), /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/);
}

token('T1: only POST, and only a form', async (world) => {
  const { site } = world;
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    const answer = await site.send(method, '/oauth/token');
    isError(answer, 'invalid_request', 405);
    assert.match(String(answer.headers.allow), 'POST');
  }
  const fields = { client_id: 'reader', client_secret: SECRET, grant_type: 'client_credentials' };
  for (const type of [
    'application/json',
    'text/plain',
    'multipart/form-data',
    'application/x-www-form-urlencoded; charset=latin1',
  ]) {
    isError(
      await site.post('/oauth/token', JSON.stringify(fields), { headers: { 'content-type': type } }),
      'invalid_request',
    );
  }
  isError(await site.post(`/oauth/token?${toForm(fields)}`, ''), 'invalid_request');
  const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
  assert.is((await site.post('/oauth/token', toForm(fields), { headers })).status, 200);
});

token('T2, T3: success is 200, JSON, not stored, and has the standard’s members with their types', async (world) => {
  const answer = await exchange(world, await codeOf(world));
  assert.is(answer.status, 200);
  assert.is(answer.headers['content-type'], 'application/json');
  assert.is(answer.headers['cache-control'], 'no-store');
  assert.is(answer.headers.pragma, 'no-cache');
  const body = toJson(answer);
  assert.equal(Object.keys(body), ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope']);
  assert.match(String(body.access_token), /^tk_at_[A-Za-z0-9_-]{43}$/);
  assert.match(String(body.refresh_token), /^tk_rt_[A-Za-z0-9_-]{43}$/);
  assert.is(body.token_type, 'Bearer');
  assert.is(body.expires_in, 3600);
  assert.is(body.scope, 'profile_read profile_write');
});

const NAUGHTY = [
  '"',
  '\\',
  '\u0000',
  'é',
  '田中',
  '\r\nSet-Cookie: a=b',
  "<script>'",
  'x'.repeat(5000),
  '%',
  '__proto__',
];
token('T4: every error is JSON with a name, and a description of few characters', async (world) => {
  for (const value of NAUGHTY) {
    for (const name of [
      'grant_type',
      'code',
      'client_id',
      'client_secret',
      'redirect_uri',
      'code_verifier',
      'refresh_token',
      'scope',
    ]) {
      const answer = await askToken(world, { grant_type: 'authorization_code', code: 'x', [name]: value });
      isError(answer, String(toJson(answer).error), answer.status);
      assert.ok([400, 401, 429].includes(answer.status));
    }
  }
});

token('T22: a resource of another server is refused, and several of this one are taken', async (world) => {
  const own = world.site.services.baseUrl();
  const ask = (...resources: string[]) =>
    world.site.post(
      '/oauth/token',
      new URLSearchParams([
        ...Object.entries({ grant_type: 'client_credentials', client_id: 'reader', client_secret: SECRET }),
        ...resources.map((resource) => ['resource', resource]),
      ] as [string, string][]).toString(),
    );
  for (const resources of [['https://other.example/'], [own, 'https://other.example/'], [`${own}/#a`], ['site']])
    isError(await ask(...resources), 'invalid_target');
  assert.is((await ask(own, `${own}/rest`)).status, 200);
});

token('T5: a wrong secret is 401, with a challenge only where it came by the header', async (world) => {
  const { site } = world;
  const posted = await askToken(world, { grant_type: 'client_credentials', client_secret: 'wrong' });
  isError(posted, 'invalid_client', 401);
  assert.is(posted.headers['www-authenticate'], undefined);
  for (const headers of [
    toBasic('reader', 'wrong'),
    toBasic('nobody', 'x'),
    { authorization: 'Bearer x' },
    { authorization: 'Basic !' },
  ]) {
    const answer = await site.post('/oauth/token', 'grant_type=client_credentials', { headers });
    isError(answer, 'invalid_client', 401);
    assert.match(String(answer.headers['www-authenticate']), /^Basic realm=/);
  }
  isError(await site.post('/oauth/token', 'grant_type=client_credentials'), 'invalid_client', 401);
});

token('T6: the secret is taken from the header and from the body', async (world) => {
  const form = 'grant_type=client_credentials';
  assert.is((await world.site.post('/oauth/token', form, { headers: toBasic('reader', SECRET) })).status, 200);
  assert.is((await askToken(world, { grant_type: 'client_credentials' })).status, 200);
});

token('T7: both parts of Basic may be form-encoded or not', async (world) => {
  const strict = (text: string): string =>
    encodeURIComponent(text).replace(/[-_.~]/g, (found) => `%${found.charCodeAt(0).toString(16)}`);
  for (const encode of [strict, encodeURIComponent, (text: string) => text]) {
    const headers = toBasic(encode('reader'), encode(SECRET));
    assert.is((await world.site.post('/oauth/token', 'grant_type=client_credentials', { headers })).status, 200);
  }
  const made = (await world.site.emit('app-create', { title: 'One', owner: 1 })).getResults() as Record<string, string>;
  for (const text of [made.client_id, made.client_secret]) assert.match(String(text), /^[A-Za-z0-9_-]+$/);
});

token('T8: two ways at once are refused', async (world) => {
  const headers = toBasic('reader', SECRET);
  const ask = (more: string) => world.site.post('/oauth/token', `grant_type=client_credentials${more}`, { headers });
  isError(await ask(`&client_secret=${SECRET}`), 'invalid_request');
  isError(await ask('&client_id=two'), 'invalid_request');
  assert.is((await ask('&client_id=reader')).status, 200);
});

token('T9: a missing, unknown or refused grant type has its own error', async (world) => {
  isError(await askToken(world, {}), 'invalid_request');
  for (const type of ['password', 'implicit', 'toString', 'urn:ietf:params:oauth:grant-type:device_code']) {
    isError(await askToken(world, { grant_type: type }), 'unsupported_grant_type');
  }
  isError(
    await askToken(world, { grant_type: 'client_credentials', client_id: 'public', client_secret: '' }),
    'unauthorized_client',
  );
  isError(await askToken(world, { grant_type: 'authorization_code' }), 'invalid_request');
  isError(await askToken(world, { grant_type: 'refresh_token' }), 'invalid_request');
  const twice = await world.site.post(
    '/oauth/token',
    `${toForm({ client_id: 'reader', client_secret: SECRET })}&grant_type=a&grant_type=b`,
  );
  isError(twice, 'invalid_request');
});

token('T10: an unknown, expired, used or foreign code has one answer', async (world) => {
  const used = await codeOf(world);
  await exchange(world, used);
  const foreign = await codeOf(world, `response_type=code&client_id=lenient`);
  const late = await codeOf(world);
  const answers = [await exchange(world, 'tk_ac_x'), await exchange(world, used), await exchange(world, foreign)];
  await world.site.clock.advance(60);
  answers.push(await exchange(world, late));
  for (const answer of answers) {
    isError(answer, 'invalid_grant');
    assert.is(answer.text, answers[0]?.text);
  }
});

token('T11: a wrong verifier is refused and the code stays good, for five tries', async (world) => {
  const code = await codeOf(world);
  for (const verifier of ['', 'wrong', 'w'.repeat(43), 'v'.repeat(44)]) {
    isError(await exchange(world, code, { code_verifier: verifier }), 'invalid_grant');
  }
  assert.is((await exchange(world, code)).status, 200);
  const other = await codeOf(world);
  for (let tries = 0; tries < 5; tries += 1) await exchange(world, other, { code_verifier: 'wrong' });
  isError(await exchange(world, other), 'invalid_grant');
});

token('T12: a verifier without a challenge is refused', async (world) => {
  const query = 'response_type=code&client_id=lenient';
  const client = { client_id: 'lenient' };
  isError(await exchange(world, await codeOf(world, query), client), 'invalid_grant');
  assert.is((await exchange(world, await codeOf(world, query), { ...client, code_verifier: '' })).status, 200);
});

token('T13: the address must be that of the request; with a verifier it may be left out', async (world) => {
  const named = `response_type=code&client_id=reader&${PKCE}&redirect_uri=${encodeURIComponent(CALLBACK)}`;
  isError(await exchange(world, await codeOf(world, named), { redirect_uri: `${CALLBACK}/` }), 'invalid_grant');
  assert.is((await exchange(world, await codeOf(world, named), { redirect_uri: CALLBACK })).status, 200);
  assert.is((await exchange(world, await codeOf(world, named))).status, 200);
  const bare = `response_type=code&client_id=lenient&redirect_uri=${encodeURIComponent(CALLBACK)}`;
  const client = { client_id: 'lenient', code_verifier: '' };
  isError(await exchange(world, await codeOf(world, bare), client), 'invalid_grant');
  assert.is((await exchange(world, await codeOf(world, bare), { ...client, redirect_uri: CALLBACK })).status, 200);
  assert.is((await exchange(world, await codeOf(world, 'response_type=code&client_id=lenient'), client)).status, 200);
});

token('T14: a valid second use revokes all that came of the code, an invalid one nothing', async (world) => {
  const code = await codeOf(world);
  const first = tokensOf(await exchange(world, code));
  const second = tokensOf(await renew(world, first.refresh_token));
  isError(await exchange(world, code, { code_verifier: 'wrong' }), 'invalid_grant');
  isError(await exchange(world, code, { client_secret: 'wrong' }), 'invalid_client', 401);
  isError(await exchange(world, code, { client_id: 'two' }), 'invalid_grant');
  for (const { access_token } of [first, second]) assert.ok(await isAlive(world, access_token));
  isError(await exchange(world, code), 'invalid_grant');
  for (const { access_token } of [first, second]) assert.not(await isAlive(world, access_token));
  isError(await renew(world, second.refresh_token), 'invalid_grant');
});

token('T15: of 50 exchanges at once one wins, and the losers revoke nothing', async (world) => {
  for (let round = 0; round < 4; round += 1) {
    const code = await codeOf(world);
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(world, code)));
    const won = answers.filter(({ status }) => status === 200);
    assert.is(won.length, 1);
    assert.is(answers.filter(({ status }) => status === 400).length, 49);
    assert.ok(await isAlive(world, tokensOf(won[0] as Answer).access_token));
  }
});

token('T16: only the same app renews, with the same scopes or fewer', async (world) => {
  const { refresh_token: refresh } = await getTokens(world);
  isError(await renew(world, refresh, { client_id: 'two' }), 'invalid_grant');
  isError(await renew(world, refresh, { scope: 'profile_read email' }), 'invalid_scope');
  const fewer = tokensOf(await renew(world, refresh, { scope: 'profile_read' }));
  assert.is(fewer.scope, 'profile_read');
  assert.is(
    tokensOf(await renew(world, fewer.refresh_token)).scope,
    'profile_read profile_write',
    'the grant is as before',
  );
});

token('T17: each refresh gives a new refresh token; the old one used again ends the family', async (world) => {
  const first = await getTokens(world);
  const second = tokensOf(await renew(world, first.refresh_token));
  assert.is.not(second.refresh_token, first.refresh_token);
  assert.is.not(second.access_token, first.access_token);
  await world.site.clock.advance(11);
  isError(await renew(world, first.refresh_token), 'invalid_grant');
  assert.not(await isAlive(world, second.access_token));
  assert.not(await isAlive(world, first.access_token));
  isError(await renew(world, second.refresh_token), 'invalid_grant');
});

token('T17: within ten seconds the same answer comes again, unless its successor is in use', async (world) => {
  const { refresh_token: refresh } = await getTokens(world);
  const answers = await Promise.all(Array.from({ length: 20 }, () => renew(world, refresh)));
  for (const answer of answers) {
    assert.is(answer.status, 200);
    assert.is(answer.text, answers[0]?.text);
  }
  const next = tokensOf(answers[0] as Answer);
  await world.site.clock.advance(10);
  const late = tokensOf(await renew(world, refresh));
  assert.equal({ ...late, expires_in: 0 }, { ...next, expires_in: 0 });
  assert.is(late.expires_in, 3590);
  assert.ok(await isAlive(world, next.access_token));
  const third = tokensOf(await renew(world, next.refresh_token));
  isError(await renew(world, refresh), 'invalid_grant');
  assert.not(await isAlive(world, third.access_token), 'the answer had arrived: somebody else has the old one');
});

token('T17: a public app’s refresh tokens rotate as well', async (world) => {
  const client = { client_id: 'public', client_secret: '' };
  const { refresh_token: refresh } = await getTokens(world, `response_type=code&client_id=public&${PKCE}`, client);
  const next = tokensOf(await renew(world, refresh, client));
  await world.site.clock.advance(11);
  isError(await renew(world, refresh, client), 'invalid_grant');
  isError(await renew(world, next.refresh_token, client), 'invalid_grant');
});

token('T18: a refresh token ends after 30 days idle, and all after 90 days', async (world) => {
  const idle = await getTokens(world);
  await world.site.clock.advance(30 * DAY);
  isError(await renew(world, idle.refresh_token), 'invalid_grant');
  let { refresh_token: refresh } = await getTokens(world);
  for (const days of [29, 29, 29]) {
    await world.site.clock.advance(days * DAY);
    refresh = tokensOf(await renew(world, refresh)).refresh_token;
  }
  await world.site.clock.advance(3 * DAY);
  isError(await renew(world, refresh), 'invalid_grant');
});

token('T19: an app’s own token has its app scopes, no refresh token, and no user', async (world) => {
  const body = toJson(await askToken(world, { grant_type: 'client_credentials' }));
  assert.equal(Object.keys(body), ['access_token', 'token_type', 'expires_in', 'scope']);
  assert.is(body.scope, 'stats');
  const source = await world.site.emit('rest-source-session-detail', { access_token: body.access_token });
  assert.is(source.getResults('auth_id'), null);
  assert.equal(source.getResults('scopes'), ['stats']);
  isError(await askToken(world, { grant_type: 'client_credentials', scope: 'profile_read' }), 'invalid_scope');
  assert.is((await askToken(world, { grant_type: 'client_credentials', scope: 'stats' })).status, 200);
});

token('T20: 20 wrong secrets a minute from one address, then 429', async (world) => {
  const bad = () => askToken(world, { grant_type: 'client_credentials', client_secret: 'wrong' });
  for (let count = 0; count < 20; count += 1) isError(await bad(), 'invalid_client', 401);
  const blocked = await bad();
  isError(blocked, 'invalid_client', 429);
  assert.ok(Number(blocked.headers['retry-after']) >= 1);
  const elsewhere = await world.site.post(
    '/oauth/revoke',
    toForm({ client_id: 'reader', client_secret: 'wrong', token: 'x' }),
  );
  assert.is(elsewhere.status, 429, 'all endpoints count together');
});

token(
  'T21: without a scope all of the app’s user scopes are asked for, and the answer says which were given',
  async (world) => {
    const code = await codeOf(world);
    assert.is(toJson(await exchange(world, code)).scope, 'profile_read profile_write');
    const some = String((await authorize(world, undefined, 'action=allow&permissions[]=profile_read')).get('code'));
    assert.is(toJson(await exchange(world, some)).scope, 'profile_read');
    const none = String((await authorize(world, undefined, 'action=allow')).get('code'));
    assert.is(toJson(await exchange(world, none)).scope, '');
  },
);

token(
  'T23: pages of public apps may read tokens, revocation and metadata; nobody else, and never with cookies',
  async ({ site }) => {
    const ask = (method: string, path: string, origin: string) => site.send(method, path, { headers: { origin } });
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      const preflight = await ask('OPTIONS', path, 'https://app.example');
      assert.is(preflight.status, 204);
      assert.is(preflight.headers['access-control-allow-origin'], 'https://app.example');
      assert.match(String(preflight.headers['access-control-allow-methods']), 'POST');
      assert.is(preflight.headers.vary, 'Origin');
      const posted = await site.post(path, 'x=y', { headers: { origin: 'https://app.example' } });
      assert.is(posted.headers['access-control-allow-origin'], 'https://app.example');
    }
    // Anybody may read the metadata, which needs no credentials.
    const metadata = await ask('GET', '/.well-known/oauth-authorization-server', 'https://any.example');
    assert.is(metadata.headers['access-control-allow-origin'], '*');
    for (const [path, origin] of [
      ['/oauth/token', 'https://evil.example'],
      ['/oauth/token', 'null'],
      ['/oauth/token', 'https://app.example.evil'],
      ['/oauth/introspect', 'https://app.example'],
    ] as const) {
      const { headers } = await ask('OPTIONS', path, origin);
      assert.not.ok(
        Object.keys(headers).some((name) => name.startsWith('access-control-')),
        `${path} ${origin}`,
      );
    }
  },
);

token('T23: a public app on loopback may choose its port', async ({ site }) => {
  await site.emit('app-create', { title: 'One', owner: 1, public: '1', redirect_uris: ['http://127.0.0.1/cb'] });
  const { headers } = await site.send('OPTIONS', '/oauth/token', { headers: { origin: 'http://127.0.0.1:5173' } });
  assert.is(headers['access-control-allow-origin'], 'http://127.0.0.1:5173');
});

token('A27: a code lives 60 seconds', async (world) => {
  const code = await codeOf(world);
  await world.site.clock.advance(59);
  assert.is((await exchange(world, code)).status, 200);
});

token('one store: a code of either door is good at the other; a classic one gives no refresh token', async (world) => {
  const standard = await world.site.post(
    `/rest/access?client_id=reader&client_secret=${SECRET}&code_verifier=${VERIFIER}&code=${await codeOf(world)}`,
    '',
  );
  assert.is(standard.status, 200);
  const { una, site } = world;
  const answer = await site.post('/dialog/request?client_id=reader', 'action=allow&permissions[]=profile_read', {
    session: una(),
  });
  const code = new URL(answer.location).searchParams.get('code') ?? '';
  const classic = toJson(await exchange(world, code, { code_verifier: '' }));
  assert.is(classic.expires_in, 3600);
  assert.not.ok('refresh_token' in classic);
});

token('1.2: no table holds a token, a code or a secret, also of a rotated family', async (world) => {
  const code = await codeOf(world);
  const first = tokensOf(await exchange(world, code));
  const second = tokensOf(await renew(world, first.refresh_token));
  const made = (await world.site.emit('app-create', { title: 'One', owner: 1 })).getResults() as Record<string, string>;
  const tables = ['treadle_app', 'treadle_grant', 'treadle_code', 'treadle_token'];
  const dump = JSON.stringify(await Promise.all(tables.map((table) => world.site.rows(table))));
  const secrets = [
    code,
    SECRET,
    made.client_secret,
    ...[first, second].flatMap((set) => [set.access_token, set.refresh_token]),
  ];
  for (const secret of secrets) {
    assert.not.ok(dump.includes(String(secret)));
    assert.ok(dump.includes(digest(String(secret))));
  }
});

token.run();
