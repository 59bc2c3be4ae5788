import type { CDPSession, Browser as Chrome, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { boot, type Site } from '../boot.ts';
import { PASSWORD } from '../client.ts';
import { toCode } from '../feature/auth/_second-factor.ts';
import { hasChromium, judge, openChromium } from './_browser.ts';

const ADA = 'ada@example.org';

interface World {
  site: Site;
  chrome: Chrome;
  page: Page;
  cdp: CDPSession;
  authenticatorId: string;
  /** The site by name: a browser uses no passkeys at an IP address. */
  url: string;
  /** Milliseconds that the site's clock is ahead. */
  clock: { ahead: number };
  seed: string;
  codes: string[];
  /** What axe found, and what the console said. */
  faults: string[];
}

const send = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
}

async function look({ page, faults }: World, name: string): Promise<void> {
  faults.push(...(await judge(page, name)));
}

async function logIn(page: Page, url: string, email = ADA): Promise<void> {
  await page.goto(`${url}/auth/login`);
  await fill(page, { 'E-mail': email, Password: PASSWORD });
  await send(page, 'Log in');
}

async function logOut({ page, url }: World): Promise<void> {
  await page.goto(`${url}/auth/logout`);
  await page.locator('main').getByRole('button', { name: 'Log out' }).click();
}

const isIn = async ({ page, url }: World): Promise<boolean> =>
  (await page.context().request.get(`${url}/auth/account`, { maxRedirects: 0 })).status() === 200;

const currentCode = ({ seed, clock }: World): string => toCode(seed, Date.now() + clock.ahead);

const readSeed = async (page: Page): Promise<string> => (await page.locator('#t-seed').innerText()).replaceAll(' ', '');

/** Whether the key answers by itself, also the list of the e-mail field: off while a page is looked at. */
const setPresence = ({ cdp, authenticatorId }: World, enabled: boolean) =>
  cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });

async function addAuthenticator(cdp: CDPSession): Promise<string> {
  await cdp.send('WebAuthn.enable');
  const kind = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  const user = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  return (await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { ...kind, ...user } })).authenticatorId;
}

/** Second factors by keyboard and click, each page judged by axe. */
const pages = suite<World>('second factors in Chromium');

if (hasChromium) {
  pages.before(async (at) => {
    at.clock = { ahead: 0 };
    at.faults = [];
    const clock = { now: () => Date.now() + at.clock.ahead, after: systemClock.after };
    at.site = await boot({ mode: 'development', clock });
    at.url = at.site.url.replace('127.0.0.1', 'localhost');
    at.chrome = await openChromium();
    at.page = await (await at.chrome.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    at.page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) at.faults.push(message.text());
    });
    at.page.on('pageerror', (error) => at.faults.push(String(error)));
    at.cdp = await at.page.context().newCDPSession(at.page);
    at.authenticatorId = await addAuthenticator(at.cdp);
    await at.page.goto(`${at.url}/auth/signup`);
    await fill(at.page, { 'Your name': 'Ada', 'E-mail': ADA, Password: PASSWORD, 'Password again': PASSWORD });
    await send(at.page, 'Sign up');
    await at.page.waitForURL(`${at.url}/articles`);
  });
  pages.after(async ({ site, chrome }) => {
    await chrome?.close();
    await site?.close();
  });

  pages('adds an authenticator app', async (at) => {
    const { page, url } = at;
    await page.goto(`${url}/auth/second-factor`);
    await look(at, 'without a factor');
    await page.getByRole('link', { name: 'Add an app' }).click();
    at.seed = await readSeed(page);
    await look(at, 'the QR code');
    await fill(page, { Code: '000000' });
    await send(page, 'Add the app');
    await page.getByRole('alert').waitFor();
    await look(at, 'a wrong code');
    assert.is(await readSeed(page), at.seed);
    await fill(page, { Code: currentCode(at) });
    await send(page, 'Add the app');
    await heading(page, 'Recovery codes');
    await look(at, 'the recovery codes');
    at.codes = (await page.locator('#t-codes').innerText()).split('\n');
    const [download] = await Promise.all([page.waitForEvent('download'), send(page, 'Download')]);
    assert.is(download.suggestedFilename(), 'recovery-codes.txt');
    await page.getByRole('link', { name: 'I have saved them' }).click();
    await page.getByText('10 of 10 codes are left').waitFor();
    await look(at, 'with an app');
  });

  pages('logs in with the code of the app', async (at) => {
    const { page, url, clock } = at;
    await logOut(at);
    clock.ahead += 30_000;
    await logIn(page, url);
    await heading(page, 'Second step');
    await look(at, 'the second step');
    assert.is(await isIn(at), false);
    await fill(page, { Code: currentCode(at) });
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/articles`);
    assert.is(await isIn(at), true);
  });

  pages('adds a passkey, and no second one of the same device', async (at) => {
    const { page, url, cdp, authenticatorId } = at;
    await page.goto(`${url}/auth/passkey`);
    await look(at, 'without a passkey');
    await page.locator('#t-name').fill('My key');
    await send(page, 'Add a passkey');
    await page.getByText('The passkey is added.').waitFor();
    await look(at, 'with a passkey');
    assert.is((await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length, 1);
    await page.locator('#t-name').fill('Another');
    await send(page, 'Add a passkey');
    await page.getByText('This device has a passkey for the account already.').waitFor();
  });

  pages('logs in with the passkey as the second step', async (at) => {
    const { page, url } = at;
    await logOut(at);
    await setPresence(at, false);
    await logIn(page, url);
    await heading(page, 'Second step');
    await look(at, 'the second step with a passkey');
    await setPresence(at, true);
    await send(page, 'Use a passkey');
    await page.waitForURL(`${url}/articles`);
    assert.is(await isIn(at), true);
  });

  pages('logs in with the passkey alone, by button and from the list of the e-mail field', async (at) => {
    const { page, url } = at;
    await logOut(at);
    await setPresence(at, false);
    await page.goto(`${url}/auth/login`);
    await look(at, 'the login');
    await setPresence(at, true);
    await send(page, 'Log in with a passkey');
    await page.waitForURL(`${url}/articles`);
    assert.is(await isIn(at), true);
    await logOut(at);
    await page.goto(`${url}/auth/login?redirect_uri=/auth/account`);
    await page.waitForURL(`${url}/auth/account`);
  });

  pages('confirms before a secret, and goes on with page or form', async (at) => {
    const { page, url, clock } = at;
    clock.ahead += 700_000;
    await page.goto(`${url}/auth/second-factor/totp`);
    await heading(page, 'Confirm that it is you');
    await look(at, 'the confirmation');
    await send(page, 'Use a passkey');
    await heading(page, 'Authenticator app');
    clock.ahead += 700_000;
    await page.goto(`${url}/auth/second-factor`);
    await send(page, 'Make new codes');
    await heading(page, 'Confirm that it is you');
    await fill(page, { Password: PASSWORD });
    await send(page, 'Confirm by password');
    await page.getByText('These are your new recovery codes.').waitFor();
    const before = at.codes;
    at.codes = (await page.locator('#t-codes').innerText()).split('\n');
    assert.equal(
      before.filter((code) => at.codes.includes(code)),
      [],
    );
  });

  pages('logs in with a recovery code, and removes the passkey', async (at) => {
    const { page, url, site } = at;
    await logOut(at);
    await setPresence(at, false);
    await logIn(page, url);
    await page.getByText('Use a recovery code').click();
    await fill(page, { 'Recovery code': String(at.codes[0]) });
    await send(page, 'Log in with it');
    await page.waitForURL(`${url}/articles`);
    await page.goto(`${url}/auth/passkey`);
    await page.getByRole('button', { name: 'Remove My key' }).click();
    await page.getByText('The passkey is removed.').waitFor();
    const found = await site.emit('auth-second-factor-search', { auth_slug: ADA });
    assert.equal(
      (found.getResults('rows') as { kind: string }[]).map(({ kind }) => kind),
      ['totp'],
    );
  });

  pages('lists the trusted device after the box was ticked', async (at) => {
    const { page, url, clock } = at;
    await logOut(at);
    clock.ahead += 30_000;
    await logIn(page, url);
    await fill(page, { Code: currentCode(at) });
    await page.getByLabel('Do not ask on this device for 30 days').first().check();
    await send(page, 'Log in');
    await page.waitForURL(`${url}/articles`);
    await page.goto(`${url}/auth/sessions`);
    await heading(page, 'Trusted devices');
    await look(at, 'the sessions');
    await page.goto(`${url}/auth/second-factor`);
    await look(at, 'the trusted device');
    await logOut(at);
    await logIn(page, url);
    await page.waitForURL(`${url}/articles`);
  });

  pages('the second step by code works without scripts', async ({ chrome, site, url, clock }) => {
    const context = await chrome.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await site.as('Bob');
    await logIn(page, url, 'bob@example.org');
    await page.goto(`${url}/auth/second-factor/totp`);
    const seed = await readSeed(page);
    await fill(page, { Code: toCode(seed, Date.now() + clock.ahead) });
    await send(page, 'Add the app');
    await heading(page, 'Recovery codes');
    await context.clearCookies();
    clock.ahead += 30_000;
    await logIn(page, url, 'bob@example.org');
    await fill(page, { Code: toCode(seed, Date.now() + clock.ahead) });
    await send(page, 'Log in');
    await page.waitForURL(`${url}/articles`);
    await context.close();
  });

  pages('no page has a fault of access, layout or policy', ({ faults }) => {
    assert.equal(faults, []);
  });
}

pages.run();
