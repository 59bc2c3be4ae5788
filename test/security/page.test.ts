import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask } from '../client.ts';
import { DIALECT } from '../database/_where.ts';
import type { Project } from '../project.ts';
import { startWorld, type World } from './_world.ts';

/** Attacks through a browser: cross-site posts, foreign URLs, sessions, and what is stored or logged. */
const test = suite('security: pages and secrets');

let world: World;
const secrets: string[] = [];
const PASSWORD = 'a long enough word';

function addBrokenRoute(project: Project): void {
  const file = 'app/www/src/controller/static.ts';
  const code = project.read(file).replace('import type { App }', 'import { type App, TreadleError }');
  const route = "app.get('/broken', () => { throw new TreadleError('X', 'Not so.', { status: 400 }); });";
  project.write(file, code.replace('(app: App) {', `(app: App) {\n${route}`));
}

test.before(async () => {
  world = await startWorld(addBrokenRoute, 'development');
  secrets.push(world.app.secret, PASSWORD, ...[world.ann, world.ben].map((each) => each.cookie().slice('sid='.length)));
});

test.after(() => world.close());

const FORM = 'application/x-www-form-urlencoded';
const comment = (headers: Record<string, string>, type = FORM, body = 'comment_detail=said') =>
  ask(`${world.url}/article/1`, {
    method: 'POST',
    headers: { cookie: world.ann.cookie(), 'content-type': type, ...headers },
    body,
  });

test('a post is taken from this site, or from no browser', async () => {
  const taken: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: world.url },
  ];
  const refused: Record<string, string>[] = [
    ...['cross-site', 'same-site', 'x', ''].map((site) => ({ 'sec-fetch-site': site })),
    ...['null', 'https://evil.example', 'http://127.0.0.1:1', 'x'].map((origin) => ({ origin })),
    { 'sec-fetch-site': 'cross-site', origin: world.url },
    { origin: world.url.replace('http:', 'https:') },
  ];
  for (const headers of taken) assert.is((await comment(headers)).status, 303, JSON.stringify(headers));
  for (const headers of refused) assert.is((await comment(headers)).status, 403, JSON.stringify(headers));
  for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=b', FORM])
    assert.is((await comment({ 'sec-fetch-site': 'cross-site' }, type)).status, 403, type);
  assert.is((await comment({}, FORM, 'comment_detail=x&csrf=wrong')).status, 403);
  assert.is((await comment({}, FORM, 'comment_detail=x&csrf[]=wrong')).status, 403);
});

test('a session is never adopted, is renewed by login, and ends at the server', async () => {
  const login = `auth_slug=ann@example.org&auth_password=${encodeURIComponent(PASSWORD)}`;
  const fixed = await ask(`${world.url}/auth/login`, {
    method: 'POST',
    headers: { cookie: 'sid=chosenbytheattacker', 'content-type': FORM },
    body: login,
  });
  const [cookie = ''] = fixed.headers['set-cookie'] as string[];
  assert.match(cookie, /^sid=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
  const browser = world.site.browser();
  await browser.post('/auth/login', { auth_slug: 'ann@example.org', auth_password: PASSWORD });
  const first = browser.cookie();
  await browser.post('/auth/login', { auth_slug: 'ann@example.org', auth_password: PASSWORD });
  const second = browser.cookie();
  assert.is.not(first, second);
  const status = async (cookies: string) =>
    (await ask(`${world.url}/auth/account`, { headers: { cookie: cookies } })).status;
  assert.equal([await status('sid=chosenbytheattacker'), await status(first), await status(second)], [303, 303, 200]);
  await browser.post('/auth/logout', {});
  assert.is(await status(second), 303);
  secrets.push(...[first, second].map((each) => each.slice('sid='.length)), cookie.slice(4, 47));
});

test('login redirects to a path of this site only', async () => {
  for (const target of [
    ...[
      '//evil.example',
      '/\\evil.example',
      '///evil.example',
      '\t//evil.example',
      '/\t/evil.example',
      '/..//evil.example',
    ],
    ...[
      '/.//evil.example',
      '/a/..//evil.example',
      'https://evil.example',
      'https:evil.example',
      '\\\\evil.example',
      '.evil',
    ],
    ...[
      'javascript:alert(1)',
      '/x\r\nset-cookie:a=1',
      '/\u0000/evil.example',
      '/%09/evil.example',
      '/%5cevil.example',
      '/@evil',
      '',
    ],
  ]) {
    const path = `/auth/login?redirect_uri=${encodeURIComponent(target)}`;
    const { location } = await world.ann.get(path);
    assert.is(new URL(location, world.url).origin, world.url, JSON.stringify(target));
    assert.not.match(location, /^\/[/\\]|[\r\n]/);
  }
});

test('an address, a scheme or a client is not taken from a header', async () => {
  const cookie = world.ann.cookie();
  const headers: Record<string, string>[] = [
    { host: 'evil.example' },
    ...['x-forwarded-host', 'x-host', 'x-original-url', 'x-rewrite-url'].map((name) => ({ [name]: 'evil.example' })),
    { forwarded: 'host=evil.example;proto=https' },
    { 'x-forwarded-proto': 'https' },
  ];
  for (const header of headers) {
    for (const path of [
      '/auth/login',
      '/developer/app/search?code=abc',
      '/developer/docs/openapi.json',
      '/rest/public/article/search?limit=1',
    ]) {
      const answer = await ask(world.url + path, { headers: { cookie, ...header } });
      if (header.host !== undefined) {
        assert.is(answer.status, 421, 'in development another name is told so, and gets nothing else');
        continue;
      }
      assert.not.match(answer.text + JSON.stringify(answer.headers), 'evil.example', path);
      assert.is(answer.headers['strict-transport-security'], undefined);
    }
  }
});

test('guessing is slowed for every address that a header claims', async () => {
  const statuses: number[] = [];
  for (let guess = 0; guess < 7; guess += 1) {
    const answer = await ask(`${world.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': FORM, 'x-forwarded-for': `1.2.3.${guess}`, 'x-real-ip': `1.2.3.${guess}` },
      body: `auth_slug=${guess % 2 ? 'ben@example.org' : '%20BEN%40EXAMPLE.ORG%20'}&auth_password=wrong${guess}`,
    });
    statuses.push(answer.status);
  }
  assert.equal(statuses, [401, 401, 401, 401, 401, 429, 429]);
});

test('an e-mail or a password of any length is not kept and not hashed', async () => {
  for (const form of [
    { auth_slug: 'a'.repeat(9000), auth_password: 'x' },
    { auth_slug: 'a@b.c', auth_password: 'a'.repeat(9000) },
  ]) {
    const statuses = new Set<number>();
    for (let count = 0; count < 12; count += 1)
      statuses.add((await world.site.browser().post('/auth/login', form)).status);
    assert.equal([...statuses], [401]);
  }
});

test('sign-ups from one address are slowed, so that nobody keeps the others from logging in', async () => {
  const body = 'profile_name=&auth_slug=x&auth_password=x&confirm=y';
  const statuses = new Set<number>();
  for (let count = 0; count < 40; count += 1) {
    const headers = { 'content-type': FORM, 'x-forwarded-for': `9.9.9.${count}` };
    const { status, headers: answered } = await ask(`${world.url}/auth/signup`, { method: 'POST', headers, body });
    statuses.add(status);
    if (status === 429) assert.ok(Number(answered['retry-after']) > 0);
  }
  assert.equal([...statuses], [422, 429]);
});

test('an e-mail with invisible or cursor characters is refused', async () => {
  for (const slug of [
    'a\u0000b@x.example',
    'a\u001b[31m@x.example',
    'a\u200bb@x.example',
    'a\u202eb@x.example',
    'a b@x.example',
  ]) {
    const answer = await world.site.app.emit('auth-create', {
      auth_slug: slug,
      auth_password: PASSWORD,
      profile_name: 'X',
    });
    assert.is((answer.getValidation() as Record<string, string>).auth_slug, 'Should be a valid e-mail address', slug);
  }
});

test('what is echoed is text', async () => {
  const hostile = '<script>alert(1)</script>"onx=';
  const { app } = world.site;
  await app.emit('system-model-update', { schema: 'profile', profile_id: 1, profile_name: hostile });
  const made = await app.emit('system-model-create', {
    schema: 'article',
    article_title: hostile,
    article_author: '{{7*7}}{{{x}}}',
    article_detail: `<p onclick="alert(1)">x</p><script>alert(1)</script><img src=x onerror=alert(1)>`,
  });
  await comment({}, FORM, `comment_detail=${encodeURIComponent(hostile)}`);
  const id = made.getResults('article_id');
  for (const path of [
    '/articles',
    `/article/${id}`,
    '/article/1',
    `/articles?q=${encodeURIComponent(hostile)}`,
    `/${hostile}`,
    '/auth/account',
  ]) {
    const { text: body, headers } = await ask(world.url + encodeURI(path), { headers: { cookie: world.ann.cookie() } });
    assert.not.match(body, /<script>alert|onerror|onclick|"onx=/, path);
    assert.not.match(body, />49</, path);
    assert.match(String(headers['content-security-policy']), "default-src 'self'");
    assert.not.match(String(headers['content-security-policy']), 'unsafe');
  }
});

test('nothing outside public/ is served', async () => {
  for (const path of [
    ...[
      '/.env',
      '/%2eenv',
      '/..%2f.env',
      '/../.env',
      '/var/app.db',
      '/config/settings.json',
      '/app/www/.treadle.ts',
      '/.git/config',
    ],
    ...[
      '/styles/../../.env',
      '/styles/..%2f..%2f.env',
      '/styles/%2e%2e/%2e%2e/.env',
      '/styles/..%5c..%5c.env',
      '/scripts/..%2fstyles%2ftreadle.css',
    ],
    ...[
      '/styles/treadle%00.css',
      '/styles/.treadle.css',
      '/package.json',
      '/%c0%ae%c0%ae/.env',
      '/developer/docs/__proto__',
    ],
    ...[
      '/developer/docs/calls/..%2f..%2f.env',
      '/developer/docs/schemas/constructor',
      '/%252e%252e/.env',
      '/styles/app.css/../../.env',
    ],
  ]) {
    const { status, text: body } = await ask(world.url + path);
    assert.is(status, 404, path);
    assert.not.match(body, 'TREADLE_SECRET');
  }
});

test('an error page of somebody logged in is in the look of the site', async () => {
  const { status, text: body } = await ask(`${world.url}/article/%zz`, { headers: { cookie: world.ann.cookie() } });
  assert.is(status, 404);
  assert.match(body, 'class="t-site"');
  const broken = await ask(`${world.url}/broken`, { headers: { cookie: world.ann.cookie() } });
  assert.is(broken.status, 400);
  assert.match(broken.text, 'class="t-site"');
  assert.not.match(world.log.join('\n'), 'error page failed');
});

test('no token, code, secret, cookie or password is in the log or in the database', async () => {
  const { clientId } = world.app;
  const token = await world.authorize(world.ann);
  secrets.push(token.access, token.secret);
  const shown = await world.ann.post(`/dialog/request?client_id=${clientId}`, { action: 'allow' });
  const code = new URL(shown.location).searchParams.get('code') ?? '';
  secrets.push(code);
  for (const path of [
    ...[
      `/developer/app/search?code=${code}`,
      `/auth/login?redirect_uri=${encodeURIComponent(`/developer/app/search?code=${code}`)}`,
    ],
    ...[
      `/x/${token.access}`,
      `/rest/user/profile/detail?acc%65ss_token=${token.access}`,
      `/rest/user/x?a[b]=${token.secret}`,
    ],
    `/rest/public/app/thing/search?client_id=${clientId}&client_secret=${world.app.secret}`,
  ]) {
    await ask(world.url + path);
  }
  const { database } = world.site.app.services;
  const tables = world.site.app.plan.tables.map(({ name }) => name);
  let dump = '';
  for (const table of [...tables, 'profile', 'thing'])
    dump += JSON.stringify(await database.kysely.selectFrom(table).selectAll().execute());
  const folder = join(world.site.root, 'var');
  const listFiles = () =>
    readdirSync(folder, { withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(folder, file.name), 'latin1'));
  // SQLite's file keeps deleted rows; a server's files are not here.
  const files = DIALECT === 'sqlite' ? { files: listFiles().join('') } : {};
  const places = { log: world.log.join('\n'), dump, ...files };
  for (const [place, text] of Object.entries(places)) {
    assert.ok(text.length > 100, place);
    assert.equal(
      secrets.filter((secret) => secret.length < 8 || text.includes(secret)),
      [],
      place,
    );
  }
});

test.run();
