import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Response } from '../../../src/core/request/response.ts';
import { findSameTag } from '../../../src/core/request/tagging.ts';
import { currentScope } from '../../../src/core/scope.ts';
import { toLocation } from '../../../src/http/respond/header.ts';
import { ask } from '../../client.ts';
import { createHarness, type Harness, type HarnessOptions } from '../_harness.ts';

const test = suite('http/respond/respond');

type Set = (response: Response) => unknown;

async function withAnswers(
  sets: Record<string, Set>,
  run: (harness: Harness) => Promise<void>,
  options: HarnessOptions = {},
): Promise<void> {
  const routes: Record<string, NonNullable<HarnessOptions['routes']>[string]> = {};
  for (const [name, set] of Object.entries(sets)) {
    const listener = async (_request: unknown, response: Response) => void (await set(response));
    routes[`ALL /page/${name}`] = { listener };
    routes[`ALL /api/${name}`] = { kind: 'api', listener };
  }
  const harness = await createHarness({ ...options, routes });
  try {
    await run(harness);
  } finally {
    await harness.remove();
  }
}

test('what a handler leaves becomes HTTP, by its door', async () => {
  const sets: Record<string, Set> = {
    html: (r) => r.setContent('<h1>Hi</h1>'),
    object: (r) => r.setContent({ a: '<script>' }),
    results: (r) => r.setError(false).setResults({ a: 1 }),
    only: (r) => r.setResults([1]),
    created: (r) => r.setError(false).setResults({ a: 1 }).setStatus(201).addHeader('location', '/x/1'),
    redirect: (r) => r.setRedirect('/there'),
    empty: (r) => r.setStatus(204),
    nothing: () => {},
    invalid: (r) => r.setError(true, 'Not good').addValidation('a_b', 'is wrong'),
    refused: (r) => r.setError(true, 'No').setStatus(409),
    failed: (r) => r.setError(true, 'private detail').setStatus(503),
    plain: (r) => r.setError(true, 'No'),
    shown: (r) => r.setError(true, 'No').setStatus(422).setContent('<p>again</p>'),
  };
  const table: [string, number, number, RegExp, RegExp][] = [
    ['html', 200, 200, /^text\/html; charset=utf-8$/, /^text\/plain/],
    ['object', 200, 200, /^application\/json/, /^application\/json/],
    ['results', 200, 200, /^application\/json/, /^application\/json/],
    ['only', 200, 200, /^application\/json/, /^application\/json/],
    ['created', 201, 201, /^application\/json/, /^application\/json/],
    ['redirect', 303, 303, /^$/, /^$/],
    ['empty', 204, 204, /^$/, /^$/],
    ['nothing', 404, 404, /^text\/html/, /problem\+json/],
    ['invalid', 422, 422, /^text\/html/, /problem\+json/],
    ['refused', 409, 409, /^text\/html/, /problem\+json/],
    ['failed', 503, 503, /^text\/html/, /problem\+json/],
    ['plain', 400, 400, /^text\/html/, /problem\+json/],
    ['shown', 422, 422, /^text\/html/, /^text\/plain/],
  ];
  await withAnswers(sets, async ({ url }) => {
    for (const [name, page, api, pageType, apiType] of table) {
      const first = await ask(`${url}/page/${name}`);
      assert.is(first.status, page, `page ${name}`);
      assert.match(first.headers['content-type'] ?? '', pageType, `page ${name}`);
      const second = await ask(`${url}/api/${name}`);
      assert.is(second.status, api, `api ${name}`);
      assert.match(second.headers['content-type'] ?? '', apiType, `api ${name}`);
      assert.not.match(first.text + second.text, 'private detail');
      for (const answer of [first, second]) {
        assert.is(answer.headers['x-content-type-options'], 'nosniff');
        assert.match(String(answer.headers['content-security-policy']), "frame-ancestors 'none'");
        assert.ok(answer.headers['x-request-id']);
        assert.is(answer.headers['strict-transport-security'], undefined);
      }
    }
    assert.equal(JSON.parse((await ask(`${url}/api/invalid`)).text), {
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'Not good',
      instance: '/api/invalid',
      code: 'VALIDATION_FAILED',
      error: true,
      message: 'Not good',
      validation: { a_b: 'is wrong' },
      errors: [{ parameter: 'a_b', rule: 'custom', detail: 'is wrong' }],
    });
    assert.is((await ask(`${url}/page/created`)).text, '{"error":false,"results":{"a":1}}');
    assert.is((await ask(`${url}/page/failed`)).headers['retry-after'], '1');
    const asJson = await ask(`${url}/page/refused`, { headers: { accept: 'application/json' } });
    assert.is(JSON.parse(asJson.text).message, 'No');
  });
});

test('a GET of the API has a tag, and 304 where the client has it', async () => {
  const sets: Record<string, Set> = {
    a: (r) => r.setError(false).setResults({ a: 1 }),
    own: (r) => r.setError(false).setResults({ a: 1 }).addHeader('etag', '"7"'),
  };
  await withAnswers(sets, async ({ url }) => {
    const first = await ask(`${url}/api/a`);
    const etag = String(first.headers.etag);
    for (const given of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await ask(`${url}/api/a`, { headers: { 'if-none-match': given } });
      assert.is(again.status, 304, given);
      assert.is(again.text, '');
      assert.is(again.headers.etag, etag);
    }
    assert.is((await ask(`${url}/api/a`, { headers: { 'if-none-match': '"other"' } })).status, 200);
    assert.is((await ask(`${url}/api/a`, { method: 'POST', headers: { 'if-none-match': etag } })).status, 200);
    assert.is((await ask(`${url}/api/own`, { headers: { 'if-none-match': 'W/"7"' } })).status, 304);
    assert.is((await ask(`${url}/page/a`)).headers.etag, undefined);
  });
  assert.is(findSameTag(undefined, '"a"'), undefined);
});

test('header values cannot break out, nor end in 500', async () => {
  const sets: Record<string, Set> = {
    header: (r) => r.addHeader('x-a', 'a\r\nset-cookie: evil=1\u0000ü€').addHeader('bad name', 'x').setContent('ok'),
    redirect: (r) => r.setRedirect('/a\r\nset-cookie: evil=1/ü€ b'),
    number: (r) => r.addHeader('x-n', 5 as unknown as string).setContent('ok'),
  };
  await withAnswers(sets, async ({ url }) => {
    for (const name of Object.keys(sets)) {
      const answer = await ask(`${url}/page/${name}`);
      assert.ok(answer.status < 400, name);
      assert.is(answer.headers['set-cookie'], undefined);
    }
    assert.is((await ask(`${url}/page/redirect`)).headers.location, '/aset-cookie:%20evil=1/%C3%BC%E2%82%AC%20b');
  });
  assert.is(toLocation('/x\ud800'), '/x');
});

test('a page may set its own policy; streams are sent; secrets in the query are never cached', async () => {
  const sets: Record<string, Set> = {
    policy: (r) => r.addHeader('content-security-policy', "default-src 'none'").setContent('<p>x'),
    stream: (r) => r.setStream({ stream: Readable.from(['ab', 'cd']), bytes: 4 }).addHeader('content-type', 'text/csv'),
    broken: (r) =>
      r.setStream({
        stream: new Readable({
          read() {
            this.destroy(new Error('gone'));
          },
        }),
      }),
    ok: (r) => r.setError(false).setResults(1),
  };
  await withAnswers(sets, async ({ url }) => {
    assert.is((await ask(`${url}/page/policy`)).headers['content-security-policy'], "default-src 'none'");
    const stream = await ask(`${url}/page/stream`);
    assert.is(stream.text, 'abcd');
    assert.is(stream.headers['content-length'], '4');
    await ask(`${url}/page/broken`).catch(() => undefined);
    assert.is((await ask(`${url}/api/ok?access_token=x`)).headers['cache-control'], 'no-store');
    assert.is((await ask(`${url}/api/ok`)).headers['cache-control'], 'private, no-cache');
  });
});

test('a stream that fails, or gives what cannot be sent, ends neither the process nor a later answer', async () => {
  const broken = (): Readable => new Readable({ read() {} }).destroy(new Error('gone'));
  const sets: Record<string, Set> = {
    early: (r) => r.setStream({ stream: createReadStream('/no/such/file') }),
    late: async (r) => {
      const stream = createReadStream('/no/such/file');
      r.setStream({ stream });
      await once(stream, 'close');
    },
    broken: (r) => r.setStream({ stream: broken() }),
    destroyed: (r) => r.setStream({ stream: new Readable({ read() {} }).destroy() }),
    objects: (r) => r.setStream({ stream: Readable.from([{ a: 1 }]) }),
    foreign: (r) => r.setStream({ stream: Readable.from(new Blob(['ab']).stream()) }),
    ok: (r) => r.setContent('ok'),
  };
  await withAnswers(sets, async ({ url }) => {
    for (const name of ['late', 'broken', 'destroyed']) assert.is((await ask(`${url}/page/${name}`)).status, 500, name);
    for (const name of ['early', 'objects']) await ask(`${url}/page/${name}`).catch(() => undefined);
    assert.is((await ask(`${url}/page/foreign`)).text, 'ab');
    assert.is((await ask(`${url}/page/ok`)).text, 'ok');
  });
});

test('a status that Node refuses is a failure of the server, which is answered', async () => {
  const sets: Record<string, Set> = {
    content: (r) => r.setStatus(0).setContent('a'),
    results: (r) => r.setStatus(1000).setResults({ a: 1 }),
    empty: (r) => r.setStatus(0).setAnswered(),
    stream: (r) => r.setStatus(0).setStream({ stream: Readable.from(['a']) }),
  };
  await withAnswers(sets, async ({ url }) => {
    for (const name of Object.keys(sets)) assert.is((await ask(`${url}/page/${name}`)).status, 500, name);
  });
});

test('an answer is written outside its scope, so that an unread one keeps no rows', async () => {
  const seen: unknown[] = [];
  await withAnswers({ large: (r) => r.setResults({ a: 1 }).setError(false) }, async ({ url }) => {
    const { ServerResponse } = await import('node:http');
    const { end } = ServerResponse.prototype;
    ServerResponse.prototype.end = function (this: unknown, ...given: never[]) {
      seen.push(currentScope.getStore());
      return (end as (...given: never[]) => never).apply(this, given);
    } as typeof end;
    try {
      await ask(`${url}/api/large`);
      await ask(`${url}/page/large`);
    } finally {
      ServerResponse.prototype.end = end;
    }
  });
  assert.equal(seen, [undefined, undefined]);
});

test('over https browsers are told to stay there', async () => {
  await withAnswers(
    { a: (r) => r.setContent('x') },
    async ({ url }) => {
      assert.match((await ask(`${url}/page/a`)).headers['strict-transport-security'] ?? '', 'max-age=31536000');
    },
    { baseUrl: 'https://site.example' },
  );
});

test.run();
