import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EMITTED } from '../../../src/core/bus.ts';
import { Request } from '../../../src/core/request.ts';
import { Response } from '../../../src/core/response.ts';
import { www } from '../../../src/feature/www/index.ts';
import type { Context, Facts } from '../../../src/plan/feature.ts';
import { ask, createHarness, type Harness, type TestRoute } from '../../runtime/_harness.ts';

const test = suite('feature/www');

async function withSite(run: (harness: Harness) => Promise<void>): Promise<void> {
  const harness = await createHarness();
  const contribution = www.contribute({ isDevelopment: false } as Facts);
  const plan = { model: { settings: { name: 'My <site>', api: false }, schemas: new Map() }, calls: [] };
  const own: { emit?: Context['emit'] } = {};
  const context = {
    plan,
    services: harness.services,
    emit: (...parameters: Parameters<Context['emit']>) => own.emit?.(...parameters) ?? EMITTED.unheard,
  } as unknown as Context;
  const routes: Record<string, TestRoute> = {};
  for (const route of contribution.routes ?? []) {
    const door = route.door ?? 'page';
    routes[`${route.method} ${route.path}`] = { door, isOwn: true, listener: route.listen(context) };
  }
  harness.swap({
    routes,
    on: (bus) => {
      for (const { event, listen } of contribution.events ?? []) bus.on(event, listen(context), 0, true);
      own.emit = (event, request, response) => bus.emit(event, request, response);
    },
  });
  try {
    await run(harness);
  } finally {
    await harness.remove();
  }
}

test('the home page of a bare project names the next commands, in a plain page', async () => {
  await withSite(async ({ url }) => {
    const page = await ask(url);
    assert.is(page.status, 200);
    assert.match(page.text, '<title>My &lt;site&gt;</title>');
    assert.match(page.text, 'treadle schema create');
    assert.not.match(page.text, '<site>');
    assert.match((await ask(`${url}/nowhere`)).text, 'My &lt;site&gt;');
  });
});

test('a page gets title, flash and meta, escaped; a whole page is left alone', async () => {
  const harness = await createHarness();
  const context = { plan: { model: { settings: { name: 'Site' } } }, services: harness.services } as unknown as Context;
  const listen = (www.contribute({ isDevelopment: false } as Facts).events ?? [])[0]?.listen(context);
  const response = new Response(new Request());
  response
    .setTitle('<T>')
    .setFlash('<b>no</b>', 'error', ['<i>'])
    .addMeta('description', '"x"')
    .setContent('<p>body</p>');
  await listen?.(new Request(), response, { event: 'www-render-page', variables: [] });
  const page = String(response.getContent());
  for (const part of [
    '<title>&lt;T&gt; · Site</title>',
    '&lt;b&gt;no&lt;/b&gt;',
    't-flash-error',
    'role="alert"',
    '&lt;i&gt;',
    '<p>body</p>',
    'content="&quot;x&quot;"',
  ]) {
    assert.match(page, part);
  }
  const whole = new Response(new Request()).setContent('<!DOCTYPE html><p>mine');
  await listen?.(new Request(), whole, { event: 'www-render-page', variables: [] });
  assert.is(whole.getContent(), '<!DOCTYPE html><p>mine');
  await harness.remove();
});

test('styles and scripts are Treadle’s own files, by ETag', async () => {
  await withSite(async ({ url }) => {
    for (const path of ['/styles/none.css', '/styles/..%2fwww%2fpage.css', '/styles/.css', '/scripts/none.js']) {
      assert.is((await ask(`${url}${path}`)).status, 404, path);
    }
    const style = await ask(`${url}/styles/treadle.css`);
    if (style.status === 404) return;
    assert.match(style.headers['content-type'] ?? '', 'text/css');
    const again = await ask(`${url}/styles/treadle.css`, { headers: { 'if-none-match': String(style.headers.etag) } });
    assert.is(again.status, 304);
  });
});

test('an icon for every site, where the browser looks for one', async () => {
  await withSite(async ({ url }) => {
    const icon = await ask(`${url}/favicon.svg`);
    assert.equal([icon.status, icon.headers['content-type']], [200, 'image/svg+xml']);
    const old = await ask(`${url}/favicon.ico`);
    assert.equal([old.status, old.headers.location], [303, '/favicon.svg']);
  });
});

test('a blank page has the site’s name above it', async () => {
  const harness = await createHarness();
  const context = {
    plan: { model: { settings: { name: 'A & B' } } },
    services: harness.services,
  } as unknown as Context;
  const listen = (www.contribute({ isDevelopment: false } as Facts).events ?? [])[1]?.listen(context);
  const response = new Response(new Request()).setTitle('Allow?').setContent('<p>body</p>');
  await listen?.(new Request(), response, { event: 'www-render-blank', variables: [] });
  assert.match(String(response.getContent()), '<a class="t-site" href="/">A &amp; B</a>');
  await harness.remove();
});

test('H17: health, without a version', async () => {
  await withSite(async (harness) => {
    const live = await ask(`${harness.url}/health/live`);
    assert.equal(JSON.parse(live.text), { error: false, results: { status: 'up' } });
    assert.is(live.headers['cache-control'], 'no-store');
    for (const header of ['server', 'x-powered-by', 'via']) assert.is(live.headers[header], undefined);
    assert.is((await ask(`${harness.url}/health/ready`)).status, 200);
    const run = harness.database.run;
    Object.assign(harness.database, { run: () => Promise.reject(new Error('disk gone')) });
    const down = await ask(`${harness.url}/health/ready`);
    Object.assign(harness.database, { run });
    assert.is(down.status, 503);
    assert.not.match(down.text, 'disk');
  });
});

test.run();
