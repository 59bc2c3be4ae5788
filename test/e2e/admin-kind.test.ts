import type { Browser as Chromium, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import { giveCookies, hasChromium, judge, openChromium } from './_browser.ts';

/** Pages of definitions in Chromium: what scripts add, and how pages look to axe. */
interface World {
  site: Site;
  chromium: Chromium;
  page: Page;
}

const MODEL = '/admin/system/model';
const PAGES = [
  ...['rest/search', 'rest/detail/user-profile-detail', 'rest/update/public-article-search', 'rest/generate'],
  ...['scope/detail/profile_read', 'webhook/detail/profile-created', 'webhook/create', 'app/create'],
  ...['role/detail/guest', 'role/rule/guest/article/update', 'rest/remove/user-profile-detail'],
];

const test = suite<World>('pages of definitions in Chromium');

test.before(async (at) => {
  at.site = await boot({ settings: { api: true, admin: { write: true } } });
  await at.site.cli('api', 'populate');
  await at.site.app.services.reload();
  const admin = await at.site.as('admin', ['admin']);
  at.chromium = await openChromium();
  const context = await at.chromium.newContext({ viewport: { width: 1280, height: 800 } });
  await giveCookies(context, admin, at.site.url);
  at.page = await context.newPage();
});
test.after(async (at) => {
  await at.chromium?.close();
  await at.site.close();
});

test('no page has a fault that axe finds, or is wider than a phone', async ({ site, page }) => {
  const faults: string[] = [];
  for (const path of PAGES) {
    await page.goto(`${site.url}${MODEL}/${path}`);
    faults.push(...(await judge(page, path)));
  }
  assert.equal(faults, []);
});

test('the file follows the form as it is typed; more rows come by the keyboard', async ({ site, page }) => {
  await page.goto(`${site.url}${MODEL}/rest/update/public-article-search`);
  await page.fill('#f-title', 'Typed "just now"');
  await page.locator('#draft-json', { hasText: 'just now' }).waitFor();
  const rows = page.locator('fieldset[data-rows] .t-row-pair');
  const before = await rows.count();
  await page.locator('button[name="more"]').first().focus();
  await page.keyboard.press('Enter');
  assert.is(await rows.count(), before + 1);
  await page.keyboard.type('limit');
  await page.keyboard.press('Tab');
  await page.keyboard.type('7');
  await page.locator('#draft-json', { hasText: '"limit": "7"' }).waitFor();
  // Enter in a field saves; it does not ask for more rows.
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/rest\/detail\/public-article-search/);
  assert.match(site.project.read('config/rest/public-article-search.json'), /"limit": "7"/);
});

test('the try-out answers in the page', async ({ site, page }) => {
  await page.goto(`${site.url}${MODEL}/rest/detail/public-profile-search`);
  await page.fill('#try-query', 'limit=1');
  await page.click('form[data-try] button[type="submit"]');
  await page.waitForSelector('#answer pre');
  assert.match(page.url(), /\/rest\/detail\/public-profile-search$/);
  assert.match(String(await page.textContent('#answer')), /200[\s\S]*"profile_name"[\s\S]*curl/);
});

if (hasChromium) test.run();
