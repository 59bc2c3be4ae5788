import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser as Chromium } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Project } from '../project.ts';
import { hasChromium, openChromium } from './_browser.ts';

/** Accessibility of the docs: checked on the static pages, which equal the served ones. */
interface World {
  project: Project;
  chromium: Chromium;
  folder: string;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const GUIDES = ['errors', 'searching', 'writing', 'limits'].map((name) => `guide/${name}`);
/** One page of every kind. */
const PAGES = [
  ...['index', 'guide/authentication'],
  ...['calls', 'calls/public-article-search', 'calls/user-comment-create', 'calls/app-comment-update'],
  ...['schemas', 'schemas/article', 'scopes', 'scopes/comment_write', 'webhooks', 'webhooks/profile-created'],
];
/** Colours depend on the scheme, the layout on the width: each is checked with both of the other. */
const LOOKS = [
  { width: 1280, colorScheme: 'light', pages: [...PAGES, ...GUIDES] },
  { width: 390, colorScheme: 'dark', pages: PAGES },
] as const;

const axe = suite<World>('docs by axe');

axe.before(async (at) => {
  at.folder = mkdtempSync(join(tmpdir(), 'treadle-axe-'));
  at.project = new Project();
  await at.project.cli('api', 'populate');
  for (const access of ['app', 'user']) await at.project.cli('rest', 'generate', 'comment', '--access', access);
  // With a base URL there is also a console.
  at.project.set({ server: { baseUrl: 'https://blog.example' } });
  await at.project.cli('docs', '--out', join(at.folder, 'docs'));
  at.chromium = await openChromium();
});
axe.after(async (at) => {
  await at.chromium?.close();
  await at.project.remove();
  rmSync(at.folder, { recursive: true, force: true });
});

for (const { width, colorScheme, pages } of LOOKS) {
  axe(`finds nothing at ${width} px, ${colorScheme}, and nothing is wider than the page`, async (world) => {
    const context = await world.chromium.newContext({ viewport: { width, height: 900 }, colorScheme });
    const tab = await context.newPage();
    const faults: string[] = [];
    tab.on('pageerror', (error) => faults.push(error.message));
    for (const path of pages) {
      await tab.goto(pathToFileURL(join(world.folder, `docs/${path}.html`)).href);
      await tab.evaluate(AXE);
      const found = await tab.evaluate(
        "axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].target))",
      );
      assert.equal(found, [], path);
      assert.is(await tab.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)'), 0, path);
    }
    assert.equal(faults, []);
    await context.close();
  });
}

if (hasChromium) axe.run();
else console.log('skipped: docs by axe: there is no Chromium');
