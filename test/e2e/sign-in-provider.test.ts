import { Secret, TOTP } from 'otpauth';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import { type Answer, type Client, PASSWORD } from '../client.ts';
import { FakeIssuer, type Twist } from './_issuer.ts';
import { toPath, toToken } from './_mail.ts';

const ENV = { AUTH_TEST_SECRET: 'provider secret', AUTH_HUB_SECRET: 'provider secret' };

interface World {
  site: Site;
  issuer: FakeIssuer;
}

const toSettings = (issuer: FakeIssuer) => ({
  test: { issuer: issuer.url, clientId: 'site' },
  hub: {
    label: 'Hub',
    clientId: 'site',
    authorizeUrl: `${issuer.url}/authorize`,
    tokenUrl: `${issuer.url}/token`,
    userUrl: `${issuer.url}/user`,
    emailsUrl: `${issuer.url}/user/emails`,
    scope: 'user:email',
  },
  bare: { issuer: issuer.url, clientId: 'without-secret' },
});

async function start(at: World, auth: object = {}): Promise<void> {
  at.issuer = await new FakeIssuer().start();
  const settings = { auth: { ...auth, providers: toSettings(at.issuer) } };
  at.site = await boot({ mode: 'development', env: ENV, settings });
}

/** Follows redirects from a path, at most six, through the issuer and back; gives the last answer and its path. */
async function follow(browser: Client, path: string, site: Site): Promise<Answer & { readonly path: string }> {
  let at = path;
  for (let left = 6; ; left -= 1) {
    const page = await browser.get(at);
    if (page.location === '' || left === 0) return { ...page, path: at };
    at = page.location.startsWith(site.url) ? page.location.slice(site.url.length) : page.location;
  }
}

/** Goes to the issuer; gives the address of the callback, not opened yet. */
async function toCallback(browser: Client, name = 'test'): Promise<string> {
  const { location } = await browser.get(`/auth/provider/${name}`);
  return (await fetch(location, { redirect: 'manual' })).headers.get('location') ?? '';
}

const isIn = async (browser: Client): Promise<boolean> => (await browser.get('/auth/account')).status === 200;
const rows = (site: Site, table: string) => site.rows(table);

/** Lets the proof of who is logged in be older than ten minutes. */
async function age(site: Site, email: string): Promise<void> {
  for (const { key, data } of await rows(site, 'treadle_session')) {
    const all = JSON.parse(String(data));
    if (all.me?.auth_slug !== email) continue;
    const old = JSON.stringify({ ...all, proof: { ...all.proof, at: all.proof.at - 601 } });
    const query = site.app.services.database.kysely.updateTable('treadle_session').set({ data: old });
    await query.where('key', '=', String(key)).execute();
  }
}

async function signUp(site: Site, email: string, isVerified: boolean): Promise<void> {
  const stage = { auth_slug: email, auth_password: PASSWORD, profile_name: 'Local', auth_verified: isVerified ? 1 : 0 };
  await site.emit('auth-create', stage);
}

const signIn = suite<World>('sign-in by a provider');
signIn.before((at) => start(at));
signIn.after(async ({ site, issuer }) => {
  await site.close();
  await issuer.close();
});
signIn.before.each(({ issuer }) => {
  issuer.twist = {};
  issuer.user = { sub: 'u1', email: 'ada@example.org', email_verified: true, name: 'Ada' };
});

signIn('shows a button for each provider whose secret is set, and carries where to go', async ({ site }) => {
  const { text } = await site.browser().get('/auth/login?redirect_uri=/auth/sessions');
  assert.match(text, 'Continue with Test');
  assert.match(text, 'href="/auth/provider/hub?redirect_uri&#x3D;%2Fauth%2Fsessions"');
  assert.not.match(text, 'Continue with Bare');
  assert.match((await site.browser().get('/auth/signup')).text, 'Continue with Hub');
  const bare = await site.browser().get('/auth/provider/bare');
  assert.is(bare.status, 503);
  assert.match(bare.text, 'is not set up yet');
  assert.is((await site.browser().get('/auth/provider/nobody')).status, 404);
});

signIn('asks with PKCE, state, nonce and the exact redirect URI', async ({ site, issuer }) => {
  const { location, headers } = await site.browser().get('/auth/provider/test');
  const url = new URL(location);
  const asked = Object.fromEntries(url.searchParams);
  assert.is(url.origin + url.pathname, `${issuer.url}/authorize`);
  assert.is(asked.redirect_uri, `${site.url}/auth/provider/test/callback`);
  assert.is(asked.response_type, 'code');
  assert.is(asked.scope, 'openid email profile');
  assert.is(asked.code_challenge_method, 'S256');
  for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(String(asked[name]).length >= 43, name);
  assert.match(String(headers['set-cookie']), /signin=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax/);
});

signIn('makes an account, enters it again by the same user, and reads the provider once', async ({ site, issuer }) => {
  const first = site.browser();
  const page = await follow(first, '/auth/provider/test?redirect_uri=/auth/account', site);
  assert.is(page.path, '/auth/account');
  assert.match(page.text, 'ada@example.org');
  const account = (await rows(site, 'treadle_auth')).at(-1);
  assert.is(account?.auth_verified, 1);
  assert.is(account?.auth_password, '');
  // The provider may change name and e-mail: issuer and subject are the user.
  issuer.user = { sub: 'u1', email: 'ada@new.example.org', email_verified: true, name: 'Countess' };
  const again = site.browser();
  await follow(again, '/auth/provider/test', site);
  assert.match((await again.get('/auth/account')).text, 'ada@example.org');
  assert.is((await rows(site, 'treadle_auth_provider')).length, 1);
  assert.is(issuer.asked['/.well-known/openid-configuration'], 1);
});

signIn('gives the session a new id at the sign-in', async ({ site }) => {
  const browser = site.browser();
  const callback = await toCallback(browser);
  const before = browser.cookie();
  const page = await browser.get(callback);
  assert.match(String(page.headers['set-cookie']), /(^|,)sid=/);
  assert.not(before.includes('sid='), 'a visitor has no session');
});

/** The issuer misbehaves: nobody gets in, no account is made, the page says nothing of the reason. */
const TWISTS: readonly (readonly [string, Twist, number, string])[] = [
  ['another nonce', { claims: { nonce: 'other' } }, 502, 'nonce'],
  ['no nonce', { claims: { nonce: undefined } }, 502, 'nonce'],
  ['another audience', { claims: { aud: 'another-site' } }, 502, '"aud"'],
  ['another issuer in the token', { claims: { iss: 'https://evil.example' } }, 502, '"iss"'],
  ['an expired token', { claims: { exp: Math.floor(Date.now() / 1000) - 600 } }, 502, 'expiration'],
  ['a token without a subject', { claims: { sub: undefined } }, 502, '"sub"'],
  ['an unsigned token (alg none)', { signature: 'none' }, 502, 'alg'],
  ['a token signed by another key', { signature: 'other' }, 502, 'signature'],
  ['a token whose key is the client secret (HS256)', { signature: 'hs256' }, 502, 'alg'],
  [
    'an error of the token endpoint',
    { token: { status: 400, body: { error: 'invalid_grant' } } },
    502,
    'error in the response body',
  ],
  ['a token endpoint that is broken', { token: { status: 500, body: '<html>' } }, 502, 'unexpected HTTP status'],
  ['no ID token', { token: { status: 200, body: { access_token: 'x', token_type: 'Bearer' } } }, 502, 'id_token'],
  ['another issuer in the callback (mix-up)', { back: { iss: 'https://evil.example' } }, 502, 'unexpected "iss"'],
  [
    'no issuer in the callback though the provider sends it',
    { back: { iss: undefined } },
    502,
    '"iss" (issuer) missing',
  ],
  ['another state', { back: { state: 'other' } }, 400, ''],
  ['no state', { back: { state: undefined } }, 400, ''],
  ['a made-up code', { back: { code: 'made-up' } }, 502, 'error in the response body'],
  [
    'an error answer',
    { back: { code: undefined, error: 'server_error', error_description: '<b>evil</b>' } },
    502,
    'server_error',
  ],
  ['a refusal by the user', { back: { code: undefined, error: 'access_denied' } }, 403, 'access_denied'],
];
for (const [name, twist, status, reason] of TWISTS) {
  signIn(`refuses ${name}`, async ({ site, issuer }) => {
    const before = site.log.length;
    issuer.twist = twist;
    issuer.user = { sub: 'mallory', email: 'mallory@example.org', email_verified: true, name: 'Mallory' };
    const browser = site.browser();
    const page = await follow(browser, '/auth/provider/test', site);
    assert.is(page.status, status, page.text);
    assert.match(page.text, /role="alert"/);
    if (reason !== '') assert.match(site.log.slice(before).join().replaceAll('\\"', '"'), reason);
    assert.not.match(page.text, /evil|nonce|invalid_grant|at \w+ \(/);
    assert.not(await isIn(browser));
    assert.not((await rows(site, 'treadle_auth_provider')).some(({ subject }) => subject === 'mallory'));
  });
}

signIn('takes a callback once, only in its browser, only for its provider and within ten minutes', async ({ site }) => {
  const own = site.browser();
  const callback = await toCallback(own);
  assert.is((await site.browser().get(callback)).status, 400, 'another browser');
  assert.is((await own.get(callback.replace('/test/', '/hub/'))).status, 400, 'another provider');
  assert.is((await own.get('/auth/provider/test/callback?code=x&state=y')).status, 400, 'without a start');
  assert.is((await own.get('/auth/provider/test/callback')).status, 400, 'without anything');
  assert.is((await own.get(callback)).status, 303);
  const replay = await own.get(callback);
  assert.is(replay.status, 400, 'used');
  const late = site.browser();
  const old = await toCallback(late);
  await site.app.services.database.kysely.updateTable('treadle_auth_token').set({ expires_at: 1 }).execute();
  assert.is((await late.get(old)).status, 400, 'late');
});

signIn('goes to paths of this site only', async ({ site }) => {
  for (const target of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    const browser = site.browser();
    const { location } = await browser.get(`/auth/provider/test?redirect_uri=${encodeURIComponent(target)}`);
    const back = (await fetch(location, { redirect: 'manual' })).headers.get('location') ?? '';
    assert.is((await browser.get(back)).location, '/articles', target);
  }
});

signIn('does not enter an account by its e-mail: asks for the password once', async ({ site, issuer }) => {
  await signUp(site, 'bea@example.org', true);
  issuer.user = { sub: 'bea', email: 'Bea@Example.org', email_verified: true, name: 'Bea' };
  const browser = site.browser();
  const page = await follow(browser, '/auth/provider/test', site);
  assert.is(page.path, '/auth/provider/test/connect');
  assert.match(page.text, 'Type the password of bea@example.org once');
  assert.not(await isIn(browser));
  const wrong = await browser.post('/auth/provider/test/connect', { auth_password: 'wrong password' });
  assert.is(wrong.status, 401);
  const right = await browser.post('/auth/provider/test/connect', { auth_password: PASSWORD });
  assert.is(right.status, 303);
  assert.match((await browser.get('/auth/account')).text, 'bea@example.org');
  assert.match((await site.mails()).at(-1)?.text ?? '', /Test now opens your account/);
  const again = site.browser();
  await follow(again, '/auth/provider/test', site);
  assert.ok(await isIn(again));
});

signIn('does not join an account with an e-mail that nobody confirmed (pre-hijacking)', async ({ site, issuer }) => {
  await signUp(site, 'cyd@example.org', false);
  issuer.user = { sub: 'cyd', email: 'cyd@example.org', email_verified: true, name: 'Cyd' };
  const browser = site.browser();
  const page = await follow(browser, '/auth/provider/test', site);
  assert.match(page.text, 'nobody has confirmed');
  assert.not.match(page.text, 'name="auth_password"');
  await browser.post('/auth/provider/test/connect', { auth_password: PASSWORD });
  assert.not(await isIn(browser), 'not even with the password');
});

const UNVOUCHED: readonly (readonly [string, Record<string, unknown>])[] = [
  ['says nothing of', {}],
  ['does not vouch for', { email_verified: false }],
  ['vouches as text for', { email_verified: 'no' }],
];
for (const [name, more] of UNVOUCHED) {
  signIn(`tells nothing of an account by an e-mail that the provider ${name}`, async ({ site, issuer }) => {
    if ((await rows(site, 'treadle_auth')).every(({ auth_slug }) => auth_slug !== 'dan@example.org'))
      await signUp(site, 'dan@example.org', true);
    issuer.user = { sub: `dan ${name}`, email: 'dan@example.org', name: 'Dan', ...more };
    const browser = site.browser();
    const page = await follow(browser, '/auth/provider/test', site);
    assert.is(page.path, '/auth/provider/test/complete', 'the form, as for an unknown e-mail');
    assert.match(page.text, 'value="dan@example.org"');
    assert.not(await isIn(browser));
    const taken = await browser.post('/auth/provider/test/complete', {
      profile_name: 'Dan',
      auth_slug: 'dan@example.org',
    });
    assert.is(taken.status, 422);
    assert.match(taken.text, 'Email Already Exists');
    const free = { profile_name: 'Dan', auth_slug: `dan-${name.length}@example.org`, auth_type: 'admin' };
    assert.is((await browser.post('/auth/provider/test/complete', free)).status, 303);
    const account = (await rows(site, 'treadle_auth')).at(-1);
    assert.is(account?.auth_verified, 0);
    assert.is(account?.auth_type, '', 'no role by the form');
  });
}

signIn('refuses a disabled account', async ({ site, issuer }) => {
  issuer.user = { sub: 'eve', email: 'eve@example.org', email_verified: true, name: 'Eve' };
  await follow(site.browser(), '/auth/provider/test', site);
  await site.app.emit('auth-remove', { auth_slug: 'eve@example.org' });
  const browser = site.browser();
  const page = await follow(browser, '/auth/provider/test', site);
  assert.is(page.status, 403);
  assert.match(page.text, 'not activated');
  assert.not(await isIn(browser));
});

signIn('signs in by OAuth as GitHub has it, with the verified main address', async ({ site, issuer }) => {
  issuer.user = { id: 4711, login: 'fay', name: null, email: 'public@example.org' };
  issuer.emails = [
    { email: 'old@example.org', primary: false, verified: true },
    { email: 'fay@example.org', primary: true, verified: true },
  ];
  const browser = site.browser();
  await follow(browser, '/auth/provider/hub', site);
  const { text } = await browser.get('/auth/account');
  assert.match(text, 'fay@example.org');
  const link = (await rows(site, 'treadle_auth_provider')).at(-1);
  assert.is(link?.subject, '4711');
  assert.is(link?.issuer, issuer.url);
  assert.is((await rows(site, 'profile')).at(-1)?.profile_name, 'fay');
  issuer.user = { id: 4712, login: 'gil' };
  issuer.emails = [{ email: 'fay@example.org', primary: true, verified: false }];
  const other = site.browser();
  assert.is((await follow(other, '/auth/provider/hub', site)).path, '/auth/provider/hub/complete', 'not verified');
  for (const user of [{}, { id: 1.5 }, { id: { a: 1 } }]) {
    issuer.user = user;
    assert.is((await follow(site.browser(), '/auth/provider/hub', site)).status, 502, JSON.stringify(user));
  }
});

signIn(
  'links by the account page after the password, and unlinks all but the last way in',
  async ({ site, issuer }) => {
    const browser = site.browser();
    await browser.signUp('Hal', 'hal@example.org');
    issuer.user = { sub: 'hal', email: 'hal@provider.example', email_verified: true, name: 'Hal' };
    assert.match((await browser.get('/auth/account')).text, 'Link Test');
    await age(site, 'hal@example.org');
    const asked = await browser.post('/auth/provider/test', { action: 'link' });
    assert.match(asked.location, '/auth/confirm');
    assert.is((await browser.post('/auth/confirm', { auth_current: 'wrong password' })).status, 422);
    const page = await browser.post('/auth/confirm', { auth_current: PASSWORD });
    assert.is(page.status, 200);
    const [, url = ''] = /0;url=(.*)/.exec(String(page.headers.refresh)) ?? [];
    assert.is((await follow(browser, url, site)).path, '/auth/account');
    assert.match((await browser.get('/auth/account')).text, 'hal@provider.example');
    const other = site.browser();
    await follow(other, '/auth/provider/test', site);
    assert.match((await other.get('/auth/account')).text, 'hal@example.org');
    const link = (await rows(site, 'treadle_auth_provider')).at(-1);
    const stranger = site.browser();
    await stranger.signUp('Ian', 'ian@example.org');
    await stranger.post('/auth/provider-unlink', { link_id: String(link?.link_id) });
    assert.is((await rows(site, 'treadle_auth_provider')).at(-1)?.subject, 'hal', 'not by another account');
    await browser.post('/auth/provider-unlink', { link_id: String(link?.link_id) });
    assert.not((await rows(site, 'treadle_auth_provider')).some(({ subject }) => subject === 'hal'));
  },
);

signIn(
  "does not link a user of the provider who has an account, nor to somebody else's session",
  async ({ site, issuer }) => {
    issuer.user = { sub: 'jan', email: 'jan@example.org', email_verified: true, name: 'Jan' };
    await follow(site.browser(), '/auth/provider/test', site);
    const browser = site.browser();
    await browser.signUp('Kim', 'kim@example.org');
    const begin = async () => {
      const page = await browser.post('/auth/provider/test', { action: 'link' });
      return (/0;url=(.*)/.exec(String(page.headers.refresh)) ?? [])[1] ?? '';
    };
    const taken = await follow(browser, await begin(), site);
    assert.is(taken.status, 409);
    issuer.user = { sub: 'kim', email: 'kim@example.org', email_verified: true, name: 'Kim' };
    const back = (await fetch(await begin(), { redirect: 'manual' })).headers.get('location') ?? '';
    await browser.post('/auth/logout', {});
    assert.is((await browser.get(back)).status, 403, 'logged out meanwhile');
    assert.not((await rows(site, 'treadle_auth_provider')).some(({ subject }) => subject === 'kim'));
  },
);

signIn('lets an account without a password set one, after a fresh sign-in only', async ({ site, issuer }) => {
  issuer.user = { sub: 'lea', email: 'lea@example.org', email_verified: true, name: 'Lea' };
  const browser = site.browser();
  await follow(browser, '/auth/provider/test', site);
  const account = await browser.get('/auth/account');
  assert.match(account.text, 'Set a password');
  assert.match(account.text, 'The only way into your account');
  const link = (await rows(site, 'treadle_auth_provider')).at(-1);
  await browser.post('/auth/provider-unlink', { link_id: String(link?.link_id) });
  assert.is((await rows(site, 'treadle_auth_provider')).at(-1)?.subject, 'lea', 'the last way in stays');
  // A session that is older than ten minutes.
  await age(site, 'lea@example.org');
  assert.match((await browser.get('/auth/account')).text, 'Sign in again with Test');
  const set = { action: 'password', auth_password: 'my first password', confirm: 'my first password' };
  assert.is((await browser.post('/auth/account', set)).status, 422);
  assert.is((await browser.post('/auth/remove', {})).status, 422, 'nor can it be removed');
  await follow(browser, '/auth/provider/test?again=1&redirect_uri=/auth/account', site);
  assert.is((await browser.post('/auth/account', set)).status, 303);
  const other = site.browser();
  assert.is(
    (await other.post('/auth/login', { auth_slug: 'lea@example.org', auth_password: 'my first password' })).status,
    303,
  );
});

signIn('asks for the second factor of the account, and connects after it', async ({ site, issuer }) => {
  const owner = site.browser();
  await owner.signUp('Oda', 'oda@example.org');
  await site.emit('auth-verify', { auth_slug: 'oda@example.org' });
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const auth_code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const made = await site.emit('auth-totp-create', { auth_slug: 'oda@example.org', secret, auth_code });
  const codes = made.getResults('recovery_codes') as string[];
  issuer.user = { sub: 'oda', email: 'oda@example.org', email_verified: true, name: 'Oda' };
  const browser = site.browser();
  await follow(browser, '/auth/provider/test', site);
  const step = await browser.post('/auth/provider/test/connect', { auth_password: PASSWORD });
  assert.is(step.location, '/auth/second-factor');
  assert.not(
    (await rows(site, 'treadle_auth_provider')).some(({ subject }) => subject === 'oda'),
    'not yet linked',
  );
  const next = await browser.post('/auth/second-factor', { recovery_code: codes[0] ?? '' });
  assert.is(next.location, '/auth/provider/test/connect');
  assert.match((await browser.get(next.location)).text, 'You are logged in to oda@example.org');
  assert.is((await browser.post(next.location, {})).location, '/articles');
  const other = site.browser();
  assert.is((await follow(other, '/auth/provider/test', site)).path, '/auth/second-factor');
  assert.not(await isIn(other), 'the provider is the first factor only');
  await other.post('/auth/second-factor', { recovery_code: codes[1] ?? '' });
  assert.ok(await isIn(other));
});

signIn('keeps an empty password from opening an account without one', async ({ site, issuer }) => {
  issuer.user = { sub: 'mia', email: 'mia@example.org', email_verified: true, name: 'Mia' };
  await follow(site.browser(), '/auth/provider/test', site);
  for (const auth_password of ['', ' ', 'x'])
    assert.ok(
      (await site.browser().post('/auth/login', { auth_slug: 'mia@example.org', auth_password })).status >= 400,
    );
});

signIn('changes the e-mail of an account without a password, in a browser that is logged in to it', async (at) => {
  const { site, issuer } = at;
  issuer.user = { sub: 'pam', email: 'pam@example.org', email_verified: true, name: 'Pam' };
  const pam = site.browser();
  await follow(pam, '/auth/provider/test', site);
  await pam.post('/auth/account', { action: 'email', email: 'pam@new.example' });
  const path = toPath((await site.mails()).filter(({ to }) => to === 'pam@new.example').at(-1));
  const [form, token] = [path, toToken(path)];
  const other = site.browser();
  await other.signUp('Eve', 'eve-two@example.org');
  for (const browser of [other, site.browser()]) {
    const page = await browser.get(form);
    assert.is(page.status, 403);
    assert.match(page.text, 'Log in first, and then open the link of the mail again');
    assert.is((await browser.post('/auth/verify', { token, auth_password: '' })).status, 403);
    assert.is((await browser.post('/auth/verify', { token, auth_password: PASSWORD })).status, 403);
  }
  assert.not.match((await pam.get(form)).text, 'auth_password');
  assert.is((await pam.post('/auth/verify', { token })).location, '/articles');
  assert.match((await pam.get('/auth/account')).text, 'Logged in as pam@new.example');
});

signIn('says of an unconfirmed account with a second factor what confirms it', async ({ site, issuer }) => {
  await site.browser().signUp('Rob', 'rob@example.org');
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const auth_code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await site.emit('auth-totp-create', { auth_slug: 'rob@example.org', secret, auth_code });
  issuer.user = { sub: 'rob', email: 'rob@example.org', email_verified: true, name: 'Rob' };
  const page = await follow(site.browser(), '/auth/provider/test', site);
  assert.match(page.text, 'href="/auth/verify">confirm your e-mail');
  assert.not.match(page.text, 'Choose a new password by mail');
});

signIn('removes what somebody linked before the e-mail was confirmed', async ({ site, issuer }) => {
  const attacker = site.browser();
  await attacker.signUp('Not Nia', 'nia@example.org');
  issuer.user = { sub: 'attacker', email: 'a@evil.example', email_verified: true, name: 'A' };
  const page = await attacker.post('/auth/provider/test', { action: 'link' });
  await follow(attacker, (/0;url=(.*)/.exec(String(page.headers.refresh)) ?? [])[1] ?? '', site);
  const nia = site.browser();
  await nia.post('/auth/forgot', { auth_slug: 'nia@example.org' });
  const mail = (await site.mails()).filter(({ to }) => to === 'nia@example.org').at(-1);
  const token = toToken(toPath(mail));
  await nia.post('/auth/recover', { token, auth_password: 'the password of nia', confirm: 'the password of nia' });
  assert.not((await rows(site, 'treadle_auth_provider')).some(({ subject }) => subject === 'attacker'));
});

signIn('takes no identity from a request, a query or a call', async ({ site }) => {
  const response = await site.app.emit('auth-sso-login', { issuer: 'x', subject: 'y' });
  assert.is(response.getStatus(), 403, 'incomplete');
  const browser = site.browser();
  await browser.post('/auth/provider/test/complete', {
    profile_name: 'X',
    issuer: 'x',
    subject: 'y',
    provider: 'test',
  });
  assert.not(await isIn(browser));
  assert.is((await browser.get('/auth/provider/test/connect')).location, '/auth/login');
});

signIn('limits the sign-ins that a network begins', async ({ site }) => {
  const answers: number[] = [];
  for (let left = 70; left > 0; left -= 1) answers.push((await site.browser().get('/auth/provider/test')).status);
  assert.is(answers.at(-1), 429);
});
signIn.run();

const closed = suite<World>('sign-in by a provider where sign-up is closed');
closed.before((at) => start(at, { signup: false }));
closed.after(async ({ site, issuer }) => {
  await site.close();
  await issuer.close();
});

closed('makes no account, and still connects one', async ({ site, issuer }) => {
  const browser = site.browser();
  const page = await follow(browser, '/auth/provider/test', site);
  assert.is(page.status, 403);
  assert.match(page.text, 'does not take sign-ups');
  assert.is((await rows(site, 'treadle_auth')).length, 0);
  assert.is((await browser.post('/auth/provider/test/complete', { profile_name: 'X' })).location, '/auth/login');
  issuer.user = { sub: 'u2', email: 'ada@example.org', name: 'Ada' };
  assert.is((await follow(browser, '/auth/provider/test', site)).status, 403, 'nor for an e-mail without proof');
  await signUp(site, 'ada@example.org', true);
  issuer.user = { sub: 'u1', email: 'ada@example.org', email_verified: true };
  await follow(browser, '/auth/provider/test', site);
  assert.is((await browser.post('/auth/provider/test/connect', { auth_password: PASSWORD })).status, 303);
});
closed.run();

const verified = suite<World>('sign-in by a provider with auth.verify');
verified.before((at) => start(at, { verify: true }));
verified.after(async ({ site, issuer }) => {
  await site.close();
  await issuer.close();
});

verified(
  'asks for a password and a confirmation where the provider does not vouch, and tells nothing',
  async ({ site, issuer }) => {
    await signUp(site, 'old@example.org', true);
    const answers: string[] = [];
    for (const email of ['old@example.org', 'new@example.org']) {
      issuer.user = { sub: email, email, name: 'Somebody' };
      const browser = site.browser();
      const page = await follow(browser, '/auth/provider/test', site);
      assert.match(page.text, 'name="auth_password"');
      const form = { profile_name: 'Somebody', auth_slug: email, auth_password: PASSWORD, confirm: PASSWORD };
      const answer = await browser.post('/auth/provider/test/complete', form);
      answers.push(`${answer.status} ${answer.text.replaceAll(email, '')}`);
      assert.not(await isIn(browser));
    }
    assert.is(answers[0], answers[1], 'the same for an e-mail with an account');
    const links = await rows(site, 'treadle_auth_provider');
    assert.equal(
      links.map(({ subject }) => subject),
      ['new@example.org'],
      'nothing was linked to the old account',
    );
    const waiting = await follow(site.browser(), '/auth/provider/test', site);
    assert.is(waiting.status, 403);
    assert.match(waiting.text, 'Confirm your e-mail first');
    const mail = (await site.mails()).filter(({ to }) => to === 'new@example.org').at(-1);
    const token = toToken(toPath(mail));
    await site.browser().post('/auth/verify', { token, auth_password: PASSWORD });
    const browser = site.browser();
    await follow(browser, '/auth/provider/test', site);
    assert.ok(await isIn(browser));
  },
);

verified('enters at once where the provider vouches', async ({ site, issuer }) => {
  issuer.user = { sub: 'p', email: 'pat@example.org', email_verified: true, name: 'Pat' };
  const browser = site.browser();
  await follow(browser, '/auth/provider/test', site);
  assert.ok(await isIn(browser));
});
verified.run();
