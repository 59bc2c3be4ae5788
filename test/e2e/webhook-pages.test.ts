import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Page as Tab } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import type { Client } from '../client.ts';
import { giveCookies, hasChromium, openChromium } from './_browser.ts';
import { signUpAs } from './_oauth.ts';

type Row = Record<string, unknown>;

interface At {
  site: Site;
  ann: Client;
  bob: Client;
  receiver: Server;
  /** The receiver's answer. */
  answer: { status: number };
  received: { headers: Record<string, string>; body: string }[];
  app: number;
}

const CSRF = /name="csrf" value="([^"]*)"/;
const tokenOf = async (browser: Client, path: string): Promise<string> =>
  CSRF.exec((await browser.get(path)).text)?.[1] ?? '';

const pages = suite<At>('the pages of web hooks');

pages.before(async (at) => {
  at.answer = { status: 200 };
  at.received = [];
  at.receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      at.received.push({ headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(at.answer.status, { 'set-cookie': 'sid=hidden' }).end('{"said":"<b>so</b>"}');
    });
  });
  await new Promise<void>((resolve) => at.receiver.listen(0, '127.0.0.1', resolve));
  at.site = await boot({ mode: 'development', change: (project) => project.cli('api', 'populate') });
  at.ann = await signUpAs(at.site, 'Ann');
  at.bob = await signUpAs(at.site, 'Bob');
  const url = `http://127.0.0.1:${(at.receiver.address() as AddressInfo).port}/hook`;
  const form = {
    csrf: await tokenOf(at.ann, '/developer/app/create'),
    title: 'Reader <i>',
    webhook: url,
    'hooks[]': 'profile-created',
  };
  assert.is((await at.ann.post('/developer/app/create', form)).status, 200);
  const found = await at.site.app.emit('webhook-app-search', {});
  at.app = Number(found.getResults('rows', 0, 'app_id'));
});
pages.after(async (at) => {
  await at.site?.close();
  at.receiver?.closeAllConnections();
  at.receiver?.close();
});

const listDeliveries = async (at: At, stage: Row = {}): Promise<Row[]> =>
  (await at.site.app.emit('webhook-delivery-search', stage)).getResults('rows') as Row[];

/** Waits until no delivery is on its first attempt. */
async function settle(at: At, count: number): Promise<Row[]> {
  for (let tries = 0; tries < 400; tries += 1) {
    const rows = await listDeliveries(at);
    if (rows.length >= count && rows.every((row) => row.state !== 'pending' || Number(row.attempts) > 0)) return rows;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`The deliveries did not settle: ${JSON.stringify(await listDeliveries(at))}`);
}

/** Waits until the receiver got this many requests, and their results are written. */
async function arrive(at: At, count: number): Promise<void> {
  for (let tries = 0; at.received.length < count; tries += 1) {
    if (tries > 400) throw new Error(`${at.received.length} of ${count} arrived.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function act(at: At, browser: Client, form: Record<string, string>, path = `/developer/app/webhook/${at.app}`) {
  const csrf = await tokenOf(at.ann, `/developer/app/webhook/${at.app}`);
  return browser.post(path, { csrf, ...form });
}

pages('a trial event is sent by a click, and its page shows what was sent and what came back', async (at) => {
  const empty = await at.ann.get(`/developer/app/webhook/${at.app}`);
  assert.is(empty.status, 200);
  assert.match(empty.text, 'Nothing was sent yet');
  assert.not.match(empty.text, '<i>');
  const sent = await act(at, at.ann, { action: 'test', hook: 'profile-created' });
  assert.is(sent.status, 303);
  const [row] = await settle(at, 1);
  assert.is(sent.location, `/developer/app/webhook/${at.app}/${row?.delivery_id}`);
  const { text, headers } = await at.ann.get(sent.location);
  assert.is(headers['cache-control'], 'no-store');
  assert.match(text, 'msg_test_');
  assert.match(text, 'webhook-signature: v1,');
  assert.match(text, 'set-cookie: (hidden)');
  assert.not.match(text, 'sid=hidden');
  assert.match(text, '&lt;b&gt;so&lt;/b&gt;');
  assert.not.match(text, '<b>so');
  assert.match(text, 'profile_name');
});

pages('the secret is shown by a post alone, and verifies what arrived', async (at) => {
  const before = await at.ann.get(`/developer/app/webhook/${at.app}`);
  assert.not.match(before.text, 'whsec_');
  const shown = await act(at, at.ann, { action: 'secret' });
  const secret = /whsec_[A-Za-z0-9+/&#x3D;]+/.exec(shown.text)?.[0].replaceAll('&#x3D;', '=') ?? '';
  const [got] = at.received;
  new Webhook(secret).verify(got?.body ?? '', got?.headers ?? {});
});

pages('new secrets are shown at once, and for a day both sign', async (at) => {
  const read = (text: string): string => /whsec_[A-Za-z0-9+/&#x3D;]+/.exec(text)?.[0].replaceAll('&#x3D;', '=') ?? '';
  const before = read((await act(at, at.ann, { action: 'secret' })).text);
  const after = read((await act(at, at.ann, { action: 'rotate' })).text);
  assert.is.not(after, before);
  assert.is(read((await act(at, at.ann, { action: 'secret' })).text), after);
  const [row] = await listDeliveries(at);
  const count = at.received.length;
  await act(at, at.ann, {}, `/developer/app/webhook/${at.app}/${row?.delivery_id}`);
  await arrive(at, count + 1);
  const got = at.received.at(-1);
  for (const secret of [before, after]) new Webhook(secret).verify(got?.body ?? '', got?.headers ?? {});
});

pages("another's app, deliveries and actions look as if they were not there", async (at) => {
  const [row] = await listDeliveries(at);
  const own = `/developer/app/webhook/${at.app}`;
  assert.is((await at.bob.get(own)).status, 404);
  assert.is((await at.bob.get(`${own}/${row?.delivery_id}`)).status, 404);
  const csrf = await tokenOf(at.bob, '/developer/app/create');
  for (const action of ['test', 'secret', 'enable', 'disable', 'replay', 'rotate'])
    assert.is((await at.bob.post(own, { csrf, action, hook: 'profile-created' })).status, 404, action);
  assert.is((await at.bob.post(`${own}/${row?.delivery_id}`, { csrf })).status, 404);
  assert.is((await at.ann.get(`${own}/999999`)).status, 404);
  assert.is((await at.ann.get(`${own}/x`)).status, 404);
  const visitor = at.site.browser();
  assert.match((await visitor.get(own)).location, '/auth/login?redirect_uri=');
  assert.is((await visitor.post(own, { action: 'test' })).status, 303);
  const foreign = await at.ann.post(own, { csrf: 'wrong', action: 'test', hook: 'profile-created' });
  assert.is(foreign.status, 403);
  assert.is((await listDeliveries(at)).length, 1);
});

pages('410 disables; the page says why, and a click enables and catches up', async (at) => {
  at.answer.status = 410;
  await signUpAs(at.site, 'Cora');
  await settle(at, 2);
  await signUpAs(at.site, 'Dan');
  await settle(at, 3);
  const own = `/developer/app/webhook/${at.app}`;
  const disabled = await at.ann.get(own);
  assert.match(disabled.text, 'It answered 410 Gone.');
  assert.match(disabled.text, 'Enable and send what it missed');
  assert.is((await listDeliveries(at, { state: 'disabled' })).length, 2);
  at.answer.status = 204;
  const receiver = /name="receiver" value="([^"]+)"/.exec(disabled.text)?.[1] ?? '';
  assert.is((await act(at, at.ann, { action: 'enable', receiver })).status, 303);
  await arrive(at, 5);
  await settle(at, 3);
  for (let tries = 0; tries < 200 && (await listDeliveries(at, { state: 'pending' })).length > 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.is((await listDeliveries(at, { state: 'delivered' })).length, 3);
  assert.match((await at.ann.get(own)).text, '2 deliveries are sent again');
  const filtered = await at.ann.get(`${own}?state=failed`);
  assert.match(filtered.text, 'No such deliveries');
  assert.match((await at.ann.get(`${own}?since=nonsense`)).text, 'is not a time');
  const [row] = await listDeliveries(at);
  const count = at.received.length;
  assert.is((await act(at, at.ann, {}, `${own}/${row?.delivery_id}`)).status, 303);
  await arrive(at, count + 1);
  assert.is(at.received.at(-1)?.headers['webhook-id'], row?.event_id);
});

pages('the inbox shows what happens as it happens, on this machine alone', async (at) => {
  const inbox = '/developer/webhooks/inbox';
  const page = await at.site.browser().get(inbox);
  assert.is(page.status, 200);
  assert.match(page.text, 'profile.created');
  assert.match(page.text, 'Dan');
  const part = await at.site.browser().get(`${inbox}?part=list`);
  assert.match(part.headers['content-type'] ?? '', 'application/json');
  assert.match(JSON.parse(part.text).list, '<ol');
  const elsewhere = await fetch(`${at.site.url}${inbox}`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
  assert.is(elsewhere.status, 403, 'a tunnel that ends on this machine brings strangers');
  const count = at.received.length;
  const [row] = await listDeliveries(at);
  const again = await at.site.browser().post(inbox, { event_id: String(row?.event_id) });
  assert.is(again.status, 303);
  await arrive(at, count + 1);
  await at.site.browser().post(inbox, { action: 'test', hook: 'profile-created' });
  await settle(at, 4);
});

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Problems found by axe-core, and elements wider than the window. */
async function inspect(tab: Tab): Promise<string[]> {
  await tab.addScriptTag({ path: AXE });
  const found = await tab.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    const wide = document.documentElement.scrollWidth > window.innerWidth;
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
      ...(wide ? [`wider than the window: ${document.documentElement.scrollWidth}`] : []),
    ];
  });
  return found;
}

pages('axe-core finds nothing, wide or narrow, light or dark; the inbox is live', async (at) => {
  if (!hasChromium) {
    process.stdout.write('skipped: the pages of web hooks in a browser: there is no Chromium\n');
    return;
  }
  const [row] = await listDeliveries(at);
  const browser = await openChromium();
  try {
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
      await giveCookies(context, at.ann, at.site.url);
      const tab = await context.newPage();
      const own = `/developer/app/webhook/${at.app}`;
      for (const path of [own, `${own}?state=failed`, `${own}/${row?.delivery_id}`, '/developer/webhooks/inbox']) {
        await tab.goto(at.site.url + path);
        await tab.evaluate(() => {
          for (const each of document.querySelectorAll('details')) each.open = true;
        });
        assert.equal(await inspect(tab), [], `${path} ${width} ${colorScheme}`);
      }
      if (width === 1280) {
        const before = await tab.locator('#t-inbox > ol > li').count();
        await at.site.app.emit('webhook-test', { hook: 'profile-created' });
        await tab.waitForFunction((count) => document.querySelectorAll('#t-inbox > ol > li').length > count, before);
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
});

pages.run();
