import { scryptSync } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPasswordOutdated } from '../../../../src/core/secret/password.ts';
import { createSite, type Site } from '../_site.ts';

const PASSWORD = 'a long enough word';
const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
const good = { profile_name: 'Ann', auth_slug: 'ann@example.org', auth_password: PASSWORD, confirm: PASSWORD };

const signup = suite<{ site: Site }>('sign-up');
signup.before(async (at) => {
  at.site = await createSite();
});
signup.after(({ site }) => site.close());

const refused: [string, Partial<typeof good>, Record<string, string>][] = [
  [
    'nothing',
    { profile_name: '', auth_slug: '', auth_password: '', confirm: '' },
    {
      profile_name: 'Cannot be empty',
      auth_slug: 'Cannot be empty',
      auth_password: 'Cannot be empty',
      confirm: 'Cannot be empty',
    },
  ],
  ['two passwords', { confirm: 'another' }, { confirm: 'Passwords do not match' }],
  ['a short password', { auth_password: '1234567', confirm: '1234567' }, { auth_password: 'at least 8' }],
  ['a long password', { auth_password: 'x'.repeat(257), confirm: 'x'.repeat(257) }, { auth_password: 'at most 256' }],
  ['a common password', { auth_password: 'Password1', confirm: 'Password1' }, { auth_password: 'most common' }],
  ['no e-mail', { auth_slug: 'ann' }, { auth_slug: 'valid e-mail' }],
  ['a name that the model refuses', { profile_name: 'Refused' }, { profile_name: 'Not this name' }],
];
for (const [name, fields, messages] of refused) {
  signup(`refuses ${name}, shows what was typed but no password, and keeps nothing`, async ({ site }) => {
    const typed = { ...good, auth_slug: 'new@example.org', ...fields };
    const answer = await site.post('/auth/signup', form(typed));
    assert.is(answer.status, 422);
    for (const [field, text] of Object.entries(messages)) {
      assert.match(String(answer.response.getValidation(field)), text);
      assert.match(answer.text, text);
    }
    if (typed.profile_name !== '') assert.match(answer.text, `value="${typed.profile_name}"`);
    if (typed.auth_password !== '') assert.not.match(answer.text, `"${typed.auth_password}"`);
    assert.equal(await site.rows('treadle_auth'), []);
    assert.equal(await site.rows('profile'), []);
  });
}

signup('makes account and profile, logs in under a new session and leads on', async ({ site }) => {
  const session: Record<string, unknown> = {};
  const body = form({ ...good, auth_slug: ' Ann@Example.org', auth_type: 'admin', redirect_uri: '/article/1' });
  const answer = await site.post('/auth/signup?auth_type=admin&profile_id=1', body, { session });
  assert.is(answer.status, 303);
  assert.is(answer.location, '/article/1');
  assert.equal(site.journal, ['renew']);
  const me = answer.response.request?.getSession('me') as Record<string, unknown>;
  assert.is(me.auth_slug, 'ann@example.org');
  assert.is(me.profile_id, 1);
  assert.is(me.profile_name, 'Ann');
  assert.is(me.auth_type, '');
  assert.is(me.auth_password, undefined);
  const [row] = await site.rows('treadle_auth');
  assert.match(String(row?.auth_password), /^\$scrypt\$/);
});

signup('refuses the same e-mail in other letters, also when two arrive at once', async ({ site }) => {
  const again = await site.post('/auth/signup', form({ ...good, auth_slug: 'ANN@example.org' }));
  assert.is(again.response.getValidation('auth_slug'), 'Email Already Exists');
  const twin = form({ ...good, auth_slug: 'twin@example.org' });
  const both = await Promise.all([site.post('/auth/signup', twin), site.post('/auth/signup', twin)]);
  assert.equal(both.map(({ status }) => status).sort(), [303, 422]);
  assert.is((await site.rows('treadle_auth')).length, 2);
  assert.is((await site.rows('profile')).length, 2, 'the loser left no profile behind');
});

signup('escapes what was typed', async ({ site }) => {
  const answer = await site.post('/auth/signup', form({ ...good, profile_name: '"><script>', confirm: 'x' }));
  assert.not.match(answer.text, '<script>');
  assert.match(answer.text, '&quot;&gt;&lt;script&gt;');
});

signup('labels and describes each field', async ({ site }) => {
  const { text, status, headers } = await site.get('/auth/signup');
  assert.is(status, 200);
  assert.is(headers['cache-control'], 'no-store');
  for (const name of ['profile_name', 'auth_slug', 'auth_password', 'confirm']) {
    assert.match(text, `for="t-${name}"`);
    assert.match(
      text,
      new RegExp(`<input[^>]*id="t-${name}"[^>]*autocomplete="[a-z-]+" required[^>]*aria-describedby`),
    );
  }
  assert.match(text, 'name="csrf" value="form-token"');
});

signup('is not there when the settings close it', async () => {
  const closed = await createSite({ settings: { auth: { signup: false } } });
  const answer = await closed.get('/auth/signup');
  assert.not(answer.response.isAnswered());
  assert.not.match((await closed.get('/auth/login')).text, '/auth/signup');
  await closed.close();
});
signup.run();

const login = suite<{ site: Site }>('login');
login.before(async (at) => {
  at.site = await createSite();
  await at.site.emit('auth-create', good);
});
login.after(({ site }) => site.close());
const enter = (fields: Record<string, string> = {}): string =>
  form({ auth_slug: good.auth_slug, auth_password: PASSWORD, ...fields });

login('lets the right one in and leads home', async ({ site }) => {
  const answer = await site.post('/auth/login', enter());
  assert.is(answer.status, 303);
  assert.is(answer.location, '/articles');
  assert.is(answer.response.request?.getSession('me', 'profile_name'), 'Ann');
});

login('gives one answer for an unknown e-mail and a wrong password', async ({ site }) => {
  const wrong = await site.post('/auth/login', enter({ auth_password: 'wrong password' }));
  const unknown = await site.post('/auth/login', enter({ auth_slug: 'nobody@example.org' }));
  assert.is(wrong.status, 401);
  assert.is(unknown.status, wrong.status);
  assert.is(unknown.response.getMessage(), wrong.response.getMessage());
  assert.match(wrong.text, 'E-mail or password is incorrect.');
  assert.not.match(wrong.text, 'wrong password');
});

login('hashes an old password anew at the login, not at a wrong guess', async ({ site }) => {
  const user = await site.addUser('Olga');
  const salt = Buffer.alloc(16, 7);
  const key = scryptSync('an old but right word', salt, 32, { N: 2 ** 14, r: 8, p: 1 });
  const toText = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
  const old = `$scrypt$ln=14,r=8,p=1$${toText(salt)}$${toText(key)}`;
  const change = site.services.database.kysely.updateTable('treadle_auth').set({ auth_password: old });
  await change.where('auth_id', '=', Number(user.auth_id)).execute();
  const read = async () => (await site.rows('treadle_auth')).find((row) => row.auth_id === user.auth_id)?.auth_password;
  const send = (auth_password: string) =>
    site.post('/auth/login', form({ auth_slug: 'olga@example.org', auth_password }));
  assert.is((await send('a wrong word')).status, 401);
  assert.is(await read(), old);
  assert.is((await send('an old but right word')).status, 303);
  const renewed = String(await read());
  assert.ok(renewed !== old && !isPasswordOutdated(renewed), renewed);
  assert.is((await send('an old but right word')).status, 303);
  assert.is(await read(), renewed, 'once');
});

const elsewhere = [
  '//evil.example',
  '/\\evil.example',
  'https:evil',
  'https://evil.example',
  'javascript:alert(1)',
].concat(
  [
    '\t//evil.example',
    '/\t/evil.example',
    '/\n/evil',
    '/x\r\nset-cookie: a=b',
    '\\\\evil',
    'evil',
    '/..//evil',
    '/.//evil',
  ],
  ['///evil', '/\\/evil', 'http://127.0.0.1:3000@evil', '/\u0000/evil', ' /x', '', '//evil%2f..', '/a\\b', '?x'],
);
login('never redirects to another origin', async ({ site }) => {
  const me = { me: { auth_id: 1, profile_id: 1 } };
  for (const place of elsewhere) {
    const answer = await site.get(`/auth/login?redirect_uri=${encodeURIComponent(place)}`, me);
    assert.is(answer.location, '/articles', JSON.stringify(place));
  }
  const kept = ['/a/b?c=d&e=%2F%2Fx', '/dialog/request?client_id=x&redirect_uri=https%3A%2F%2Fx', '/%09/x', '/a//b'];
  for (const place of kept) {
    const answer = await site.get(`/auth/login?redirect_uri=${encodeURIComponent(place)}`, me);
    assert.is(answer.location, place);
  }
});

login('slows guessing of one account, not of others', async ({ site }) => {
  const post = (auth_slug: string, auth_password: string) => site.emit('auth-login', { auth_slug, auth_password });
  for (let count = 0; count < 5; count += 1) assert.is((await post('slow@example.org', 'wrong')).getStatus(), 401);
  const blocked = await post('slow@example.org', PASSWORD);
  assert.is(blocked.getStatus(), 429);
  assert.is(blocked.getHeaders('retry-after'), '1');
  await site.clock.advance(1);
  assert.is((await post('slow@example.org', PASSWORD)).getStatus(), 401);
});

login('keeps a disabled account out, and lets it in again', async ({ site }) => {
  const { auth_id } = (await site.emit('auth-detail', { auth_slug: good.auth_slug })).getResults() as {
    auth_id: number;
  };
  const removed = await site.emit('auth-remove', { auth_slug: good.auth_slug });
  assert.is(removed.getResults('auth_active'), 0);
  assert.ok(site.journal.includes(`endAll ${auth_id}`));
  const answer = await site.post('/auth/login', enter());
  assert.is(answer.status, 403);
  assert.match(answer.text, 'Your account is not activated.');
  await site.emit('auth-restore', { auth_id });
  assert.is((await site.post('/auth/login', enter())).status, 303);
});

login('logs out by a post, never by a get', async ({ site }) => {
  const session = { me: { auth_id: 1, profile_id: 1 } };
  site.journal.length = 0;
  const page = await site.get('/auth/logout', session);
  assert.match(page.text, '<button');
  assert.equal(site.journal, []);
  const away = await site.get('/auth/logout?redirect_uri=%2Fdialog%2Frequest%3Fclient_id%3Dx', session);
  assert.match(away.text, 'name="redirect_uri" value="/dialog/request?client_id&#x3D;x"');
  const local = form({ redirect_uri: '/dialog/request?client_id=x' });
  assert.is((await site.post('/auth/logout', local, { session })).location, '/dialog/request?client_id=x');
  const evil = form({ redirect_uri: '//evil.example' });
  assert.is((await site.post('/auth/logout', evil, { session })).location, '/articles');
  assert.is((await site.post('/auth/logout', '', { session })).location, '/articles');
  assert.equal(site.journal, ['end', 'end', 'end']);
});

login('changes name and password on the account page', async ({ site }) => {
  const signed = (await site.emit('auth-create', { ...good, auth_slug: 'cat@example.org' })).getResults() as object;
  const session = () => ({ me: { ...signed } });
  assert.match((await site.get('/auth/account')).location, '/auth/login?redirect_uri=%2Fauth%2Faccount');
  assert.match((await site.get('/auth/account', session())).text, 'cat@example.org');
  const named = await site.post('/auth/account', form({ action: 'name', profile_name: 'Cat' }), { session: session() });
  assert.is(named.status, 303);
  assert.is(named.response.request?.getSession('me', 'profile_name'), 'Cat');
  const change = (auth_current: string) =>
    site.post(
      '/auth/account?auth_id=1',
      form({ action: 'password', auth_current, auth_password: 'another good word', confirm: 'another good word' }),
      { session: session() },
    );
  assert.is(
    (await change('not my password')).response.getValidation('auth_current'),
    'That is not your current password',
  );
  site.journal.length = 0;
  assert.is((await change(PASSWORD)).status, 303);
  assert.match(site.journal.join(), /endAll \d+ but this,renew/);
  const post = (auth_password: string) =>
    site.post('/auth/login', enter({ auth_slug: 'cat@example.org', auth_password }));
  assert.is((await post(PASSWORD)).status, 401);
  assert.is((await post('another good word')).status, 303);
  site.journal.length = 0;
  await site.post('/auth/account', form({ action: 'logout' }), { session: session() });
  assert.match(site.journal.join(), /endAll \d+ but this,end/);
});

login('searches accounts without passwords', async ({ site }) => {
  const found = await site.emit('auth-search', { q: 'CAT@' });
  assert.is(found.getResults('total'), 1);
  assert.is(found.getResults('rows', 0, 'profile_name'), 'Cat');
  assert.not.match(JSON.stringify(found.getResults()), 'scrypt');
  assert.is((await site.emit('auth-search', { q: '%' })).getResults('total'), 0);
  assert.is((await site.emit('auth-search', { limit: '0' })).getStatus(), 400);
});

login('finds an account by its profile', async ({ site }) => {
  const [row] = (await site.emit('auth-search', { q: 'cat@' })).getResults('rows') as { profile_id: number }[];
  const found = await site.emit('auth-detail', { profile_id: row?.profile_id });
  assert.is(found.getResults('auth_slug'), 'cat@example.org');
  assert.not.match(JSON.stringify(found.getResults()), 'scrypt');
  assert.is((await site.emit('auth-detail', { profile_id: 4711 })).getStatus(), 404);
});

login('sets a password from outside, and says nobody where there is nobody', async ({ site }) => {
  const set = await site.emit('auth-reset', { auth_slug: 'cat@example.org', auth_password: 'from the outside' });
  assert.not(set.isError());
  assert.is(
    (await site.emit('auth-login', { auth_slug: 'cat@example.org', auth_password: 'from the outside' })).getStatus(),
    200,
  );
  assert.is(
    (await site.emit('auth-reset', { auth_slug: 'no@example.org', auth_password: 'from the outside' })).getStatus(),
    404,
  );
});

const SELECTIONS: readonly [selection: Record<string, unknown>, status: number][] = [
  [{ auth_slug: ' cat@example.org ' }, 200],
  [{ auth_id: null, auth_slug: 'cat@example.org' }, 200],
  [{ auth_id: '', auth_slug: 'cat@example.org' }, 404],
  [{ auth_id: 'x', auth_slug: 'cat@example.org' }, 404],
  [{ auth_id: true, auth_slug: 'cat@example.org' }, 404],
  [{ auth_id: ['1'], auth_slug: 'cat@example.org' }, 404],
  [{ auth_slug: ['cat@example.org'] }, 404],
  [{}, 404],
];
for (const [selection, status] of SELECTIONS) {
  login(`finds by ${JSON.stringify(selection)} with ${status}`, async ({ site }) => {
    assert.is((await site.emit('auth-restore', selection)).getStatus(), status);
  });
}

const ODD: readonly [event: string, stage: Record<string, unknown>, status: number, field: string, message: string][] =
  [
    ['auth-login', { auth_slug: 'cat@example.org', auth_password: 12345678 }, 422, 'auth_password', 'Cannot be empty'],
    ['auth-reset', { auth_password: ['a long enough word'] }, 422, 'auth_password', 'Cannot be empty'],
    ['auth-reset', { auth_password: PASSWORD, confirm: null }, 422, 'confirm', 'Cannot be empty'],
    ['auth-update', { auth_slug: 'cat@example.org', auth_language: 5 }, 422, 'auth_language', 'Should be a language'],
    ['auth-second-factor', { auth_slug: 'cat@example.org', auth_code: {} }, 422, 'auth_code', 'is not valid'],
  ];
for (const [event, stage, status, field, message] of ODD) {
  login(`${event} refuses ${JSON.stringify(stage)} at its field`, async ({ site }) => {
    const answer = await site.emit(event, stage);
    assert.is(answer.getStatus(), status);
    assert.match(String(answer.getValidation(field)), message);
  });
}

login.run();
