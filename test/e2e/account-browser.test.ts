import type { Browser as Chrome, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import { hasChromium, judge, openChromium } from './_browser.ts';
import { toPath } from './_mail.ts';

const PASSWORD = 'a long enough word';
const NEW = 'another long enough word';

interface World {
  site: Site;
  chrome: Chrome;
  page: Page;
}

/** The life of an account by keyboard and click, each page judged by axe. */
const pages = suite<World>('an account in Chromium');

if (hasChromium) {
  pages.before(async (at) => {
    at.site = await boot({
      mode: 'development',
      settings: { auth: { verify: true, signup: true } },
    });
    at.chrome = await openChromium();
    at.page = await (await at.chrome.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  });
  pages.after(async ({ site, chrome }) => {
    await chrome?.close();
    await site?.close();
  });

  pages('signs up, confirms, recovers, ends a session elsewhere, and leaves', async ({ site, chrome, page }) => {
    const faults: string[] = [];
    const look = async (name: string) => void faults.push(...(await judge(page, name)));
    const open = async (path: string) => {
      await page.goto(site.url + path);
      await look(path.replace(/token=.*/, 'token'));
    };
    const send = (label: string) => page.getByRole('button', { name: label, exact: true }).click();
    const lastPath = async () => {
      return toPath((await site.mails()).at(-1));
    };
    const fill = async (values: Record<string, string>, tab = page) => {
      for (const [label, value] of Object.entries(values)) await tab.getByLabel(label, { exact: true }).fill(value);
    };
    const isIn = async () =>
      (await page.context().request.get(`${site.url}/auth/account`, { maxRedirects: 0 })).status();

    await open('/auth/signup');
    await fill({ 'Your name': 'Ada', 'E-mail': 'ada@example.org', Password: PASSWORD, 'Password again': PASSWORD });
    await send('Sign up');
    await page.getByRole('heading', { name: 'Look at your mail' }).waitFor();
    await look('after the sign-up');
    await open(await lastPath());
    await fill({ 'Your password': 'wrong word' });
    await send('Confirm and log in');
    await page.getByText('That is not the password of this account').first().waitFor();
    await look('a wrong password');
    await fill({ 'Your password': PASSWORD });
    await send('Confirm and log in');
    await page.getByText('Your e-mail is confirmed.').waitFor();
    assert.is(await isIn(), 200);
    await page.goto(`${site.url}/auth/logout`);
    await page.locator('main').getByRole('button', { name: 'Log out' }).click();

    await open('/auth/forgot');
    await fill({ 'E-mail': 'ada@example.org' });
    await send('Send the link');
    await page.getByText('a mail with a link is on its way').waitFor();
    await open(await lastPath());
    await fill({ 'New password': NEW, 'New password again': NEW });
    await send('Save the password');
    await page.getByText('Your password was changed.').waitFor();
    await look('/auth/login');
    await fill({ 'E-mail': 'ada@example.org', Password: NEW });
    await send('Log in');
    await page.waitForURL((url) => !url.pathname.startsWith('/auth/login'));

    const other = await (await chrome.newContext()).newPage();
    await other.goto(`${site.url}/auth/login`);
    await fill({ 'E-mail': 'ada@example.org', Password: NEW }, other);
    await other.getByRole('button', { name: 'Log in', exact: true }).click();
    await other.waitForURL((url) => !url.pathname.startsWith('/auth/login'));
    await open('/auth/account');
    await open('/auth/sessions');
    await page.getByRole('button', { name: /^End/ }).first().click();
    await page.getByText('The session has ended.').waitFor();
    await other.goto(`${site.url}/auth/account`);
    assert.match(other.url(), '/auth/login');

    await open('/__treadle/mail');
    await open('/auth/remove');
    await fill({ 'Current password': NEW });
    await send('Remove my account');
    await page.waitForURL((url) => !url.pathname.startsWith('/auth/remove'));
    assert.is(await isIn(), 303);
    assert.equal(await site.app.services.database.kysely.selectFrom('treadle_auth').selectAll().execute(), []);
    assert.equal(faults, []);
  });
}

pages.run();
