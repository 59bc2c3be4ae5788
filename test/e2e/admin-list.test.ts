import { gzipSync } from 'node:zlib';
import type { BrowserContext, Browser as Chrome } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site } from '../boot.ts';
import { giveCookies, hasChromium, judge, openChromium } from './_browser.ts';

const ARTICLES = '/admin/system/model/article';
const MOST_BYTES = 60_000;
const MOST_REQUESTS = 8;

interface World {
  site: Site;
  chrome: Chrome;
  /** A logged-in window, with and without scripts. */
  window: BrowserContext;
  plain: BrowserContext;
}

const test = suite<World>('lists of rows in Chromium');

if (hasChromium) {
  test.before(async (at) => {
    at.site = await boot();
    at.chrome = await openChromium();
    const admin = await at.site.as('Ada', ['admin']);
    const viewport = { width: 1280, height: 800 };
    at.window = await at.chrome.newContext({ viewport, bypassCSP: true });
    at.plain = await at.chrome.newContext({ viewport, javaScriptEnabled: false });
    for (const context of [at.window, at.plain]) await giveCookies(context, admin, at.site.url);
    for (let number = 1; number <= 60; number += 1) await addArticle(at.site, `Article ${number}`);
  });
  test.after(async ({ site, chrome }) => {
    await chrome?.close();
    await site?.close();
  });

  test('by keys: move, tick, edit a cell, search', async ({ site, window }) => {
    const page = await window.newPage();
    const sizes: number[] = [];
    page.on('response', async (response) => {
      const body = await response.body().catch(() => Buffer.alloc(0));
      sizes.push(gzipSync(body).length);
    });
    await page.goto(`${site.url}${ARTICLES}/search`, { waitUntil: 'networkidle' });
    assert.ok(sizes.length <= MOST_REQUESTS, `${sizes.length} requests`);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
    for (const key of ['j', 'j', 'j', 'k', 'x']) await page.keyboard.press(key);
    assert.equal(
      await page.locator('tbody input:checked').evaluateAll((all) => all.map((box) => box.getAttribute('value'))),
      ['2'],
    );
    await page.keyboard.press('e');
    const input = page.locator('.t-cell-form input.t-input');
    await input.fill('Changed by keys');
    const faults = await judge(page, 'a cell');
    await input.press('Enter');
    await page.getByRole('link', { name: 'Changed by keys' }).waitFor();
    assert.is((await site.rows('article'))[1]?.article_title, 'Changed by keys');
    await page.locator('tbody tr').nth(1).locator('input').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('keys');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=keys/);
    assert.is(await page.locator('tbody tr').count(), 1);
    await page.locator('tbody td a').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/detail\/2/);
    await page.goto(`${site.url}${ARTICLES}/search?filter[article_category]=x&add=article_published`);
    faults.push(...(await judge(page, 'a filter')));
    assert.equal(faults, []);
    await page.close();
  });

  test('what can be done with ticked rows is there only while a row is ticked', async ({ site, window }) => {
    const page = await window.newPage();
    await page.goto(`${site.url}${ARTICLES}/search`);
    const bar = page.locator('.t-bulk');
    const status = page.locator('#t-ticked-status');
    assert.is(await bar.isVisible(), false);
    assert.is(await status.textContent(), '');
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    assert.is(await bar.isVisible(), true);
    assert.is(await status.textContent(), '2 ticked');
    await page.keyboard.press('b');
    const isIn = (): Promise<boolean> => bar.evaluate((element) => element.contains(document.activeElement));
    assert.is(await isIn(), true);
    const faults = await judge(page, 'the bar');
    assert.equal(faults, []);
    await page.getByLabel('Tick all rows of this page').check();
    assert.is(await status.textContent(), '50 ticked');
    await page.getByLabel('All 60 that match').check();
    assert.is(await status.textContent(), '60 ticked');
    await page.getByRole('button', { name: 'Untick all' }).press('Enter');
    assert.is(await bar.isVisible(), false);
    assert.is(await status.textContent(), '0 ticked');
    assert.is(await page.locator('#t-tick-all').evaluate((box) => box === document.activeElement), true);
    assert.is(await page.locator('tbody input:checked').count(), 0);
    await page.close();
  });

  test('on a phone a shadow at an edge of the list says that more lies behind it', async ({ site, window }) => {
    const page = await window.newPage();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${site.url}${ARTICLES}/search`);
    await page.addStyleTag({ content: '.t-scroll * { visibility: hidden }' });
    const box = await page.locator('.t-scroll').boundingBox();
    assert.ok(box);
    const most = await page.locator('.t-scroll').evaluate((list) => list.scrollWidth - list.clientWidth);
    assert.ok(most > 100, `${most} px to scroll`);
    /** Whether the left and the right edge differ from the middle. */
    const look = async (left: number): Promise<boolean[]> => {
      await page.locator('.t-scroll').evaluate((list, to) => list.scrollTo(to, 0), left);
      const edges = [box.x, box.x + box.width - 12].map((x) => ({ x, y: box.y, width: 12, height: 80 }));
      const flat = await page.screenshot({ clip: { x: box.x + 180, y: box.y, width: 12, height: 80 } });
      const found: boolean[] = [];
      for (const clip of edges) found.push(!(await page.screenshot({ clip })).equals(flat));
      return found;
    };
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.equal(await look(0), [false, true], `${colorScheme}, at the start`);
      assert.equal(await look(most / 2), [true, true], `${colorScheme}, in the middle`);
      assert.equal(await look(most), [true, false], `${colorScheme}, at the end`);
    }
    await page.close();
  });

  test('a file is sent, checked and imported while the page tells the progress', async ({ site, window }) => {
    const page = await window.newPage();
    const faults: string[] = [];
    await page.goto(`${site.url}${ARTICLES}/import`);
    faults.push(...(await judge(page, 'import')));
    const lines = Array.from({ length: 1500 }, (_, at) =>
      JSON.stringify({ title: `Imported ${at}`, detail: '<p>x</p>', published: at === 7 ? 'never' : '2026-01-02' }),
    );
    const buffer = Buffer.from(lines.join('\n'));
    await page.setInputFiles('#t-file', { name: 'articles.ndjson', mimeType: 'application/x-ndjson', buffer });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('1 row is not valid. Of the others 1499 would be new').waitFor();
    faults.push(...(await judge(page, 'report')));
    await page.getByLabel('Import the valid rows').check();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Imported: 1499 new').waitFor();
    assert.is((await site.rows('article')).length, 1559);
    assert.equal(faults, []);
    await page.close();
  });

  test('without scripts rows are filtered, ticked and removed', async ({ site, plain }) => {
    const page = await plain.newPage();
    await page.goto(`${site.url}${ARTICLES}/search`);
    assert.is(await page.locator('.t-bulk').isVisible(), true);
    await page.locator('summary', { hasText: 'Filter' }).click();
    await page.selectOption('#t-add', 'article_id');
    await page.locator('#t-list-form').getByRole('button', { name: 'Apply' }).first().click();
    await page.selectOption('#t-op-0', 'in');
    await page.fill('#t-value-0', '3,4');
    await page.locator('#t-list-form').getByRole('button', { name: 'Apply' }).first().click();
    assert.is(new URL(page.url()).search, '?filter[article_id][in]=3,4');
    for (const box of await page.locator('tbody input').all()) await box.check();
    await page.locator('.t-bulk').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'Remove 2 Articles?' }).waitFor();
    await page.locator('main').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('2 Articles removed.').waitFor();
    await page.close();
  });
}

test.run();
