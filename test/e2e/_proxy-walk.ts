// What people do at a site behind a proxy, for the suites that put one there.
import { type Browser, chromium, type Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { Site } from '../boot.ts';
import { PASSWORD } from '../client.ts';

/** A browser of its own, because the names of the sites lead to this machine. */
export const openChrome = (rules: string): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=${rules}`],
  });

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

export async function logIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Log in');
}

/** Signs up, registers an app, allows it, gets a token, and allows it again after a login on the way. */
export async function useApp(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/auth/signup`);
  for (const label of ['Password', 'Password again']) await page.getByLabel(label, { exact: true }).fill(PASSWORD);
  await page.getByLabel('Your name', { exact: true }).fill('Ada');
  await page.getByLabel('E-mail', { exact: true }).fill('ada@example.org');
  await press(page, 'Sign up');
  await page.goto(`${base}/developer/app/create`);
  await page.getByLabel('Title', { exact: true }).fill('Owl');
  await press(page, 'Register app');
  await page.goto(`${base}/developer/app/search`);
  await page.getByRole('link', { name: 'Owl' }).first().click();
  const id = /(\d+)$/.exec(new URL(page.url()).pathname)?.[1] ?? '';
  const start = `${base}/developer/app/try/${id}`;
  await page.goto(start);
  await press(page, 'Start');
  await page.waitForURL(/\/(dialog|oauth)\//);
  const dialog = page.url();
  await press(page, 'Allow');
  await page.waitForURL(/code=/);
  await press(page, 'Exchange it here');
  await page.getByText('2. The exchange returned tokens').waitFor();
  assert.match(await page.locator('#t-token-answer').innerText(), /tk_at_/);
  await page.context().clearCookies();
  await page.goto(dialog);
  await logIn(page);
  await press(page, 'Allow');
  await page.waitForURL(/code=/);
}

/** Changes the title of an article in the admin section. */
export async function saveArticle(page: Page, base: string, site: Site, id: number): Promise<void> {
  const { kysely } = site.app.services.database;
  await kysely
    .updateTable('treadle_auth')
    .set({ auth_type: 'admin' })
    .where('auth_slug', '=', 'ada@example.org')
    .execute();
  await page.context().clearCookies();
  await page.goto(`${base}/auth/login`);
  await logIn(page);
  await page.waitForURL((url) => !url.pathname.includes('/auth/login'));
  await page.goto(`${base}/admin/system/model/article/update/${id}`);
  const title = page.locator('input[name="article_title"]');
  await title.fill('A new title');
  await title.press('Enter');
  await page.waitForURL((url) => !url.pathname.includes('/update/'));
  assert.equal(
    (await site.rows('article')).map((row) => row.article_title),
    ['A new title'],
  );
}
