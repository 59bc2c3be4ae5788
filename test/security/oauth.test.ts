import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { asSystem, createOwnerAccess, runAs } from '../../src/core/access.ts';
import { toFormAction } from '../../src/feature/oauth/client/redirect-uri.ts';
import { ask } from '../client.ts';
import { startWorld, type World } from './_world.ts';

/** The dialog and the exchange, by RFC 6749, 8252 and 9700. */
const test = suite('security: oauth');

let world: World;

test.before(async () => {
  world = await startWorld();
});

test.after(() => world.close());

const BASE = 'https://app.example/cb?keep=1';

test('a redirect address is compared as text; anything else gets a page and no redirect', async () => {
  const open = (uri: string) =>
    ask(`${world.url}/dialog/request?client_id=${world.app.clientId}&redirect_uri=${encodeURIComponent(uri)}`, {
      headers: { cookie: world.ann.cookie(), origin: 'https://evil.example' },
    });
  assert.is((await open(BASE)).status, 200);
  for (const uri of [
    ...[
      'https://app.example/cb',
      `${BASE}&x`,
      `${BASE}#`,
      `${BASE}#x`,
      `${BASE} `,
      ` ${BASE}`,
      `${BASE}\n`,
      `${BASE}\u0000`,
    ],
    ...['https://APP.example/cb?keep=1', 'HTTPS://app.example/cb?keep=1', 'https://app.example:443/cb?keep=1'],
    ...['https://app.example/cb/?keep=1', 'https://app.example/x/../cb?keep=1', 'https://app.example/%63b?keep=1'],
    ...['https://u@app.example/cb?keep=1', 'https://app.example.evil.example/cb?keep=1', '//app.example/cb?keep=1'],
    ...['https://app.example\\@evil.example/cb?keep=1', 'javascript:alert(1)', 'https://app.examplé/cb?keep=1'],
  ]) {
    const { status, headers } = await open(uri);
    assert.is(status, 400, JSON.stringify(uri));
    assert.is(headers.location, undefined);
    assert.is(headers['access-control-allow-origin'], undefined);
    assert.is(headers['x-frame-options'], 'DENY');
    assert.is(headers['referrer-policy'], 'no-referrer');
    assert.is(headers['cache-control'], 'no-store');
    assert.match(String(headers['content-security-policy']), "frame-ancestors 'none'");
  }
});

test('who asks is named once; before a login nobody is sent to another site', async () => {
  const id = world.app.clientId;
  const cookie = world.ann.cookie();
  for (const query of [
    '',
    'client_id=',
    'client_id=x',
    `client_id=${id}&client_id=${id}`,
    `client_id[]=${id}`,
    `client_id=${id}%00`,
  ]) {
    const { status, headers } = await ask(`${world.url}/dialog/request?${query}`, { headers: { cookie } });
    assert.equal([status, headers.location], [400, undefined], query);
  }
  const visitor = await ask(`${world.url}/dialog/request?client_id=${id}&response_type=token`);
  assert.match(String(visitor.headers.location), /^\/auth\/login\?redirect_uri=%2Fdialog/);
  const state = 'ä"<>&=%+ #';
  const query = `client_id=${id}&response_type=token&state=${encodeURIComponent(state)}`;
  const { headers } = await ask(`${world.url}/dialog/request?${query}`, { headers: { cookie } });
  const location = new URL(String(headers.location));
  assert.is(location.origin + location.pathname, 'https://app.example/cb');
  assert.is(location.searchParams.get('state'), state);
  assert.is(location.searchParams.get('keep'), '1');
});

test('what an app may register', async () => {
  const register = async (uri: string) =>
    !(await world.site.app.emit('app-create', { title: 'x', owner: 1, redirect_uris: [uri] })).isError();
  for (const uri of ['https://x.example/cb', 'http://127.0.0.1/cb', 'http://[::1]/cb', 'com.example.app:/cb'])
    assert.ok(await register(uri), uri);
  for (const uri of [
    ...[
      'http://evil.example/cb',
      'http://localhost.evil/cb',
      'http://127.0.0.1.evil/cb',
      'https://x/cb#',
      'https://x/cb#a',
    ],
    ...[
      '/cb',
      'cb',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'myapp:/cb',
      'https:x.example/cb',
      'https:///cb',
    ],
    ...[
      'https://u:p@x/cb',
      'https://x/cb\tset-cookie:a',
      'https://x/ü',
      'ftp://x/',
      'vbscript:x',
      'about:blank',
      'blob:https://x/1',
    ],
  ]) {
    assert.not.ok(await register(uri), uri);
  }
});

test('a host cannot add to the policy of the dialog', () => {
  for (const uri of ['https://x;sandbox/cb', 'https://x,y/cb', "https://x'y/cb", 'https://*/cb', 'https://[::1]/cb'])
    assert.is(toFormAction(uri), 'https:', uri);
  assert.is(toFormAction('https://x.example:8443/cb'), 'https://x.example:8443');
});

test('a code is for its app, its address and once; a wrong try takes nothing', async () => {
  const { site, url, app } = world;
  const other = await site.app.emit('app-create', {
    title: 'Other',
    owner: 2,
    redirect_uris: ['https://o.example/cb'],
  });
  const shown = await world.ann.post(`/dialog/request?client_id=${app.clientId}`, {
    action: 'allow',
    'permissions[]': 'profile_read',
  });
  const code = new URL(shown.location).searchParams.get('code') ?? '';
  const right = { client_id: app.clientId, client_secret: app.secret, code };
  const exchange = (fields: Record<string, string>) =>
    ask(`${url}/rest/access?${new URLSearchParams({ ...right, ...fields })}`, { method: 'POST' });
  const wrong: Record<string, string>[] = [
    { client_id: String(other.getResults('client_id')), client_secret: String(other.getResults('client_secret')) },
    { code: 'tk_ac_unknown' },
    { redirect_uri: 'https://evil.example/cb' },
    { code_verifier: 'a'.repeat(43) },
  ];
  const bodies = new Set<string>();
  for (const fields of wrong) {
    const { status, headers, text } = await exchange(fields);
    assert.equal([status, headers['oauth-error'], headers['cache-control']], [400, 'invalid_grant', 'no-store']);
    bodies.add(text);
  }
  assert.is(bodies.size, 1);
  assert.is((await exchange({ client_secret: 'wrong' })).status, 401);
  const good = await exchange({});
  assert.is(good.status, 200);
  const token = JSON.parse(good.text).results.access_token as string;
  const read = async (bearer: string) =>
    (await ask(`${url}/rest/user/profile/detail`, { headers: { authorization: `Bearer ${bearer}` } })).status;
  assert.equal([await read(token), await read(code)], [200, 401]);
  assert.is((await exchange({ client_secret: 'wrong' })).status, 401);
  assert.is(await read(token), 200);
  assert.is((await exchange({})).status, 400);
  assert.is(await read(token), 401);
  assert.is((await exchange({ code: token })).status, 400);
});

test('wrong secrets are counted, the right one is let through', async () => {
  const query = (secret: string) => `client_id=${world.app.clientId}&client_secret=${secret}&code=x`;
  const statuses = new Set<number>();
  for (let guess = 0; guess < 25; guess += 1) {
    const headers = { 'x-forwarded-for': `1.1.1.${guess}` };
    statuses.add((await ask(`${world.url}/rest/access?${query(`x${guess}`)}`, { method: 'POST', headers })).status);
  }
  assert.equal([...statuses], [401, 429]);
  assert.is((await ask(`${world.url}/rest/access?${query(world.app.secret)}`, { method: 'POST' })).status, 400);
});

test('an account event behind a REST call gives nobody a rank, and reaches nobody else', async () => {
  const { Request } = await import('../../src/core/request/request.ts');
  const { Response } = await import('../../src/core/request/response.ts');
  const { context } = world.site.app;
  const post = { auth_slug: 'c@example.org', auth_password: 'a long enough word', profile_name: 'C' };
  for (const [name, value] of Object.entries({ auth_type: 'admin', auth_active: '1', profile_id: '1' })) {
    const request = new Request({ post: () => ({ ...post, [name]: value }) });
    request.callFacts = { isPatch: false, fixed: undefined, aggregate: [], isRemovedOpen: false, isUser: false };
    const response = new Response(request);
    await asSystem(() => context.emit('auth-create', request, response));
    assert.is(response.getValidation(name), 'Cannot be set by a request');
  }
  const fields: Record<string, unknown>[] = [{ profile_name: 'Taken' }, {}, { auth_password: 'another long word' }];
  for (const [index, event] of ['auth-update', 'auth-detail', 'auth-remove'].entries()) {
    const request = new Request().setStage({ auth_id: 2, ...fields[index] });
    const response = new Response(request);
    await runAs(createOwnerAccess({ kind: 'user' }, 1), () => context.emit(event, request, response));
    assert.is(response.getStatus(), 404, event);
  }
});

test.run();
