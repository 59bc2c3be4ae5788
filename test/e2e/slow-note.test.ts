import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { findViolations, hasChromium, openChromium } from './_browser.ts';

const test = suite('the note of slow searches in development');

const SCRIPT = readFileSync(join(packageRoot, 'templates/http/reload.js'), 'utf8');
const ORIGIN = 'http://slow.test';
/** A page of a phone's height with its last link at the very end. */
const PAGE = `<!doctype html><html lang="en"><head><title>Rows</title></head><body><main style="min-height: 100vh"><h1>Rows</h1></main>
<footer style="padding: 4rem"><a href="/next" style="display: inline-block; padding: 1rem">Next</a></footer><script src="/__treadle/reload.js"></script></body></html>`;
/** The stream of the server, which the test speaks for. */
const STREAM = `window.EventSource = class {
  addEventListener(name, listen) { if (name === 'slow') window.tellSlow = (advice) => listen({ data: JSON.stringify(advice) }); }
  close() {}
};`;
const TELL = `tellSlow([1, 2, 3, 4].map((number) => ({
  path: '/', at: Date.now(), search: 'search ' + number, milliseconds: 900, plan: 'reads each row of the table', remedy: 'Add an index.',
})))`;

if (hasChromium)
  test('leaves the end of the page within reach, and is what its role says', async () => {
    const chrome = await openChromium();
    try {
      const page = await chrome.newPage({ viewport: { width: 390, height: 800 } });
      await page.addInitScript(STREAM);
      await page.route(`${ORIGIN}/**`, (route) => {
        const isScript = route.request().url().endsWith('.js');
        return route.fulfill({
          contentType: isScript ? 'text/javascript' : 'text/html',
          body: isScript ? SCRIPT : PAGE,
        });
      });
      await page.goto(`${ORIGIN}/`);
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      await page.evaluate(TELL);
      await page.getByRole('status').waitFor();
      assert.equal(await findViolations(page, 'note', 'light'), []);
      await page.getByRole('link', { name: 'Next' }).click({ timeout: 5_000 });
      await page.waitForURL(`${ORIGIN}/next`);
      await page.goto(`${ORIGIN}/`);
      await page.evaluate(TELL);
      await page.getByRole('button', { name: 'Hide' }).click();
      assert.is(await page.evaluate<number>('document.documentElement.scrollHeight'), height);
    } finally {
      await chrome.close();
    }
  });

test.run();
