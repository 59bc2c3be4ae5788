import type { Browser as Chrome } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site } from '../boot.ts';
import { findOverflow, findViolations, giveCookies, hasChromium, openChromium } from './_browser.ts';

interface World {
  site: Site;
  chrome: Chrome;
}

const WIDTHS = [360, 390, 1280] as const;
/** Files, streams and pages of one row more than is needed. */
const LEFT_OUT = /\/(export|events|download|undo)\b|\.json$|detail\/(?!1$)\d+$/;
const MISSING = '/nothing-here';
/** The site's own pages: those of the blog, and one that is not there. */
const PUBLIC = ['/', '/articles', '/article/1', MISSING];
/** What a page may hold that has no place to break. */
const LONG = 'x'.repeat(120);

const test = suite<World>('pages of the blog and of the admin section');

if (hasChromium) {
  test.before(async (at) => {
    const role = { slug: 'editor', name: 'Editor', permissions: [{ method: 'all', path: '/admin/job/**' }] };
    at.site = await boot({
      files: { 'config/role/editor.json': role },
      settings: { api: true, admin: { write: true } },
    });
    await at.site.cli('api', 'populate');
    await at.site.app.services.reload();
    at.chrome = await openChromium();
    const wide = `<h2>${LONG}</h2><pre>${LONG}</pre><table><tr>${`<td>${LONG}</td>`.repeat(4)}</tr></table><p><a href="https://example.org/${LONG}">${LONG}</a></p>`;
    await addArticle(at.site, `A title ${LONG}`, wide);
  });
  test.after(async ({ site, chrome }) => {
    await chrome?.close();
    await site?.close();
  });

  test('every link leads to a page, and none is wider than its window, or has a fault that axe finds in light or dark', async ({
    site,
    chrome,
  }) => {
    const context = await chrome.newContext();
    await giveCookies(context, await site.as('Ada', ['admin']), site.url);
    const page = await context.newPage();
    const [waiting, seen] = [['/admin', ...PUBLIC], new Set(['/admin', ...PUBLIC])];
    const faults: string[] = [];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const status = (await page.goto(`${site.url}${path}`))?.status();
      if (status !== 200 && path !== MISSING) faults.push(`${path}: ${status}`);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        faults.push(...(await findOverflow(page, path)));
      }
      // One cell of a role's matrix is like the others.
      if (!/\/rule\/.*(?<!search)$/.test(path))
        for (const scheme of ['light', 'dark'] as const) faults.push(...(await findViolations(page, path, scheme)));
      // A link of a drawing has no `href` as text.
      const links = await page
        .locator('a[href]')
        .evaluateAll((all) => all.map((link) => new URL(link.getAttribute('href') ?? '', document.baseURI).href));
      for (const { origin, pathname, search } of links.map((link) => new URL(link))) {
        if (origin !== site.url || !pathname.startsWith('/admin') || seen.has(pathname) || LEFT_OUT.test(pathname))
          continue;
        seen.add(pathname);
        waiting.push(pathname + search);
      }
    }
    assert.ok(seen.size > 60, `${seen.size} pages`);
    assert.equal(faults, []);
    await context.close();
  });
}

test.run();
