// A site under a path behind the guide's nginx and Caddy, which leave the path on or take it off. `TREADLE_TEST_SHOTS=<folder>`
// keeps pictures of the pages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { addArticle, boot, type Site } from '../boot.ts';
import { hasChromium } from './_browser.ts';
import { findPort, hasCaddy, hasNginx, type Swaps, startCaddy, startNginx } from './_guide-proxy.ts';
import { openChrome, saveArticle, useApp } from './_proxy-walk.ts';

const walk = suite('under a path in Chromium');
const PATH = '/blog';
const SHOTS = process.env.TREADLE_TEST_SHOTS;
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const TALK = {
  name: 'talk',
  singular: 'Talk',
  plural: 'Talks',
  fields: [
    { name: 'title', type: 'text', searchable: true, validation: [{ method: 'required' }] },
    { name: 'picture', type: 'image' },
    { name: 'text', type: 'wysiwyg' },
  ],
};

/** A line that the guide says to write. */
function quote(line: string): string {
  const guide = readFileSync(join(packageRoot, 'docs/guide/production.md'), 'utf8');
  if (!guide.includes(`\`${line}\``)) throw new Error(`The guide does not say: ${line}`);
  return line;
}

const FIGURES: Swaps[number] = ['/metrics', '/blog/metrics'];
const MATCHER = quote('@blog path /blog /blog/* /.well-known/oauth-*/blog');
/** What the guide says to change in its blocks. */
const NGINX: Readonly<Record<string, Swaps>> = {
  'leaves it on': [
    ['location / {', quote('location ~ ^/(?:blog(?:/|$)|\\.well-known/oauth-[a-z-]+/blog$) {')],
    FIGURES,
  ],
  'takes it off': [
    ['location / {', quote('location /blog/ {')],
    ['proxy_pass http://my-blog;', quote('proxy_pass http://my-blog/;')],
    FIGURES,
  ],
};
const CADDY: Readonly<Record<string, Swaps>> = {
  'leaves it on': [
    ['\treverse_proxy 127.0.0.1:3000 {', `\t${MATCHER}\n\t${quote('reverse_proxy @blog 127.0.0.1:3000 {')}`],
    FIGURES,
  ],
  'takes it off': [
    ['\treverse_proxy 127.0.0.1:3000 {', `\t${quote('handle_path /blog/* {')}\n\treverse_proxy 127.0.0.1:3000 {`],
    ['\t\t}\n\t}\n}', '\t\t}\n\t}\n\t}\n}'],
    FIGURES,
  ],
};

/** Requests that left the path, answers that failed, and what the console says. */
function watch(page: Page, base: string): string[] {
  const faults: string[] = [];
  const { origin } = new URL(base);
  page.on('request', (request) => {
    const url = request.url();
    if (url.startsWith(origin) && !`${url}/`.startsWith(`${base}/`)) faults.push(`asked for ${url}`);
  });
  page.on('response', (answer) => {
    if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  return faults;
}

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.screenshot({ path: join(SHOTS, `${name}-${width}.png`) });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function upload(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/admin/system/model/talk/create`);
  await page.locator('input[name="talk_title"]').fill('Looms');
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PIXEL });
  // The editor is a script that loads others.
  await page.locator('[contenteditable=true]').first().waitFor();
  await shoot(page, 'form');
  await page.locator('input[name="talk_title"]').press('Enter');
  await page.waitForURL(/\/talk\/detail\/\d+$/);
  await page.locator(`img[src^="${PATH}/upload/"]`).first().waitFor();
  await page.waitForFunction(`document.querySelector('img[src^="${PATH}/upload/"]').naturalWidth > 0`);
  await shoot(page, 'detail');
}

/** The admin section: its first page, which renews itself, a list, and what Ctrl-K finds. */
async function useAdmin(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/admin`);
  await page.getByText('Live', { exact: true }).waitFor();
  await shoot(page, 'admin');
  await page.getByRole('link', { name: 'Articles', exact: true }).first().click();
  await page.waitForURL(`${base}/admin/system/model/article/search`);
  await page.getByRole('link', { name: 'A new title' }).first().waitFor();
  await shoot(page, 'list');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Talks');
  // What was found before a letter must not be taken.
  await page.locator('#t-go-list [role=option]:first-child', { hasText: 'Talks' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`${PATH}/admin/.*talk`));
}

async function readDocs(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/developer/docs`);
  await shoot(page, 'docs');
  await page.keyboard.press('/');
  await page.keyboard.type('scope');
  await page.locator('.d-search [role=option]:first-child', { hasText: /scope/i }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname.startsWith(`${PATH}/developer/docs/`));
}

async function switchLanguage(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/articles`);
  await page.getByText('Deutsch', { exact: true }).click();
  await page.waitForURL(`${base}/de/articles`);
  await page.getByRole('link', { name: 'A new title' }).first().click();
  await page.waitForURL(new RegExp(`${PATH}/de/article/\\d+$`));
  await shoot(page, 'german');
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name.endsWith('sid'));
  assert.equal([cookie?.name, cookie?.path], [base.startsWith('https') ? '__Secure-sid' : 'sid', PATH]);
}

interface Place {
  /** Leads the names of the site to this machine. */
  readonly rules: string;
  end(): unknown;
}

async function run(base: string, open: (port: number) => Promise<Place>): Promise<void> {
  const site: Site = await boot({
    settings: {
      api: true,
      admin: { write: true },
      languages: ['en', 'de'],
      languagePath: true,
      server: { baseUrl: base, trustProxy: 1 },
    },
    files: { 'config/schema/talk.json': TALK },
  });
  const place = await open(Number(new URL(site.url).port));
  const chrome = await openChrome(place.rules);
  try {
    const id = await addArticle(site);
    const page = await (await chrome.newContext({ ignoreHTTPSErrors: true })).newPage();
    page.setDefaultTimeout(15_000);
    const faults = watch(page, base);
    await page.goto(`${base}/`);
    await shoot(page, 'home');
    await useApp(page, base);
    await saveArticle(page, base, site, id);
    await upload(page, base);
    await useAdmin(page, base);
    await readDocs(page, base);
    await switchLanguage(page, base);
    assert.equal(faults, []);
  } finally {
    await chrome.close();
    await place.end();
    await site.close();
  }
}

for (const [name, swaps] of Object.entries(NGINX))
  if (hasChromium && hasNginx)
    walk(`behind the guide’s nginx, which ${name}`, () =>
      run(`https://example.org${PATH}`, async (port) => {
        const proxy = await startNginx([port], swaps);
        return { rules: `MAP example.org:443 127.0.0.1:${proxy.port}`, end: proxy.end };
      }),
    );
  else process.stdout.write(`skipped: under a path behind nginx, which ${name} (needs nginx, openssl and Chromium)\n`);

for (const [name, swaps] of Object.entries(CADDY))
  if (hasChromium && hasCaddy)
    walk(`behind the guide’s Caddy, which ${name}`, async () => {
      const at = await findPort();
      await run(`http://127.0.0.1:${at}${PATH}`, async (port) => {
        const proxy = await startCaddy([port], swaps, at);
        return { rules: '', end: proxy.end };
      });
    });
  else process.stdout.write(`skipped: under a path behind Caddy, which ${name} (needs Caddy and Chromium)\n`);

walk.run();
