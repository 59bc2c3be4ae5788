import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bearer, startWorld, type World } from '../feature/rest/_server.ts';
import { hasChromium, openChromium } from './_browser.ts';

/** What the page of a stranger's site reads in a browser whose user is logged in. */
const foreign = suite('a page of a foreign origin in Chromium');

interface Stage {
  readonly site: World;
  readonly page: Page;
  readonly upload: string;
  end(): Promise<void>;
}

async function serveBlank(): Promise<Server> {
  const server = createServer((_req, res) =>
    res.setHeader('content-type', 'text/html').end('<!doctype html><p>Elsewhere'),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

async function open(cors?: readonly string[]): Promise<Stage> {
  const site = await startWorld({ settings: { api: true, ...(cors && { server: { cors } }) } });
  const upload = await site.app.context.services.files.save(Buffer.from('a text'), 'txt');
  const [server, chrome] = [await serveBlank(), await openChromium()];
  const page = await (await chrome.newContext()).newPage();
  // At 127.0.0.1 every port belongs to the app.
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  const end = async (): Promise<void> => {
    await chrome.close();
    server.close();
    await site.close();
  };
  return { site, page, upload, end };
}

/** The status that the page reads; `unread` if the browser shows it a network error. */
const read = ({ page, site }: Stage, path: string, init: object = {}): Promise<number | 'unread'> =>
  page.evaluate(
    ([url, options]) =>
      fetch(url, options).then(
        (answer) => answer.text().then(() => answer.status),
        () => 'unread' as const,
      ),
    [site.url + path, init] as const,
  );

const json = (body: string, headers = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body,
});

const listOpen = ({ upload }: Stage): [path: string, status: number, init?: object][] => [
  ['/rest/public/note/search', 200],
  ['/rest/public/note/search', 200, { headers: { 'if-none-match': '"x"' } }],
  ['/rest/public/note/detail/999', 404],
  ['/rest/public/notes', 404],
  ['/rest/public/notes', 404, json('{}', { authorization: 'Bearer x' })],
  ['/rest/%ff', 404],
  ['/developer/docs/openapi.json', 200],
  ['/.well-known/oauth-authorization-server', 200],
  ['/.well-known/oauth-protected-resource', 200],
  ['/.well-known/openid-configuration', 404],
  [upload, 200],
  ['/upload/AAAAAAAAAAAAAAAAAAAAAA.png', 404],
  ['/nothing', 404],
  ['/nothing.css', 404],
];

const KEPT: readonly [path: string, init?: object][] = [
  ['/rest/user/note/search', { headers: bearer }],
  ['/rest/user/note/search'],
  ['/rest/public/app/note/search?client_id=reader'],
  ['/'],
  ['/auth/login'],
  ['/admin'],
  ['/admin', { redirect: 'manual', method: 'POST', body: 'x=y' }],
  ['/developer/docs'],
  ['/dialog/request'],
  ['/oauth/token', { method: 'POST', body: 'x=y' }],
];

if (hasChromium) {
  foreign('reads what needs no credentials and every 404, and nothing else; never with cookies', async () => {
    const stage = await open();
    try {
      for (const [path, status, init] of listOpen(stage)) {
        assert.is(await read(stage, path, init), status, path);
        assert.is(await read(stage, path, { ...init, credentials: 'include' }), 'unread', `${path} with cookies`);
      }
      for (const [path, init] of KEPT) assert.is(await read(stage, path, init), 'unread', path);
    } finally {
      await stage.end();
    }
  });

  foreign('reads nothing where the settings list no origin', async () => {
    const stage = await open([]);
    try {
      for (const [path, , init] of listOpen(stage)) assert.is(await read(stage, path, init), 'unread', path);
    } finally {
      await stage.end();
    }
  });
  foreign.run();
} else console.log('skipped: a page of a foreign origin: there is no Chromium');
