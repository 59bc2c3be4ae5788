import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Answer, Sent } from '../../client.ts';
import { bearer, startWorld, type World } from './_server.ts';

const test = suite('rest: which origins may read');
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** What `server.cors` may be. */
const SITES = { open: undefined, closed: [], listed: ['https://listed.example'], every: ['*'] } as const;
type Kind = keyof typeof SITES;
const worlds: Partial<Record<Kind, { world: World; address: string }>> = {};

test.before(async () => {
  for (const [kind, cors] of Object.entries(SITES)) {
    const world = await startWorld({ settings: { api: true, server: { ...(cors && { cors }) } } });
    worlds[kind as Kind] = { world, address: await world.app.context.services.files.save(PNG, 'png') };
  }
});
test.after(async () => {
  for (const { world } of Object.values(worlds)) await world.close();
});

const FOREIGN = 'https://foreign.example';
const LISTED = 'https://listed.example';
/** The only origin of the app `reader`, whose token is sent. */
const OWN = 'https://reader.example';

const PREFLIGHT = { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } };
const JSON_POST = { method: 'POST', headers: { 'content-type': 'application/json' } };

const BATCH = '[{ "call": "public-note-create", "body": { "note_title": "x", "profile_id": 1 } }]';

/** What needs no credentials. */
const OPEN: readonly [name: string, path: string, status: number, sent?: Sent][] = [
  ['a public call', '/rest/public/note/search', 200],
  ['a public row that is not there', '/rest/public/note/detail/9999', 404],
  ['a public call with an unknown parameter', '/rest/public/note/search?sorrt=x', 400],
  ['a public call with a broken body', '/rest/public/note/create', 400, { ...JSON_POST, body: '{"a' }],
  ['a public call of another method', '/rest/public/note/search', 405, { method: 'DELETE' }],
  ['a batch of public calls', '/rest/public/batch', 200, { ...JSON_POST, body: BATCH }],
  ['a batch of public calls that is refused', '/rest/public/batch', 400, { ...JSON_POST, body: '[]' }],
  ['the preflight of a batch of public calls', '/rest/public/batch', 204, PREFLIGHT],
  ['a public batch', '/rest/public/batch', 400, { ...JSON_POST, body: '[]' }],
  ['a public batch with a broken body', '/rest/public/batch', 400, { ...JSON_POST, body: '[{' }],
  ['the preflight of a public batch', '/rest/public/batch', 204, PREFLIGHT],
  ['the preflight of a public call', '/rest/public/note/create', 204, PREFLIGHT],
  ['a call that is not there', '/rest/public/notes', 404],
  ['the preflight of a call that is not there', '/rest/public/notes', 204, PREFLIGHT],
  ['a path with broken percent-encoding', '/rest/%ff', 404],
  ['the OpenAPI document', '/developer/docs/openapi.json', 200],
  ['the metadata of the authorization server', '/.well-known/oauth-authorization-server', 200],
  ['the metadata of the API', '/.well-known/oauth-protected-resource', 200],
  ['metadata that is not there', '/.well-known/openid-configuration', 404],
  ['the metadata of another issuer', '/.well-known/oauth-authorization-server/other', 404],
  ['an upload', 'UPLOAD', 200],
  ['a part of an upload', 'UPLOAD', 206, { headers: { range: 'bytes=0-3' } }],
  ['an upload that is not there', '/upload/AAAAAAAAAAAAAAAAAAAAAA.png', 404],
  ['a page that is not there', '/nothing', 404],
  ['a file that is not there', '/nothing.css', 404],
];

/** What is for one caller, or for people. */
const KEPT: readonly [name: string, path: string, sent?: Sent][] = [
  ['a user call', '/rest/user/note/search', { headers: bearer }],
  ['a user call without a token', '/rest/user/note/search'],
  ['a row of a user that is not there', '/rest/user/note/detail/9999', { headers: bearer }],
  ['the preflight of a user call', '/rest/user/note/create', PREFLIGHT],
  ['an app call', '/rest/public/app/note/search?client_id=reader'],
  ['the token endpoint', '/oauth/token', { method: 'POST', body: 'x=y' }],
  ['the classic exchange', '/rest/access', { method: 'POST', body: 'x=y' }],
  ['the dialog', '/dialog/request?client_id=reader'],
  ['a page', '/auth/login'],
  ['the admin section', '/admin'],
];

const at = (kind: Kind): { world: World; address: string } => worlds[kind] as { world: World; address: string };

async function ask(kind: Kind, path: string, origin: string | undefined, sent: Sent = {}): Promise<Answer> {
  const { world, address } = at(kind);
  const headers = { ...sent.headers, ...(origin === undefined ? {} : { origin }) };
  const answer = await world.ask(path === 'UPLOAD' ? address : path, { ...sent, headers });
  assert.is(answer.headers['access-control-allow-credentials'], undefined, path);
  return answer;
}

const allowed = ({ headers }: Answer): string | undefined => headers['access-control-allow-origin'];
const varies = ({ headers }: Answer): boolean => /\borigin\b/i.test(String(headers.vary ?? ''));

for (const [name, path, status, sent] of OPEN) {
  test(`${name} (${status}) is for every origin, in one form for caches, unless the settings list origins`, async () => {
    for (const origin of [FOREIGN, LISTED, OWN, 'null', undefined]) {
      const open = await ask('open', path, origin, sent);
      assert.is(open.status, status, open.text);
      assert.is(allowed(open), '*', String(origin));
      assert.not.ok(varies(open), String(origin));
    }
    for (const kind of ['closed', 'listed'] as const) {
      const foreign = await ask(kind, path, FOREIGN, sent);
      assert.is(foreign.status, status);
      assert.is(allowed(foreign), undefined, kind);
      assert.ok(varies(foreign), kind);
    }
    assert.is(allowed(await ask('listed', path, LISTED, sent)), LISTED);
    assert.ok([FOREIGN, '*'].includes(String(allowed(await ask('every', path, FOREIGN, sent)))));
  });
}

for (const [name, path, sent] of KEPT) {
  test(`${name} is not for a foreign origin, whether or not the settings list origins`, async () => {
    for (const kind of ['open', 'closed', 'listed'] as const)
      assert.is(allowed(await ask(kind, path, FOREIGN, sent)), undefined, kind);
  });
}

test('the own origin of an app reads its calls, however the settings are', async () => {
  for (const kind of ['open', 'closed', 'listed'] as const) {
    for (const [path, sent] of [
      ['/rest/user/note/search', { headers: bearer }],
      ['/rest/user/note/create', PREFLIGHT],
      ['/rest/public/app/note/search?client_id=reader', {}],
      ['/oauth/token', { method: 'POST', body: 'x=y' }],
    ] as const) {
      const answer = await ask(kind, path, OWN, sent);
      assert.is(allowed(answer), path === '/oauth/token' ? undefined : OWN, `${kind} ${path}`);
    }
    const own = allowed(await ask(kind, '/rest/public/note/search', OWN));
    assert.is(own, kind === 'open' ? '*' : OWN, kind);
    assert.is(allowed(await ask(kind, '/rest/%ff', OWN)), kind === 'open' ? '*' : OWN, kind);
  }
});

test('a path below /.well-known that leads nowhere is a short problem document, whatever is accepted', async () => {
  for (const path of ['/.well-known/openid-configuration', '/.well-known/a/b', '/.well-known/']) {
    for (const accept of ['text/html', '*/*', 'application/json']) {
      const answer = await ask('open', path, undefined, { headers: { accept } });
      assert.is(answer.status, 404);
      assert.match(String(answer.headers['content-type']), /^application\/(?:problem\+)?json/);
      assert.is(answer.json().status, 404);
      assert.ok(answer.text.length < 500, answer.text);
    }
  }
});

test('the preflight of a public call tells what may be sent, and is kept for ten minutes', async () => {
  const { headers } = await ask('open', '/rest/public/note/create', FOREIGN, PREFLIGHT);
  assert.is(headers['access-control-allow-methods'], 'OPTIONS, POST');
  assert.match(String(headers['access-control-allow-headers']), /Content-Type/);
  assert.is(headers['access-control-max-age'], '600');
});

test.run();
