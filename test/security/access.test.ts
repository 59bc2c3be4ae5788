// Also on PostgreSQL: who reaches which rows becomes SQL.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask } from '../client.ts';
import { startWorld, type World } from './_world.ts';

/** Which rows a call reaches, with which credentials, for each spelling of its path. */
const test = suite('security: access');

let world: World;
const tokens = { ann: '', annSecret: '', ben: '', benSecret: '', narrow: '' };

test.before(async () => {
  world = await startWorld();
  const [ann, ben] = [await world.authorize(world.ann), await world.authorize(world.ben)];
  const narrow = await world.authorize(world.ann, 'profile_read');
  Object.assign(tokens, { ann: ann.access, annSecret: ann.secret, ben: ben.access, benSecret: ben.secret });
  tokens.narrow = narrow.access;
});

test.after(() => world.close());

type Json = Record<string, unknown>;

async function call(method: string, path: string, options: { token?: string; body?: Json; headers?: Json } = {}) {
  const { token, body, headers } = options;
  const answer = await ask(world.url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(headers as Record<string, string>),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = /json/.test(String(answer.headers['content-type'])) && answer.text !== '' ? JSON.parse(answer.text) : {};
  return { status: answer.status, results: (json.results ?? {}) as Json, validation: (json.validation ?? {}) as Json };
}

test("another's row is not there: detail, update, remove, search, filters, expand", async () => {
  const made = await call('POST', '/rest/user/thing/create', { token: tokens.ann, body: { thing_name: 'of Ann' } });
  const id = made.results.thing_id;
  const token = tokens.ben;
  for (const [method, path, body] of [
    ['GET', `/rest/user/thing/detail/${id}`],
    ['GET', `/rest/user/thing/detail/${id}?profile_id=1&filter[thing_active]=any`],
    ['PUT', `/rest/user/thing/update/${id}`, { thing_name: 'taken' }],
    ['PUT', `/rest/user/thing/update/${id}?profile_id=1`, { profile_id: 1, thing_name: 'taken' }],
    ['DELETE', `/rest/user/thing/remove/${id}`],
  ] as const) {
    const { status } = await call(method, path, { token, ...(body === undefined ? {} : { body }) });
    assert.is(status, 404, `${method} ${path}`);
  }
  for (const query of ['', '?profile_id=1', '?filter[profile_id]=1', '?filter[profile_id][nin]=2', '?expand=profile']) {
    const { results } = await call('GET', `/rest/user/thing/search${query}`, { token });
    assert.equal(results, { rows: [], total: 0 }, query);
  }
});

test('the owner, the id and what Treadle sets cannot be sent', async () => {
  const sent = { thing_name: 'x', profile_id: 1 };
  const { status, results } = await call('POST', '/rest/user/thing/create?profile_id=1', {
    token: tokens.ben,
    body: sent,
  });
  assert.is(status, 201);
  assert.is(results.profile_id, 2);
  assert.is(results.thing_active, 1);
  assert.is(results.thing_ip, '127.0.0.1');
  assert.match(String(results.thing_created), /^20[2-9]/);
  const path = `/rest/user/thing/update/${results.thing_id}`;
  const changed = await call('PUT', path, { token: tokens.ben, body: sent });
  assert.is(changed.results.profile_id, 2);
  for (const [key, value] of Object.entries({
    thing_active: 0,
    thing_created: '2000-01-01 00:00:00',
    thing_updated: '2000-01-01 00:00:00',
    thing_ip: '9.9.9.9',
    thing_uid: 'mine',
  })) {
    for (const [method, address] of [
      ['POST', '/rest/user/thing/create'],
      ['PUT', path],
    ] as const) {
      const refused = await call(method, address, { token: tokens.ben, body: { thing_name: 'x', [key]: value } });
      assert.is(refused.status, 400, `${method} ${key}`);
    }
  }
  for (const key of ['thing_id', 'treadle_auth', 'auth_type', 'schema', 'restrict']) {
    const refused = await call('POST', '/rest/user/thing/create', {
      token: tokens.ben,
      body: { thing_name: 'x', [key]: 9 },
    });
    assert.is(refused.status, 400, key);
  }
});

test('a comment over the page is of who is logged in', async () => {
  const form = { comment_detail: 'said', profile_id: '1', comment_id: '77', comment_active: '0', article_id: '99' };
  const answer = await world.ben.post('/article/1?profile_id=1&comment_active=0', form);
  assert.is(answer.status, 303);
  const { results } = await call('GET', '/rest/public/article/detail/1');
  const [comment] = results.comment as Json[];
  assert.equal([comment?.profile_id, comment?.comment_active, comment?.comment_id], [2, 1, 1]);
});

test('hidden columns are in no answer, filter, sort or field list, and not in the session', async () => {
  await call('POST', '/rest/user/thing/create', {
    token: tokens.ann,
    body: { thing_name: 'pinned', thing_pin: 'open sesame' },
  });
  const columns = ['thing_pin', 'profile_pin', 'auth_password', 'treadle_auth.auth_password', '(select 1)'];
  for (const column of columns) {
    for (const name of ['sort', 'fields', 'null']) {
      const { status } = await call('GET', `/rest/public/thing/search?${name}=${encodeURIComponent(column)}`);
      assert.is(status, 400, `${name}=${column}`);
    }
    assert.is(
      (await call('GET', `/rest/public/thing/search?filter[${encodeURIComponent(column)}]=x`)).status,
      400,
      column,
    );
  }
  const { kysely } = world.site.app.services.database;
  await world.site.app.emit('system-model-update', { schema: 'profile', profile_id: 1, profile_pin: 'hidden' });
  const { profile_pin } =
    (await kysely.selectFrom('profile').select('profile_pin').where('profile_id', '=', 1).executeTakeFirst()) ?? {};
  assert.match(String(profile_pin), /^\$scrypt/);
  const again = world.site.browser();
  await again.post('/auth/login', { auth_slug: 'ann@example.org', auth_password: 'a long enough word' });
  const sessions = await kysely.selectFrom('treadle_session').select('data').execute();
  assert.not.match(JSON.stringify(sessions), 'profile_pin');
  for (const event of ['auth-detail', 'auth-search', 'auth-update']) {
    const answer = await world.site.app.emit(event, event === 'auth-search' ? {} : { auth_id: 1 });
    assert.ok(answer.hasResults(), event);
    assert.not.match(JSON.stringify(answer.getResults()), /profile_pin|auth_password/);
  }
});

test('a token in the query reads only; two tokens, lists and the wrong kind are refused', async () => {
  const body = { thing_name: 'x' };
  const at = (query: string) => call('POST', `/rest/user/thing/create?${query}`, { body });
  assert.is((await call('GET', `/rest/user/profile/detail?access_token=${tokens.ann}`)).status, 200);
  assert.is((await at(`access_token=${tokens.ann}`)).status, 403);
  assert.is((await at(`access_token=${tokens.ann}&access_secret=x`)).status, 401);
  assert.is((await at(`access_token=${tokens.ann}&access_secret=${tokens.benSecret}`)).status, 401);
  assert.is((await at(`access_token=${tokens.ann}&access_secret=${tokens.annSecret}`)).status, 201);
  for (const query of [
    `access_token=${tokens.ann}`,
    `access_token[]=${tokens.ann}`,
    `access_token=${tokens.ann}&access_token=x`,
  ]) {
    const token = query.includes('[]') || query.includes('&') ? {} : { token: tokens.ben };
    assert.is((await call('GET', `/rest/user/profile/detail?${query}`, token)).status, 400, query);
  }
  for (const token of [world.app.secret, tokens.annSecret, 'x', `${tokens.ann}x`])
    assert.is((await call('GET', '/rest/user/profile/detail', { token })).status, 401);
  assert.is((await call('GET', '/rest/user/profile/detail', { headers: { cookie: world.ann.cookie() } })).status, 401);
  const inBody = { body: { ...body, access_token: tokens.ann } };
  assert.is((await call('POST', '/rest/user/thing/create', inBody)).status, 401);
});

test('no way of writing a path leads past its scope', async () => {
  for (const path of ['/rest/user/thing/search', '/rest/user/thing/search/', '/REST/User/Thing/SEARCH']) {
    for (const method of ['GET', 'HEAD']) {
      assert.is((await call(method, path)).status, 401, `${method} ${path}`);
      assert.is((await call(method, path, { token: tokens.narrow })).status, 403, `${method} ${path}`);
    }
  }
  for (const path of [
    ...[
      '//rest/user/thing/search',
      '/rest//user/thing/search',
      '/rest/user/thing%2fsearch',
      '/rest/user/thing/%73earch',
    ],
    ...[
      '/rest/user/./thing/search',
      '/rest/public/../user/thing/search',
      '/rest/user/thing/search;x',
      '/rest/%75ser/thing/search',
    ],
    ...[
      '/rest/user/thing/search%00',
      '/rest/user/thing/search.css',
      '/rest/user/thing/%2573earch',
      '/rest/user/thing/search%20',
    ],
  ]) {
    assert.is((await call('GET', path, { token: tokens.ann })).status, 404, path);
  }
  assert.is(
    (await call('POST', '/rest/user/thing/create', { token: tokens.narrow, body: { thing_name: 'x' } })).status,
    403,
  );
  const override = { token: tokens.ann, headers: { 'x-http-method-override': 'DELETE' } };
  assert.is((await call('GET', '/rest/user/thing/remove/1', override)).status, 405);
});

test('an app writes with its secret only', async () => {
  const { clientId, secret } = world.app;
  const body = { thing_name: 'x', profile_id: 1 };
  const path = '/rest/public/app/thing/create';
  assert.is((await call('GET', `/rest/public/app/thing/search?client_id=${clientId}`)).status, 200);
  assert.is((await call('POST', `${path}?client_id=${clientId}`, { body })).status, 401);
  assert.is((await call('POST', `${path}?client_id=${clientId}&client_secret=x`, { body })).status, 401);
  assert.is((await call('POST', `${path}?client_id=${clientId}&client_secret[]=${secret}`, { body })).status, 400);
  assert.is((await call('POST', `${path}?client_id=${clientId}&client_secret=${secret}`, { body })).status, 201);
});

test('a disabled user and a suspended app are out at once: sessions, tokens, codes', async () => {
  const status = async (token: string) => (await call('GET', '/rest/user/profile/detail', { token })).status;
  await world.site.app.emit('auth-remove', { auth_id: 2 });
  assert.is(await status(tokens.ben), 401);
  assert.is((await world.ben.get('/auth/account')).status, 303);
  const login = { auth_slug: 'ben@example.org', auth_password: 'a long enough word' };
  assert.is((await world.site.browser().post('/auth/login', login)).status, 403);
  const { kysely } = world.site.app.services.database;
  await kysely.updateTable('treadle_app').set({ active: 0 }).where('app_id', '=', 1).execute();
  assert.is(await status(tokens.ann), 401);
  assert.is((await world.ann.get(`/dialog/request?client_id=${world.app.clientId}`)).status, 400);
  assert.is((await call('GET', `/rest/public/app/thing/search?client_id=${world.app.clientId}`)).status, 401);
});

test.run();
