import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { digest } from '../../../src/core/secret/secret.ts';
import type { Answer } from '../auth/_site.ts';
import { authorize, CALLBACK, CHALLENGE, createWorld, PKCE, type World } from './_flow.ts';

/** The standard authorization endpoint, by the ids of the list of requirements. */
const authorization = suite<World>('conformance: authorization');
authorization.before(async (at) => {
  Object.assign(at, await createWorld());
});
authorization.after(({ site }) => site.close());

const ISSUER = 'http://127.0.0.1:3000';
const BASE = `response_type=code&${PKCE}`;
const open = ({ site, una }: World, query: string): Promise<Answer> => site.get(`/oauth/authorize?${query}`, una());
const decide = ({ site, una }: World, query: string, body: string): Promise<Answer> =>
  site.post(`/oauth/authorize?${query}`, body, { session: una() });

/** A refusal that redirects to the app. */
function isRefused(answer: Answer, error: string, at = CALLBACK): URLSearchParams {
  assert.is(answer.status, 303);
  const to = new URL(answer.location);
  assert.is(to.origin + to.pathname, at);
  assert.is(to.searchParams.get('error'), error);
  assert.is(to.searchParams.get('code'), null);
  return to.searchParams;
}

const findRow = async ({ site }: World, code: string) =>
  (await site.rows('treadle_code')).find(({ code_hash: hash }) => hash === digest(code));

function isPage(answer: Answer, name: string): void {
  assert.is(answer.status, 400, name);
  assert.is(answer.location, '', name);
  assert.match(answer.text, 'This request cannot be answered', name);
}

authorization('A1: an unknown or missing client is an error page, never a redirect', async (world) => {
  for (const query of [BASE, `${BASE}&client_id=`, `${BASE}&client_id=nobody&redirect_uri=${CALLBACK}`]) {
    isPage(await open(world, query), query);
  }
});

authorization('A2: a redirect address that differs by one byte is an error page', async (world) => {
  const odd = ['/cb/', '/CB', '/cb?', '/cb#', '/cb%2F', '/x/../cb', '/cb?a=b', '/c', '/cbb'];
  for (const path of odd) {
    const uri = encodeURIComponent(`https://app.example${path}`);
    isPage(await open(world, `${BASE}&client_id=reader&redirect_uri=${uri}`), path);
  }
  for (const uri of [
    'https://u@app.example/cb',
    'https://app.example:444/cb',
    'http://app.example/cb',
    'https://evil.example/cb',
  ]) {
    isPage(await open(world, `${BASE}&client_id=reader&redirect_uri=${encodeURIComponent(uri)}`), uri);
  }
});

authorization('A3: a loopback address may have any port, and nothing else may differ', async (world) => {
  for (const uri of ['http://127.0.0.1:51004/cb', 'http://127.0.0.1/cb', 'http://[::1]:2/cb']) {
    const answer = await open(world, `${BASE}&client_id=native&redirect_uri=${encodeURIComponent(uri)}`);
    assert.is(answer.status, 200, uri);
  }
  for (const uri of ['http://x@127.0.0.1:1/cb', 'http://localhost:1/cb', 'http://127.0.0.1:1/no']) {
    isPage(await open(world, `${BASE}&client_id=native&redirect_uri=${encodeURIComponent(uri)}`), uri);
  }
});

const registered: [id: string, uri: string, isTaken: boolean][] = [
  ['A4', 'http://app.example/cb', false],
  ['A4', 'http://192.168.1.1/cb', false],
  ['A4', 'http://127.0.0.1:1/cb', true],
  ['A5', 'https://app.example/cb#part', false],
  ['A5', '/cb', false],
  ['A5', 'javascript:alert(1)', false],
  ['A5', 'data:text/html,x', false],
  ['A5', 'file:///etc/passwd', false],
  ['A5', 'myapp:/cb', false],
  ['A5', 'com.example.myapp:/cb', true],
];
for (const [id, uri, isTaken] of registered) {
  authorization(`${id}: registering ${uri} is ${isTaken ? 'taken' : 'refused'}`, async ({ site }) => {
    const answer = await site.emit('app-create', { title: 'One', owner: 1, redirect_uris: [uri] });
    assert.is(answer.isError(), !isTaken);
    if (!isTaken) assert.ok(answer.getValidation('redirect_uris'));
  });
}

authorization('A6: two registered addresses need one to be named, a single one is used', async (world) => {
  isPage(await open(world, `${BASE}&client_id=two`), 'two');
  assert.is((await open(world, `${BASE}&client_id=reader`)).status, 200);
});

authorization('A7: response_type must be there and be code', async (world) => {
  isRefused(await open(world, `client_id=reader&${PKCE}`), 'invalid_request');
  for (const type of ['token', 'id_token', 'code%20token']) {
    isRefused(await open(world, `client_id=reader&${PKCE}&response_type=${type}`), 'unsupported_response_type');
  }
});

authorization('A8: a parameter twice is refused, an empty one is absent, an unknown one ignored', async (world) => {
  for (const name of ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method']) {
    const query = `${BASE}&scope=profile_read&state=s&client_id=reader&${name}=x`;
    const back = isRefused(await open(world, query), 'invalid_request');
    assert.is(back.get('state'), name === 'state' ? null : 's');
  }
  assert.is((await open(world, `${BASE}&client_id=reader&scope=&state=&prompt=consent&resource=`)).status, 200);
});

authorization('T22: a resource of another server is refused at the app, one of this server is taken', async (world) => {
  const named = (uri: string) => `${BASE}&client_id=reader&state=s&resource=${encodeURIComponent(uri)}`;
  for (const uri of ['https://other.example/', `${ISSUER}.other.example/`, `${ISSUER}/#a`, `${ISSUER}/blog`, 'site'])
    assert.is(isRefused(await open(world, named(uri)), 'invalid_target').get('state'), 's', uri);
  const both = `${named(`${ISSUER}/`)}&resource=${encodeURIComponent('https://other.example/')}`;
  isRefused(await open(world, both), 'invalid_target');
  isRefused(await decide(world, both, 'action=allow'), 'invalid_target');
  for (const uri of [ISSUER, `${ISSUER}/`, `${ISSUER}/rest`])
    assert.is((await open(world, `${named(uri)}&resource=${encodeURIComponent(ISSUER)}`)).status, 200, uri);
});

authorization('A9: state comes back byte for byte, on success and on error; absent stays absent', async (world) => {
  for (const sent of [
    'a+b',
    'a%20b',
    '%41%2b%26%3d',
    '%ff%fe',
    '%',
    '100%zz',
    '%E7%94%B0',
    '\'"><script>',
    'x'.repeat(2000),
    '[]{}|^`',
  ]) {
    const query = `${BASE}&client_id=reader&state=${sent}`;
    const answers = [
      await decide(world, query, 'action=allow'),
      await decide(world, query, 'action=deny'),
      await open(world, `${query}&scope=nothing`),
    ];
    for (const { location } of answers) {
      assert.match(location, /^[\x21-\x7e]+$/);
      assert.is(new URL(location).searchParams.get('state'), new URLSearchParams(`state=${sent}`).get('state'), sent);
    }
  }
  const raw = await decide(world, `${BASE}&client_id=reader&state=%ff%00%0d%0a`, 'action=deny');
  assert.match(raw.location, 'state=%ff%00%0d%0a', 'bytes that are not text come back as they were sent');
  assert.not.ok((await authorize(world)).has('state'));
});

authorization('A10: a public app needs a challenge', async (world) => {
  isRefused(await open(world, 'response_type=code&client_id=public'), 'invalid_request');
  assert.is((await open(world, `${BASE}&client_id=public`)).status, 200);
});

authorization('A11: a confidential app needs one too, unless its record says that it is optional', async (world) => {
  isRefused(await open(world, 'response_type=code&client_id=reader'), 'invalid_request');
  assert.is((await open(world, 'response_type=code&client_id=lenient')).status, 200);
});

authorization(
  'A11: /dialog/request with response_type keeps the standard’s rules, without it the classic ones',
  async ({ site, una }) => {
    isRefused(await site.get('/dialog/request?response_type=code&client_id=reader', una()), 'invalid_request');
    assert.is((await site.get('/dialog/request?client_id=reader', una())).status, 200);
  },
);

authorization('A12: only S256, and a challenge needs its method', async (world) => {
  for (const method of ['&code_challenge_method=plain', '', '&code_challenge_method=s256']) {
    isRefused(
      await open(world, `response_type=code&client_id=reader&code_challenge=${CHALLENGE}${method}`),
      'invalid_request',
    );
  }
});

authorization('A13: a challenge has 43 to 128 characters of the unreserved set', async (world) => {
  const query = 'response_type=code&client_id=reader&code_challenge_method=S256&code_challenge=';
  for (const challenge of ['a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(42)}%2B`, `${'a'.repeat(42)}%C3%A9`]) {
    isRefused(await open(world, query + challenge), 'invalid_request');
  }
  for (const challenge of ['a'.repeat(43), 'a'.repeat(128), `${'a'.repeat(39)}-._~`]) {
    assert.is((await open(world, query + challenge)).status, 200);
  }
});

authorization('A14: an unknown scope is refused, or left out where the app’s record says so', async (world) => {
  for (const scope of ['nothing', 'profile_read+nothing', 'other', 'profile_read,profile_write']) {
    isRefused(await open(world, `${BASE}&client_id=reader&scope=${scope}`), 'invalid_scope');
  }
  const answer = await open(world, `${BASE}&client_id=ignoring&scope=openid+profile_read+email`);
  assert.is(answer.status, 200);
  assert.match(answer.text, 'value="profile_read"');
  assert.not.match(answer.text, 'value="openid"');
});

authorization('A15: Deny leads back with access_denied and stores nothing', async (world) => {
  const before = await Promise.all(['treadle_grant', 'treadle_code'].map((table) => world.site.rows(table)));
  const back = isRefused(await decide(world, `${BASE}&client_id=reader&state=s`, 'action=deny'), 'access_denied');
  assert.is(back.get('state'), 's');
  assert.is(back.get('iss'), ISSUER);
  const after = await Promise.all(['treadle_grant', 'treadle_code'].map((table) => world.site.rows(table)));
  assert.equal(after, before);
});

authorization('A16: iss is in every answer of the standard door, and in none of the classic one', async (world) => {
  const { site, una } = world;
  const query = `${BASE}&client_id=reader`;
  assert.is((await authorize(world)).get('iss'), ISSUER);
  assert.is(isRefused(await open(world, `${query}&scope=nothing`), 'invalid_scope').get('iss'), ISSUER);
  for (const path of [`/dialog/request?client_id=reader`, `/dialog/request?${query}`]) {
    const { location } = await site.post(path, 'action=allow', { session: una() });
    assert.not.ok(new URL(location).searchParams.has('iss'), path);
    assert.ok(new URL(location).searchParams.has('code'), path);
  }
});

authorization('A17: a query that the address has is kept', async (world) => {
  const { location } = await decide(world, `${BASE}&client_id=query`, 'action=allow');
  assert.match(location, /^https:\/\/app\.example\/cb\?x=1&code=/);
});

authorization('A18: the answer to the dialog is 303', async (world) => {
  for (const action of ['allow', 'deny']) {
    assert.is((await decide(world, `${BASE}&client_id=reader`, `action=${action}`)).status, 303);
  }
});

authorization(
  'A19, A20, A22: dialog, error page and redirects are not framed, shared, stored or told of',
  async (world) => {
    const answers = [
      await open(world, `${BASE}&client_id=reader`),
      await open(world, ''),
      await open(world, `${BASE}&client_id=reader&scope=nothing`),
      await decide(world, `${BASE}&client_id=reader`, 'action=allow'),
      await world.site.get(`/oauth/authorize?${BASE}&client_id=reader`),
    ];
    for (const { headers } of answers) {
      assert.match(String(headers['content-security-policy']), "frame-ancestors 'none'");
      assert.is(headers['x-frame-options'], 'DENY');
      assert.is(headers['referrer-policy'], 'no-referrer');
      assert.is(headers['cache-control'], 'no-store');
      assert.not.ok(Object.keys(headers).some((name) => name.startsWith('access-control-')));
    }
  },
);

authorization('A23: a visitor logs in first, and comes back to the same request', async ({ site }) => {
  const path = `/oauth/authorize?${BASE}&client_id=reader&state=s`;
  const answer = await site.get(path);
  assert.is(answer.status, 303);
  assert.is(answer.location, `/auth/login?redirect_uri=${encodeURIComponent(path)}`);
});

authorization(
  'A24: the page names the app, its owner, each scope in words, where it leads and for how long',
  async (world) => {
    const { text } = await open(world, `${BASE}&client_id=reader`);
    for (const part of [
      'The app reader',
      'by <bdi>Owen</bdi>',
      'See your profile',
      'Change your profile',
      'app.example',
      '90 days',
    ]) {
      assert.match(text, part);
    }
    assert.match((await world.site.get('/dialog/request?client_id=reader', world.una())).text, '30 days');
  },
);

authorization('A24: a permission that is not ticked is not granted', async (world) => {
  const back = await authorize(
    world,
    `${BASE}&client_id=reader`,
    'action=allow&permissions[]=profile_write&permissions[]=other',
  );
  const row = await findRow(world, String(back.get('code')));
  assert.equal(JSON.parse(String(row?.scopes)), ['profile_write']);
});

authorization('A25: consent is remembered only for confidential apps, and no more than was granted', async (world) => {
  const query = `${BASE}&client_id=remembering`;
  assert.is((await open(world, query)).status, 200, 'asked the first time');
  await decide(world, query, 'action=allow&permissions[]=profile_read');
  assert.is((await open(world, `${query}&scope=profile_read`)).status, 303);
  assert.is((await open(world, query)).status, 200, 'more than was granted');
  await decide(world, `${BASE}&client_id=public`, 'action=allow&permissions[]=profile_read');
  await world.site.services.database.kysely
    .updateTable('treadle_app')
    .set({ remember_consent: 1 })
    .where('client_id', '=', 'public')
    .execute();
  assert.is((await open(world, `${BASE}&client_id=public&scope=profile_read`)).status, 200, 'a public app always asks');
});

authorization(
  'A25: where the browser comes from a form of this site, a page goes on, since form-action stops redirects',
  async ({ site, una }) => {
    const query = `${BASE}&client_id=remembering&scope=profile_read`;
    const request = { session: una(), headers: { 'sec-fetch-site': 'same-origin' } };
    const answer = await site.send('GET', `/oauth/authorize?${query}`, request);
    assert.is(answer.status, 200);
    assert.is(answer.location, '');
    assert.match(String(answer.headers.refresh), /^0;url=https:\/\/app\.example\/cb\?code=tk_ac_/);
    // Over plain http only the referrer tells it.
    for (const [referer, goesOn] of [
      ['http://intranet.test/auth/login', true],
      ['http://elsewhere.test/auth/login', false],
      ['intranet.test', false],
    ] as const) {
      const plain = { session: una(), headers: { host: 'intranet.test', referer } };
      const { headers } = await site.send('GET', `/oauth/authorize?${query}`, plain);
      assert.is(headers.refresh !== undefined, goesOn, referer);
    }
  },
);

authorization('over plain http the dialog lets a form say where it comes from', async ({ site, una }) => {
  const path = `/oauth/authorize?${BASE}&client_id=public&scope=profile_read`;
  for (const [host, policy] of [
    ['intranet.test', 'same-origin'],
    ['127.0.0.1:3000', 'no-referrer'],
    ['localhost', 'no-referrer'],
  ] as const) {
    const { headers } = await site.send('GET', path, { session: una(), headers: { host } });
    assert.is(headers['referrer-policy'], policy, host);
  }
});

authorization('A26: codes have 256 bits', async (world) => {
  const codes = await Promise.all(Array.from({ length: 20 }, async () => (await authorize(world)).get('code')));
  assert.is(new Set(codes).size, 20);
  for (const code of codes) assert.match(String(code), /^tk_ac_[A-Za-z0-9_-]{43}$/);
});

authorization('A28: a code is stored as a hash, bound to app, address, challenge, scopes and user', async (world) => {
  const code = String((await authorize(world)).get('code'));
  const row = await findRow(world, code);
  assert.match(String(row?.code_hash), /^[0-9a-f]{64}$/);
  assert.is(row?.app_id, 1);
  assert.is(row?.auth_id, 2);
  assert.is(row?.redirect_uri, CALLBACK);
  assert.is(row?.challenge, CHALLENGE);
  assert.not.ok(JSON.stringify(row).includes(code));
});

authorization.run();
