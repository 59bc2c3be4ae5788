import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask } from '../../client.ts';
import { createHarness } from '../_harness.ts';

const test = suite('http/session/csrf');

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
  ['a sandboxed frame, as a newer browser says it', { origin: 'null', 'sec-fetch-site': 'cross-site' }, false],
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
    routes: { 'ALL /page': { listener: listener as never }, 'ALL /api': { kind: 'api', listener: listener as never } },
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

test('a hidden origin passes only with the form token of the own session', async () => {
  const reached = { count: 0 };
  const harness = await createHarness({
    baseUrl: BASE,
    routes: {
      'GET /form': (request, response) => {
        request.setSession('name', 'x');
        response.setContent('form');
      },
      'GET /token': (request, response) => void response.setContent(harness.sessions.formToken(request)),
      'ALL /page': (_, response) => {
        reached.count += 1;
        response.setContent('ok');
      },
    },
  });
  const start = async () => {
    const cookie = (await ask(`${harness.url}/form`)).headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    return { cookie, token: (await ask(`${harness.url}/token`, { headers: { cookie } })).text };
  };
  try {
    const [mine, other] = [await start(), await start()];
    const tries: readonly (readonly [name: string, cookie: string, body: string | undefined, passes: boolean])[] = [
      ['the own token', mine.cookie, `csrf=${mine.token}`, true],
      ['the token of another session', mine.cookie, `csrf=${other.token}`, false],
      ['no token', mine.cookie, 'a=1', false],
      ['an empty token', mine.cookie, 'csrf=', false],
      ['a list of tokens', mine.cookie, `csrf[]=${mine.token}`, false],
      ['a made-up token', mine.cookie, 'csrf=x', false],
      ['no body', mine.cookie, undefined, false],
      ['no session', '', `csrf=${mine.token}`, false],
      ['no session and no token', '', 'a=1', false],
      ['an unknown session', `${mine.cookie}x`, `csrf=${mine.token}`, false],
      ['an unknown session without token', `${mine.cookie}x`, 'csrf=', false],
    ];
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const [name, cookie, body, passes] of tries) {
        const headers = {
          origin: 'null',
          'content-type': 'application/x-www-form-urlencoded',
          ...(cookie && { cookie }),
        };
        const before = reached.count;
        const answer = await ask(`${harness.url}/page`, { method, headers, ...(body !== undefined && { body }) });
        assert.is(answer.status, passes ? 200 : 403, `${method} ${name}`);
        assert.is(reached.count - before, passes ? 1 : 0, `${method} ${name}`);
        const site = await ask(`${harness.url}/page`, {
          method,
          headers: { ...headers, 'sec-fetch-site': 'cross-site' },
          ...(body !== undefined && { body }),
        });
        assert.is(site.status, 403, `${method} ${name}, and the browser says it`);
      }
    }
  } finally {
    await harness.remove();
  }
});

test.run();
