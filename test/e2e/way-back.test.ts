import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, PASSWORD } from '../client.ts';
import { CALLBACK, type OAuthSite, startOAuth } from './_oauth.ts';

const flow = suite('the way back to the consent dialog');
const at: { oauth?: OAuthSite } = {};
const site = () => (at.oauth as OAuthSite).site;
/** The pair of RFC 7636 appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

flow.before(async () => {
  at.oauth = await startOAuth({ settings: { auth: { verify: true } } });
});
flow.after(() => at.oauth?.close());

const toDialog = (more: Readonly<Record<string, string>> = {}): string => {
  const query = { response_type: 'code', client_id: at.oauth?.open.id ?? '', redirect_uri: CALLBACK, state: 's' };
  const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };
  return `/oauth/authorize?${new URLSearchParams({ ...query, ...challenge, ...more })}`;
};

/** The path of the link in the newest mail to an address. */
async function readLink(to: string): Promise<string> {
  const mail = (await site().mails()).filter((one) => one.to === to).at(-1);
  return /https?:\/\/[^/\s]+(\/auth\/\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
}

const toHref = (page: string, path: string): string =>
  (new RegExp(`href="(${path}\\?[^"]*)"`).exec(page)?.[1] ?? '').replaceAll('&#x3D;', '=').replaceAll('&amp;', '&');

/** Opens the dialog as a visitor and signs up on the way, until the page that speaks of the mail. */
async function signUpTo(browser: Client, dialog: string, email: string) {
  const login = (await browser.get(dialog)).location;
  const signup = toHref((await browser.get(login)).text, '/auth/signup');
  const redirect_uri = new URL(signup, site().url).searchParams.get('redirect_uri') ?? '';
  assert.is(redirect_uri, dialog);
  const form = { profile_name: 'Ann', auth_slug: email, auth_password: PASSWORD, confirm: PASSWORD, redirect_uri };
  return browser.post('/auth/signup', form);
}

flow('a sign-up that confirms its e-mail comes back to the dialog', async () => {
  const browser = site().browser();
  const mailed = await signUpTo(browser, toDialog(), 'new@example.org');
  assert.match(toHref(mailed.text, '/auth/login'), 'redirect_uri', 'the page keeps the way, too');
  const link = await readLink('new@example.org');
  const token = new URL(link, site().url).searchParams.get('token') ?? '';
  const answer = await browser.post('/auth/verify', { token, auth_password: PASSWORD });
  assert.is(answer.location, toDialog());
  assert.is((await browser.get(answer.location)).status, 200);
});

flow('a second mail keeps the way back', async () => {
  const browser = site().browser();
  const mailed = await signUpTo(browser, toDialog(), 'again@example.org');
  const again = toHref(mailed.text, '/auth/verify');
  const form = await browser.get(again);
  const redirect_uri = toDialog();
  assert.match(form.text, 'name="redirect_uri"');
  await browser.post('/auth/verify', { auth_slug: 'again@example.org', redirect_uri });
  const token = new URL(await readLink('again@example.org'), site().url).searchParams.get('token') ?? '';
  assert.is((await browser.post('/auth/verify', { token, auth_password: PASSWORD })).location, toDialog());
});

flow('a lost password keeps the way back', async () => {
  const account = { auth_slug: 'lost@example.org', auth_password: PASSWORD, profile_name: 'Lo', auth_verified: 1 };
  await site().emit('auth-create', account);
  const browser = site().browser();
  const login = await browser.get((await browser.get(toDialog())).location);
  const forgot = toHref(login.text, '/auth/forgot');
  const redirect_uri = new URL(forgot, site().url).searchParams.get('redirect_uri') ?? '';
  assert.is(redirect_uri, toDialog());
  assert.match((await browser.get(forgot)).text, 'name="redirect_uri"');
  await browser.post('/auth/forgot', { auth_slug: 'lost@example.org', redirect_uri });
  const link = await readLink('lost@example.org');
  assert.not.match(link, 'redirect_uri', 'a mail has no words of a stranger');
  const token = new URL(link, site().url).searchParams.get('token') ?? '';
  const answer = await browser.post('/auth/recover', { token, auth_password: `${PASSWORD}2`, confirm: `${PASSWORD}2` });
  assert.is(new URL(answer.location, site().url).searchParams.get('redirect_uri'), toDialog());
  const form = { auth_slug: 'lost@example.org', auth_password: `${PASSWORD}2`, redirect_uri: toDialog() };
  assert.is((await browser.post('/auth/login', form)).location, toDialog());
});

flow('a way back to another site is not kept', async () => {
  const browser = site().browser();
  const form = { profile_name: 'Eve', auth_slug: 'eve@example.org', auth_password: PASSWORD, confirm: PASSWORD };
  await browser.post('/auth/signup', { ...form, redirect_uri: '//evil.example/' });
  const token = new URL(await readLink('eve@example.org'), site().url).searchParams.get('token') ?? '';
  const { location } = await browser.post('/auth/verify', { token, auth_password: PASSWORD });
  assert.not.match(location, 'evil');
});

/** What an app hears that asks for scopes of which nothing is left. */
const NOTHING_LEFT: readonly (readonly [name: string, scope: string])[] = [
  ['unknown', 'nope'],
  ['several unknown', 'nope other'],
  ['blanks only', ' '],
];
for (const [name, scope] of NOTHING_LEFT)
  flow(`a scope that leaves nothing is invalid_scope: ${name}`, async () => {
    const browser = await site().as('Scoper');
    const { location } = await browser.get(toDialog({ scope }));
    assert.is(new URL(location).searchParams.get('error'), 'invalid_scope');
  });

flow('an app reads in its token that the user unticked everything', async () => {
  const browser = await site().as('Denier');
  const path = toDialog({ scope: 'profile_read' });
  const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(path)).text)?.[1] ?? '';
  const { location } = await browser.post(path, { action: 'allow', csrf });
  const code = new URL(location).searchParams.get('code') ?? '';
  const client_id = at.oauth?.open.id ?? '';
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, client_id, code_verifier: VERIFIER };
  const token = await site().send('POST', '/oauth/token', { form });
  assert.is(token.status, 200, token.text);
  assert.is(token.json().scope, '');
});

/** Answers that an app's page must be able to read, with the status. */
const READABLE = {
  'a method that the call does not take': { path: '/rest/user/profile/detail', method: 'DELETE', status: 405 },
  'a call without a token': { path: '/rest/user/profile/detail', method: 'GET', status: 401 },
  'a call with too large a body': {
    path: '/rest/user/profile/detail',
    method: 'PUT',
    status: 413,
    body: 'x'.repeat(2_000_000),
    type: 'application/json',
  },
  'the token door without a form': { path: '/oauth/token', method: 'POST', status: 400, body: 'x', type: 'text/plain' },
  'the token door with a broken body': {
    path: '/oauth/token',
    method: 'POST',
    status: 400,
    body: Buffer.from([0x61, 0x3d, 0xff]),
    type: 'application/x-www-form-urlencoded',
  },
  'the token door with another charset': {
    path: '/oauth/token',
    method: 'POST',
    status: 415,
    body: 'a=b',
    type: 'application/x-www-form-urlencoded; charset=iso-8859-1',
  },
  'the token door with too large a body': {
    path: '/oauth/token',
    method: 'POST',
    status: 413,
    body: 'x'.repeat(100_000),
    type: 'application/x-www-form-urlencoded',
  },
  'the token door by GET': { path: '/oauth/token', method: 'GET', status: 405 },
  'the door that ends tokens with too large a body': {
    path: '/oauth/revoke',
    method: 'POST',
    status: 413,
    body: 'x'.repeat(100_000),
    type: 'application/x-www-form-urlencoded',
  },
} as const;

for (const [name, { path, method, status, ...sent }] of Object.entries(READABLE))
  flow(`an app's page reads ${name}: ${status}`, async () => {
    const origin = new URL(CALLBACK).origin;
    const body = 'body' in sent ? { body: sent.body } : {};
    const type: Record<string, string> = 'type' in sent ? { 'content-type': sent.type } : {};
    const answer = await site().send(method, path, { headers: { origin, ...type }, ...body });
    assert.is(answer.status, status);
    assert.is(answer.headers['access-control-allow-origin'], origin);
    const foreign = await site().send(method, path, { headers: { origin: 'https://evil.example', ...type }, ...body });
    assert.is(foreign.headers['access-control-allow-origin'], undefined, 'another origin');
  });

flow("an app's page reads that it asked too often: 429", async () => {
  const origin = new URL(CALLBACK).origin;
  const form = { grant_type: 'authorization_code', client_id: at.oauth?.strict.id ?? '', client_secret: 'wrong' };
  for (let left = 40; left > 0; left -= 1) {
    const answer = await site().send('POST', '/oauth/token', { headers: { origin }, form });
    assert.is(answer.headers['access-control-allow-origin'], origin, `${answer.status}`);
    if (answer.status === 429) return;
  }
});

flow.run();
