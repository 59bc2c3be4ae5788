import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site } from '../boot.ts';
import { PASSWORD } from '../client.ts';
import { hasChromium } from './_browser.ts';
import { hasNginx, startNginx } from './_guide-proxy.ts';

/** What people do at a site behind a proxy, with forms only: what stops one of them stops a whole site. */
const walk = suite('behind a proxy in Chromium');

/** A browser of its own, because the names of the sites lead to this machine. */
const openChrome = (rules: string): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=${rules}`],
  });

/** A proxy of one's own that writes the client's address with a port, as some load balancers do. */
async function startPortProxy(to: number): Promise<{ rules: string; end(): void }> {
  const server = createServer((req, res) => {
    const forwarded = `198.51.100.2:${req.socket.remotePort}`;
    const headers = { ...req.headers, 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'http' };
    const { method, url } = req;
    const onward = forward({ port: to, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const end = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { rules: `MAP intranet.test:80 127.0.0.1:${port}`, end };
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Log in');
}

/** Signs up, registers an app, allows it, gets a token, and allows it again after a login on the way. */
async function useApp(page: Page, base: string): Promise<void> {
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
async function saveArticle(page: Page, base: string, site: Site, id: number): Promise<void> {
  const { kysely } = site.app.services.database;
  await kysely
    .updateTable('treadle_auth')
    .set({ auth_type: 'admin' })
    .where('auth_slug', '=', 'ada@example.org')
    .execute();
  await page.context().clearCookies();
  await page.goto(`${base}/auth/login`);
  await logIn(page);
  await page.waitForURL((url) => !url.pathname.startsWith('/auth/login'));
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

interface Place {
  /** Leads the names of the site to this machine. */
  readonly rules: string;
  end(): unknown;
}

/** Runs the whole walk at a site behind a proxy, which gets the port of the site. */
async function run(base: string, open: (port: number) => Promise<Place>): Promise<void> {
  // Only in development may a site with an API be at http beyond this machine.
  const mode = base.startsWith('http:') ? 'development' : 'test';
  const site = await boot({ mode, settings: { api: true, server: { baseUrl: base, trustProxy: 1 } } });
  const place = await open(Number(new URL(site.url).port));
  const chrome = await openChrome(place.rules);
  try {
    const id = await addArticle(site);
    const page = await (await chrome.newContext({ ignoreHTTPSErrors: true })).newPage();
    page.setDefaultTimeout(15_000);
    await useApp(page, base);
    await saveArticle(page, base, site, id);
  } finally {
    await chrome.close();
    await place.end();
    await site.close();
  }
}

if (hasChromium) {
  walk('at http://intranet.test, behind a proxy that writes ports', () => run('http://intranet.test', startPortProxy));
}
if (hasChromium && hasNginx) {
  walk('at https://example.org, behind the guide’s nginx', () =>
    run('https://example.org', async (port) => {
      const proxy = await startNginx([port]);
      return { rules: `MAP example.org:443 127.0.0.1:${proxy.port}`, end: proxy.end };
    }),
  );
} else {
  process.stdout.write('skipped: behind the guide’s nginx in Chromium (needs nginx, openssl and Chromium)\n');
}

walk.run();
