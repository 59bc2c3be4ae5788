import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser as Chromium, Page as Tab } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site } from '../boot.ts';
import { hasChromium, openChromium } from './_browser.ts';
import { allow, signUpAs } from './_oauth.ts';

/** The docs in a browser: served, and as static files from a disk and below a path. */
interface World {
  site: Site;
  chromium: Chromium;
  folder: string;
  files: Server;
  token: string;
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const docs = suite<World>('docs in a browser');

/** A plain file server with the site below a path. */
function serveFiles(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const file = join(
      folder,
      decodeURIComponent((request.url ?? '').replace(/^\/some\/where/, '').replace(/\?.*/, '')),
    );
    if (!request.url?.startsWith('/some/where/') || !existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

docs.before(async (at) => {
  at.folder = mkdtempSync(join(tmpdir(), 'treadle-docs-'));
  const credentials: { id?: string; secret?: string } = {};
  at.site = await boot({
    mode: 'development',
    change: async (project) => {
      await project.cli('api', 'populate');
      for (const access of ['app', 'user']) await project.cli('rest', 'generate', 'comment', '--access', access);
      const { data } = await project.cli(
        'app',
        'create',
        'docs',
        '--title',
        'Docs',
        '--redirect-uri',
        'http://127.0.0.1/cb',
        '--scope',
        'comment_user_write',
      );
      Object.assign(credentials, { id: String(data.clientId), secret: String(data.clientSecret) });
    },
  });
  await addArticle(at.site, 'What <b>is</b> shown');
  const person = await signUpAs(at.site, 'Ann');
  const client = `client_id=${credentials.id}`;
  const code = (await allow(at.site, person, `${at.site.url}/dialog/request?${client}`)).searchParams.get('code');
  const answer = await fetch(`${at.site.url}/rest/access?${client}&client_secret=${credentials.secret}&code=${code}`, {
    method: 'POST',
  });
  at.token = ((await answer.json()) as { results: { access_token: string } }).results.access_token;
  await at.site.cli('docs', '--out', at.folder);
  at.files = await serveFiles(at.folder);
  at.chromium = await openChromium();
});
docs.after(async (at) => {
  await at.chromium?.close();
  await at.site?.close();
  at.files?.close();
  rmSync(at.folder, { recursive: true, force: true });
});

/** Opens a page; returns script errors and policy violations. */
async function open(
  { chromium: browser, site }: World,
  path: string,
  options: NonNullable<Parameters<Chromium['newContext']>[0]> = {},
): Promise<{ tab: Tab; faults: string[]; close(): Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const tab = await context.newPage();
  const faults: string[] = [];
  tab.on('pageerror', (error) => faults.push(error.message));
  tab.on('console', (message) => {
    if (message.type() === 'error' && /policy|script/i.test(message.text())) faults.push(message.text());
  });
  await tab.goto(/^[a-z]+:/.test(path) ? path : `${site.url}/developer/docs${path === '' ? '' : `/${path}`}`);
  return { tab, faults, close: () => context.close() };
}

docs('a language that was picked holds for every page; arrows move between them', async (world) => {
  const { tab, faults, close } = await open(world, 'calls/public-article-search');
  assert.is(await tab.getByRole('tab', { name: 'curl' }).getAttribute('aria-selected'), 'true');
  await tab.getByRole('tab', { name: 'curl' }).press('ArrowRight');
  await tab.getByRole('tab', { name: 'JavaScript' }).press('ArrowRight');
  assert.match(await tab.getByRole('tabpanel').innerText(), 'urlopen');
  await tab.goto(`${world.site.url}/developer/docs/guide/authentication`);
  assert.is(await tab.getByRole('tab', { name: 'Python', selected: true }).count(), 5);
  assert.equal(faults, []);
  await close();
});

docs('the copy button copies the whole sample', async (world) => {
  const { tab, close } = await open(world, 'calls/user-comment-create', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await tab.getByRole('button', { name: 'Copy curl' }).click();
  await tab.getByText('Copied').first().waitFor();
  assert.match(String(await tab.evaluate('navigator.clipboard.readText()')), /^curl '[\s\S]*-d '\{"comment_detail"/);
  await close();
});

docs('the search opens by key, is walked by arrows and goes by Enter', async (world) => {
  for (const path of ['', pathToFileURL(join(world.folder, 'calls/public-article-search.html')).href]) {
    const { tab, faults, close } = await open(world, path);
    await tab.keyboard.press('/');
    await tab.keyboard.type('comment_detail');
    await tab.getByRole('option').first().waitFor();
    const input = tab.getByRole('combobox');
    const first = await input.getAttribute('aria-activedescendant');
    await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('ArrowUp');
    assert.is(await input.getAttribute('aria-activedescendant'), first);
    await tab.keyboard.press('Escape');
    assert.is(await tab.getByRole('dialog').count(), 0);
    await tab.keyboard.press('/');
    await input.fill('create comment');
    await tab
      .getByRole('option', { name: /Create a comment/ })
      .first()
      .waitFor();
    await tab.keyboard.press('Enter');
    await tab.getByRole('heading', { level: 1, name: 'Create a comment' }).waitFor();
    assert.equal(faults, []);
    await close();
  }
});

docs('the search understands a question, a typing error and one word for two', async (world) => {
  const { tab, close } = await open(world, '');
  await tab.keyboard.press('/');
  for (const [asked, first] of [
    ['how do I get a token', 'Authentication'],
    ['autentication', 'Authentication'],
    ['webhook signature', 'Web hooks'],
    ['Create a comment?', 'Create a comment'],
  ] as const) {
    await tab.getByRole('combobox').fill(asked);
    await tab.getByRole('option').first().filter({ hasText: first }).waitFor({ timeout: 5000 });
  }
  await tab.getByRole('combobox').fill('zzzzzz');
  await tab.getByText('Nothing found').waitFor();
  await close();
});

docs('the console sends a real call and shows what came', async (world) => {
  const { tab, faults, close } = await open(world, 'calls/public-article-search');
  await tab.getByText('more parameters').click();
  await tab.getByRole('textbox', { name: 'q', exact: true }).fill('shown');
  await tab.getByRole('button', { name: 'Send the call' }).click();
  const answer = tab.getByRole('region', { name: 'Answer of the call' });
  await answer.waitFor();
  assert.match(await answer.innerText(), /200 OK\s+\d+ ms/);
  // The page shows the server's answer as text, not HTML.
  assert.match(await answer.innerText(), 'What <b>is</b> shown');
  assert.match(await tab.locator('[data-target]').innerText(), 'GET /rest/public/article/search?q=shown');

  await tab.goto(`${world.site.url}/developer/docs/calls/user-comment-create`);
  await tab.getByRole('button', { name: 'Send the call' }).click();
  assert.match(await tab.getByRole('alert').innerText(), 'needs an access token');
  await tab.getByLabel('Access token').fill(world.token);
  await tab.getByLabel('Body, JSON').fill('{"comment_detail":');
  await tab.getByRole('button', { name: 'Send the call' }).click();
  assert.match(await tab.getByRole('alert').innerText(), 'not JSON');
  await tab.getByLabel('Body, JSON').fill('{"comment_detail":"From the docs"}');
  await tab.getByLabel('Keep it in this tab').check();
  await tab.getByRole('button', { name: 'Send the call' }).click();
  await answer.waitFor();
  assert.match(await answer.innerText(), /201 Created[\s\S]*From the docs/);
  assert.is((await world.site.app.emit('system-model-search', { schema: 'comment' })).getResults('total'), 1);

  await tab.goto(`${world.site.url}/developer/docs/calls/user-comment-update`);
  assert.is(await tab.getByLabel('Access token').inputValue(), world.token);
  await tab.getByLabel('Keep it in this tab').uncheck();
  await tab.getByRole('button', { name: 'Send the call' }).click();
  await answer.waitFor();
  assert.is(await tab.evaluate("sessionStorage.getItem('treadle-docs-token')"), null);
  assert.equal(faults, []);
  await close();
});

docs('a token of the developer section is taken over where the reader asked for that', async (world) => {
  const { tab, close } = await open(world, 'calls/user-comment-create');
  await tab.evaluate("sessionStorage.setItem('treadle-docs-token', 'tk_at_one')");
  await tab.reload();
  assert.is(await tab.getByLabel('Access token').inputValue(), 'tk_at_one');
  await close();
});

docs('without JavaScript every sample is readable, and no control without function is shown', async (world) => {
  const { tab, close } = await open(world, 'calls/user-comment-create', { javaScriptEnabled: false });
  assert.ok(await tab.getByText('curl', { exact: true }).isVisible());
  await tab.locator('summary', { hasText: 'Python' }).click();
  assert.ok(await tab.getByText('urlopen').first().isVisible());
  assert.is(await tab.getByRole('button', { name: 'Send the call' }).isVisible(), false);
  assert.is(await tab.locator('[data-search-open]').isVisible(), false);
  assert.ok(await tab.getByText('With JavaScript enabled').isVisible());
  await close();
});

docs('on a phone the menu opens by its link, with or without JavaScript', async (world) => {
  const { tab, close } = await open(world, 'calls', {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 800 },
  });
  const menu = tab.getByRole('navigation', { name: 'Docs' });
  assert.is(await menu.isVisible(), false);
  await tab.getByRole('link', { name: 'Menu', exact: true }).click();
  assert.ok(await menu.isVisible());
  await menu.getByRole('link', { name: 'Search articles' }).click();
  await tab.getByRole('heading', { level: 1, name: 'Search articles' }).waitFor();
  await close();
});

docs('the static site works below any path, from another page to another, without the network', async (world) => {
  const { port } = world.files.address() as { port: number };
  const refused: string[] = [];
  const { tab, faults, close } = await open(world, `http://127.0.0.1:${port}/some/where/index.html`);
  tab.on('request', (request) => {
    if (!request.url().startsWith(`http://127.0.0.1:${port}/some/where/`)) refused.push(request.url());
  });
  await tab.getByRole('navigation', { name: 'Docs' }).getByRole('link', { name: 'Create a comment' }).first().click();
  await tab.getByRole('heading', { level: 1, name: 'Create a comment' }).waitFor();
  assert.is(await tab.locator('[data-console]').count(), 0);
  await tab.getByRole('link', { name: 'Next' }).click();
  await tab.waitForURL('**/user-comment-create.html');
  await tab.keyboard.press('Control+k');
  await tab.keyboard.type('profile.created');
  await tab.getByRole('option').first().click();
  await tab.getByRole('heading', { level: 1, name: 'Profile created' }).waitFor();
  assert.equal(refused, []);
  assert.equal(faults, []);
  await close();
});

if (hasChromium) docs.run();
else console.log('skipped: docs in a browser: there is no Chromium');
