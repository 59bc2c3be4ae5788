import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allow, createWorld, type World } from './_flow.ts';

const dialog = suite<World>('the dialog');
dialog.before(async (at) => {
  Object.assign(at, await createWorld());
});
dialog.after(({ site }) => site.close());

const invalid: [string, string][] = [
  ['A1: no client', ''],
  ['A1: an empty client', 'client_id='],
  ['A1: an unknown client', 'client_id=nobody&redirect_uri=https://app.example/cb'],
  ['A8: the client twice', 'client_id=reader&client_id=reader'],
  ['A8: the address twice', 'client_id=reader&redirect_uri=https://app.example/cb&redirect_uri=https://app.example/cb'],
  ['A6: two addresses and none named', 'client_id=two'],
  ...[
    'https://app.example/CB',
    'https://app.example/cb/',
    'https://app.example/cb?a=b',
    'https://app.example/cb#',
    'https://app.example/cb%2F',
    'https://app.example/x/../cb',
    'https://app.example:443/cb',
    'https://u@app.example/cb',
    'https://app.example./cb',
    'HTTPS://app.example/cb',
    'https://app.example/cb ',
    'https://app.example/cb\t',
    'http://app.example/cb',
    'https://evil.example/cb',
    '//app.example/cb',
    'javascript:alert(1)',
  ].map((uri): [string, string] => [
    `A2: ${JSON.stringify(uri)}`,
    `client_id=reader&redirect_uri=${encodeURIComponent(uri)}`,
  ]),
  ...[
    'http://x@127.0.0.1:1/cb',
    'http://localhost:1/cb',
    'http://127.0.0.1:1/other',
    'http://127.0.0.1:1/cb?a',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.1:80@evil.example/cb',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.2/cb',
    'https://127.0.0.1/cb',
    'com.example.app:/cb2',
  ].map((uri): [string, string] => [`A3: ${uri}`, `client_id=native&redirect_uri=${encodeURIComponent(uri)}`]),
  ['A3: another port of localhost by name', 'client_id=local&redirect_uri=http://localhost:2/cb'],
  ['another address than the developer page', 'client_id=bare&redirect_uri=https://app.example/cb'],
];
for (const [name, query] of invalid) {
  dialog(`is an error page for ${name}`, async ({ site, una }) => {
    for (const session of [{}, una()]) {
      for (const answer of [
        await site.get(`/dialog/request?${query}`, session),
        await site.post(`/dialog/request?${query}`, 'action=allow', { session }),
      ]) {
        assert.is(answer.status, 400);
        assert.is(answer.location, '');
        assert.match(answer.text, 'This request cannot be answered');
        assert.is(answer.headers['cache-control'], 'no-store');
        assert.is(answer.headers['x-frame-options'], 'DENY');
      }
    }
  });
}

dialog('refuses a suspended app', async ({ site, una }) => {
  const { kysely } = site.services.database;
  const set = (active: number) =>
    kysely.updateTable('treadle_app').set({ active }).where('client_id', '=', 'two').execute();
  await set(0);
  const answer = await site.get('/dialog/request?client_id=two&redirect_uri=https://app.example/a', una());
  assert.is(answer.status, 400);
  assert.match(answer.text, 'suspended');
  await set(1);
});

dialog('A3: takes any port of a loopback address, and the private scheme', async ({ site, una }) => {
  for (const uri of ['http://127.0.0.1:51004/cb', 'http://127.0.0.1/cb', 'http://[::1]:1/cb', 'com.example.app:/cb']) {
    const answer = await site.get(`/dialog/request?client_id=native&redirect_uri=${encodeURIComponent(uri)}`, una());
    assert.is(answer.status, 200, uri);
  }
});

dialog('A23: sends a visitor to the login and back before it reports any error', async ({ site }) => {
  for (const query of ['client_id=reader&state=a%2Fb', 'client_id=reader&scope=nothing']) {
    const answer = await site.get(`/dialog/request?${query}`);
    assert.is(answer.status, 303);
    assert.is(answer.location, `/auth/login?redirect_uri=${encodeURIComponent(`/dialog/request?${query}`)}`);
  }
});

dialog('A19, A22, A24: shows who asks for what, and how long, and is protected', async ({ site, una }) => {
  const answer = await site.get('/dialog/request?client_id=reader&state=%22%3E%3Cb%3E&x=1', una());
  assert.is(answer.status, 200);
  for (const text of [
    'The app reader',
    'by <bdi>Owen</bdi>',
    'https://app.example',
    'See your profile',
    'app.example',
    '30 days',
  ]) {
    assert.match(answer.text, text);
  }
  assert.match(answer.text, 'name="permissions[]" value="profile_read" checked');
  assert.match(answer.text, 'name="permissions[]" value="profile_write" checked');
  assert.not.match(answer.text, 'stats');
  assert.match(answer.text, 'action="/dialog/request?client_id&#x3D;reader&amp;state&#x3D;%22%3E%3Cb%3E&amp;x&#x3D;1"');
  assert.match(answer.text, 'name="action" value="allow"');
  assert.match(answer.text, 'name="action" value="deny"');
  assert.match(answer.text, 'name="csrf" value="form-token"');
  assert.is(answer.headers['cache-control'], 'no-store');
  assert.is(answer.headers['referrer-policy'], 'no-referrer');
  assert.is(answer.headers['x-frame-options'], 'DENY');
  assert.is(answer.headers['access-control-allow-origin'], undefined);
  const policy = String(answer.headers['content-security-policy']);
  assert.match(policy, "frame-ancestors 'none'");
  assert.match(policy, /form-action 'self' https:\/\/app\.example$/);
});

dialog('asks for the scopes that were named, by blank or comma', async ({ site, una }) => {
  for (const scope of ['profile_write', 'profile_write,', 'profile_write+stats', 'stats,profile_write']) {
    const { text } = await site.get(`/dialog/request?client_id=reader&scope=${scope}`, una());
    assert.match(text, 'value="profile_write"');
    assert.not.match(text, 'value="profile_read"');
  }
});

const refusals: [string, string, string][] = [
  ['A14: an unknown scope', 'scope=profile_read+nothing', 'invalid_scope'],
  ['A14: a scope that the app does not hold', 'scope=other', 'invalid_scope'],
  ['A7: another response type', 'response_type=token', 'unsupported_response_type'],
  ['A8: the scope twice', 'scope=profile_read&scope=profile_read', 'invalid_request'],
  ['A12: a plain challenge', `code_challenge=${'a'.repeat(43)}&code_challenge_method=plain`, 'invalid_request'],
  ['A12: a challenge without method', `code_challenge=${'a'.repeat(43)}`, 'invalid_request'],
  ['A13: a short challenge', `code_challenge=${'a'.repeat(42)}&code_challenge_method=S256`, 'invalid_request'],
];
for (const [name, query, error] of refusals) {
  dialog(`tells the app of ${name}`, async ({ site, una }) => {
    const answer = await site.get(`/dialog/request?client_id=reader&state=s%20t&${query}`, una());
    assert.is(answer.status, 303);
    const to = new URL(answer.location);
    assert.is(to.origin + to.pathname, 'https://app.example/cb');
    assert.is(to.searchParams.get('error'), error);
    assert.is(to.searchParams.get('state'), 's t');
    assert.is(to.searchParams.get('code'), null);
  });
}

dialog('A8: reports a repeated state to the app, and echoes neither', async ({ site, una }) => {
  const { location } = await site.get('/dialog/request?client_id=reader&state=a&state=b', una());
  assert.is(new URL(location).searchParams.get('error'), 'invalid_request');
  assert.is(new URL(location).searchParams.get('state'), null);
});

dialog('A10: a public app needs a challenge', async ({ site, una }) => {
  const bare = await site.get('/dialog/request?client_id=public', una());
  assert.is(new URL(bare.location).searchParams.get('error'), 'invalid_request');
  const query = `client_id=public&code_challenge_method=S256&code_challenge=${'a'.repeat(43)}`;
  assert.is((await site.get(`/dialog/request?${query}`, una())).status, 200);
});

const naughty = [
  '',
  ' ',
  'undefined',
  '__proto__',
  "<script>alert('x')</script>",
  '"><img src=x onerror=alert(1)>',
  "' OR 1=1 -- 1",
  '%0d%0aset-cookie:a=b',
  '\r\nSet-Cookie: a=b',
  '../../etc/passwd',
  '田中さんにあげて下さい',
  'ﷺ ﷽',
  '👾 🙇 💁🏽 🏳️‍🌈',
  '\u0000\u0001\u007f\ufeff\u200b\u202e',
  'a+b c&d=e#f;g,h/i?j%20',
  '$\u007bjndi:ldap://x}{{7*7}}',
  'x'.repeat(3000),
];
dialog('A9, A15, A18: echoes every state byte for byte, on allow, deny and error', async ({ site, una }) => {
  for (const state of naughty) {
    const query = `client_id=reader&state=${encodeURIComponent(state)}`;
    const answers = [
      await site.post(`/dialog/request?${query}`, 'action=allow', { session: una() }),
      await site.post(`/dialog/request?${query}`, 'action=deny', { session: una() }),
      await site.get(`/dialog/request?${query}&scope=other`, una()),
    ];
    for (const { status, location } of answers) {
      assert.is(status, 303);
      assert.match(location, /^[\x21-\x7e]+$/);
      assert.is(new URL(location).searchParams.get('state'), state === '' ? null : state);
    }
    assert.match(answers[1]?.location ?? '', 'error=access_denied');
  }
});

dialog('A15: deny stores nothing', async ({ site, una }) => {
  const before = (await site.rows('treadle_code')).length;
  await site.post('/dialog/request?client_id=reader', 'action=deny', { session: una() });
  assert.is((await site.rows('treadle_code')).length, before);
});

dialog('A17: keeps the query of an address', async ({ site, una }) => {
  const { location } = await site.post('/dialog/request?client_id=query', 'action=allow', { session: una() });
  assert.match(location, /^https:\/\/app\.example\/cb\?x=1&code=tk_ac_[A-Za-z0-9_-]{43}$/);
});

dialog('returns to the developer page without an address', async ({ site, una }) => {
  const { location } = await site.post('/dialog/request?client_id=bare', 'action=allow', { session: una() });
  assert.match(location, /^http:\/\/127\.0\.0\.1:3000\/developer\/app\/search\?code=tk_ac_/);
});

dialog('asks for the token of its form where no header tells where a post comes from', async ({ site, una }) => {
  for (const path of [
    '/dialog/request?client_id=reader',
    `/oauth/authorize?response_type=code&client_id=reader&code_challenge_method=S256&code_challenge=${'c'.repeat(43)}`,
  ]) {
    for (const action of ['allow', 'deny']) {
      for (const [csrf, headers, status] of [
        ['', {}, 403],
        ['&csrf=', {}, 403],
        ['&csrf=wrong', {}, 403],
        ['&csrf[]=form-token', {}, 403],
        ['&csrf=form-token', {}, 303],
        ['', { origin: 'https://own.example' }, 303],
      ] as const) {
        const before = (await site.rows('treadle_grant')).length;
        const sent = { session: una(), headers: { 'sec-fetch-site': '', ...headers } };
        const answer = await site.post(path, `action=${action}&permissions[]=profile_read${csrf}`, sent);
        assert.is(answer.status, status, `${path} ${action} ${csrf}`);
        const isGranted = status === 303 && action === 'allow';
        assert.is((await site.rows('treadle_grant')).length, before + (isGranted ? 1 : 0));
        if (status === 403) assert.match(answer.text, 'name="csrf"', 'the form is shown again');
      }
    }
  }
});

dialog('keeps the last 50 consents of a user to an app, and ends the oldest', async ({ site, una }) => {
  for (let count = 0; count < 52; count += 1) {
    const answer = await site.post('/dialog/request?client_id=reader', 'action=allow', { session: una() });
    assert.is(answer.status, 303);
  }
  await site.post('/dialog/request?client_id=two&redirect_uri=https://app.example/a', 'action=allow', {
    session: una(),
  });
  const rows = (await site.rows('treadle_grant')).slice(-53);
  assert.equal(
    rows.map((row) => row.revoked_at !== null),
    [true, true, ...Array<boolean>(51).fill(false)],
  );
});

dialog('takes no more consents of an account than it can have, and says so', async ({ site, una }) => {
  await site.post('/dialog/request?client_id=reader', 'action=allow', { session: una() });
  const { kysely } = site.services.database;
  const [{ grant_id: _, ...row } = {}] = await site.rows('treadle_grant');
  for (let count = 0; count < 10; count += 1) {
    await kysely
      .insertInto('treadle_grant')
      .values(Array.from({ length: 100 }, () => ({ ...row, revoked_at: 1 })))
      .execute();
  }
  const before = (await site.rows('treadle_grant')).length;
  const answer = await site.post('/dialog/request?client_id=reader', 'action=allow', { session: una() });
  assert.is(answer.status, 429);
  assert.match(answer.text, /1000 consents.*\/auth\/apps/s);
  assert.is((await site.rows('treadle_grant')).length, before);
  await kysely.deleteFrom('treadle_grant').where('revoked_at', '=', 1).execute();
});

dialog('grants what was asked, held and left ticked, and no more', async ({ site, una }) => {
  const tries: [string, string[]][] = [
    ['permissions[]=profile_read&permissions[]=other&permissions[]=stats', ['profile_read']],
    ['permissions=profile_read', ['profile_read']],
    ['permissions[]=profile_write&permissions[]=profile_read', ['profile_read']],
    ['', []],
  ];
  for (const [body, expected] of tries) {
    await site.post('/dialog/request?client_id=reader&scope=profile_read', `action=allow&${body}`, { session: una() });
    const row = (await site.rows('treadle_grant')).at(-1);
    assert.equal(JSON.parse(String(row?.scopes)), expected, body);
  }
});

dialog('asks again where the answer is neither', async ({ site, una }) => {
  const answer = await site.post('/dialog/request?client_id=reader', 'action=maybe', { session: una() });
  assert.is(answer.status, 400);
  assert.match(answer.text, 'name="action"');
});

dialog('remembers only where the definition says so, and only a subset', async (world) => {
  const { site, una } = world;
  const open = (query: string) => site.get(`/dialog/request?${query}`, una());
  await allow(world, 'client_id=reader&scope=profile_read');
  assert.is((await open('client_id=reader&scope=profile_read')).status, 200, 'this one always asks');
  assert.is((await open('client_id=remembering&scope=profile_read')).status, 200);
  await allow(world, 'client_id=remembering&scope=profile_read');
  const again = await open('client_id=remembering&scope=profile_read&state=s');
  assert.is(again.status, 303);
  assert.match(again.location, /code=tk_ac_.*&state=s$/);
  assert.is((await open('client_id=remembering')).status, 200, 'more than was granted');
});

dialog('has its own error page', async ({ site }) => {
  const answer = await site.get('/dialog/invalid');
  assert.is(answer.status, 400);
  assert.match(answer.text, 'cannot be answered');
});

dialog.run();
