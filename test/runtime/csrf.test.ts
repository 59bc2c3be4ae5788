import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask } from '../client.ts';
import { createHarness } from './_harness.ts';

const test = suite('runtime/csrf');

const BASE = 'https://site.example';
const EVIL = 'https://evil.example';

/** Headers of a post, and whether it passes the guard of a page. */
const TABLE: readonly (readonly [name: string, headers: Record<string, string>, passes: boolean])[] = [
  ['no browser', {}, true],
  ['same origin', { 'sec-fetch-site': 'same-origin', origin: BASE }, true],
  ['typed by the visitor', { 'sec-fetch-site': 'none' }, true],
  ['a sibling host', { 'sec-fetch-site': 'same-site', origin: 'https://other.site.example' }, false],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: EVIL }, false],
  ['another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: BASE }, false],
  ['an unknown value', { 'sec-fetch-site': 'Same-Origin' }, false],
  ['an old browser, public address', { origin: BASE }, true],
  ['an old browser, the host asked', { origin: 'https://asked.example', host: 'asked.example' }, true],
  [
    'an old browser, the host asked by another scheme',
    { origin: 'http://asked.example', host: 'asked.example' },
    false,
  ],
  ['an old browser, another site', { origin: EVIL }, false],
  ['a sandboxed frame', { origin: 'null' }, false],
  ['a broken origin', { origin: 'x' }, false],
];

test('unsafe methods on pages pass the table; the API is not guarded, since it reads no cookies', async () => {
  const methods = ['POST', 'PUT', 'PATCH', 'DELETE'];
  const types = ['application/x-www-form-urlencoded', 'text/plain'];
  const reached = { count: 0 };
  const listener = (_q: unknown, r: { setContent(x: string): unknown }): void => {
    reached.count += 1;
    r.setContent('ok');
  };
  const harness = await createHarness({
    baseUrl: BASE,
    routes: { 'ALL /page': { listener: listener as never }, 'ALL /api': { door: 'api', listener: listener as never } },
  });
  try {
    for (const [name, headers, passes] of TABLE) {
      for (const method of methods) {
        for (const type of types) {
          const asked = { method, headers: { ...headers, 'content-type': type }, body: 'a=1' };
          const answer = await ask(`${harness.url}/page`, asked);
          assert.is(answer.status, passes ? 200 : 403, `${method} ${type} ${name}`);
          assert.is((await ask(`${harness.url}/api`, asked)).status, 200);
        }
      }
      assert.is((await ask(`${harness.url}/page`, { headers })).status, 200, `GET ${name}`);
    }
    const before = reached.count;
    await ask(`${harness.url}/page`, { method: 'POST', headers: { origin: EVIL }, body: 'a=1' });
    assert.is(reached.count, before);
  } finally {
    await harness.remove();
  }
});

test.run();
