import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EMITTED } from '../../../src/core/bus/bus.ts';
import { Memory } from '../../../src/core/memory.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import type { FailedCheck } from '../../../src/database/health.ts';
import { www } from '../../../src/feature/www/index.ts';
import { sessionTable } from '../../../src/http/session/session.ts';
import type { Context, Facts } from '../../../src/plan/feature.ts';
import { ask } from '../../client.ts';
import { createFakeClock, type FakeClock } from '../../clock.ts';
import { createHarness, type Harness, type TestRoute } from '../../http/_harness.ts';

const test = suite('feature/www');

async function withSite(run: (harness: Harness) => Promise<void>): Promise<void> {
  const harness = await createHarness({ clock: createFakeClock() });
  const contribution = www.contribute({ isDevelopment: false } as Facts);
  const plan = {
    model: { settings: { name: 'My <site>', api: false }, schemas: new Map() },
    calls: [],
    tables: [sessionTable],
  };
  const own: { emit?: Context['emit'] } = {};
  const context = {
    plan,
    memory: new Memory(),
    services: harness.services,
    emit: (...parameters: Parameters<Context['emit']>) => own.emit?.(...parameters) ?? EMITTED.unheard,
  } as unknown as Context;
  const routes: Record<string, TestRoute> = {};
  for (const route of contribution.routes ?? []) {
    const kind = route.kind ?? 'page';
    routes[`${route.method} ${route.path}`] = { kind, isOwn: true, listener: route.listen(context) };
  }
  harness.swap({
    routes,
    on: (bus) => {
      for (const { name, listen } of contribution.events ?? []) bus.on(name, listen(context), 0, true);
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
    const clock = harness.services.clock as FakeClock;
    clock.advance(1000);
    Object.assign(harness.database, { health: () => Promise.reject(new Error('disk gone')) });
    const down = await ask(`${harness.url}/health/ready`);
    assert.is(down.status, 503);
    assert.not.match(down.text, 'disk');
  });
});

/** A site whose database has these faults, and the number of checks. */
async function withHealth(
  health: () => Promise<readonly FailedCheck[]>,
  fn: (harness: Harness, clock: FakeClock) => Promise<void>,
): Promise<void> {
  await withSite(async (harness) => {
    Object.assign(harness.database, { health });
    await fn(harness, harness.services.clock as FakeClock);
  });
}

test('readiness names the checks that fail, and nothing of why', () =>
  withHealth(
    async () => [
      { check: 'room', error: new Error('/private/path is full') },
      { check: 'file', error: new Error('/private/path is gone') },
    ],
    async (harness) => {
      const down = await ask(`${harness.url}/health/ready`);
      assert.is(down.status, 503);
      assert.equal(JSON.parse(down.text).checks, ['file', 'room']);
      assert.not.match(down.text, 'private');
      const told = harness.lines.filter(({ event }) => event === 'not ready');
      assert.equal(
        told.map(({ fields }) => fields.check),
        ['room', 'file'],
      );
    },
  ));

test('a server is not ready while its tables do not fit its plan', () =>
  withSite(async (harness) => {
    const clock = harness.services.clock as FakeClock;
    const look = async (): Promise<unknown> => {
      clock.advance(1000);
      return JSON.parse((await ask(`${harness.url}/health/ready`)).text).checks;
    };
    const { name } = sessionTable;
    const rename = (from: string, to: string) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`;
    assert.is(await look(), undefined);
    await rename(name, 'other').execute(harness.database.kysely);
    assert.equal(await look(), ['structure']);
    await rename('other', name).execute(harness.database.kysely);
    assert.is(await look(), undefined);
  }));

test('many requests for readiness cost one check a second', () => {
  const state = { asked: 0 };
  return withHealth(
    async () => {
      state.asked += 1;
      return [];
    },
    async (harness, clock) => {
      const all = await Promise.all(Array.from({ length: 50 }, () => ask(`${harness.url}/health/ready`)));
      assert.ok(all.every(({ status }) => status === 200));
      assert.is(state.asked, 1);
      clock.advance(1000);
      await ask(`${harness.url}/health/ready`);
      assert.is(state.asked, 2);
      // A clock set back does not keep an old answer.
      clock.advance(-3_600_000);
      await ask(`${harness.url}/health/ready`);
      assert.is(state.asked, 3);
    },
  );
});

test('a database that hangs is told within 1.5 s, and asked once meanwhile', () => {
  const state = { asked: 0, answer: (_: readonly FailedCheck[]): void => {}, begun: (): void => {} };
  return withHealth(
    () =>
      new Promise((resolve) => {
        state.asked += 1;
        state.answer = resolve;
        state.begun();
      }),
    async (harness, clock) => {
      const isBegun = new Promise<void>((resolve) => {
        state.begun = resolve;
      });
      const first = ask(`${harness.url}/health/ready`);
      await isBegun;
      clock.advance(1500);
      const { status, text } = await first;
      assert.equal([status, JSON.parse(text).checks], [503, ['read']]);
      assert.is((await ask(`${harness.url}/health/ready`)).status, 503, 'kept');
      state.answer([]);
      clock.advance(1000);
      assert.is(state.asked, 1);
      state.begun = () => state.answer([]);
      assert.is((await ask(`${harness.url}/health/ready`)).status, 200);
    },
  );
});

test.run();
