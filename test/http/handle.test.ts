import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TreadleError } from '../../src/core/errors.ts';
import type { Request } from '../../src/core/request/request.ts';
import { ask } from '../client.ts';
import { createFakeClock } from '../clock.ts';
import { createHarness, type HarnessOptions } from './_harness.ts';

const test = suite('http/handle');

async function withHarness(
  options: HarnessOptions,
  run: (harness: Awaited<ReturnType<typeof createHarness>>) => Promise<void>,
): Promise<void> {
  const harness = await createHarness(options);
  try {
    await run(harness);
  } finally {
    await harness.remove();
  }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'content-type': 'application/json' };
const MULTIPART = { 'content-type': 'multipart/form-data; boundary=b' };

test('every way to fail ends in one 500 without detail, logged once, and the process lives', async () => {
  const ways: Record<string, () => unknown> = {
    throws: () => {
      throw new Error('private detail');
    },
    rejects: async () => {
      await Promise.resolve();
      throw new Error('private detail');
    },
    string: () => {
      throw 'private detail';
    },
    null: () => {
      throw null;
    },
    number: () => Promise.reject(7),
    sqlite: () => {
      throw Object.assign(new Error('private detail'), { code: 'SQLITE_BUSY', status: 200 });
    },
    known: () => {
      throw new TreadleError('X_BROKEN', 'private detail');
    },
  };
  const routes = Object.fromEntries(Object.entries(ways).map(([name, way]) => [`GET /${name}`, way]));
  await withHarness(
    { routes: { ...routes, 'GET /ok': (_q, r) => void r.setContent('fine') } },
    async ({ url, lines }) => {
      for (const name of Object.keys(ways)) {
        lines.length = 0;
        const answer = await ask(`${url}/${name}`, { headers: { 'x-request-id': `id-${name}` } });
        assert.is(answer.status, 500, name);
        assert.not.match(answer.text, 'private detail');
        assert.match(answer.text, `id-${name}`);
        assert.is(answer.headers['x-request-id'], `id-${name}`);
        const errors = lines.filter(({ level }) => level === 'error');
        assert.is(errors.length, 1);
        assert.is(errors[0]?.fields.request, `id-${name}`);
      }
      assert.is((await ask(`${url}/ok`)).text, 'fine');
    },
  );
});

test('a handler that hangs is answered when its time is up, and its late answer is not sent', async () => {
  const clock = createFakeClock();
  const late: { resolve?: () => void } = {};
  const routes: HarnessOptions['routes'] = {
    'GET /hang': async (_request, response) => {
      await new Promise<void>((resolve) => {
        late.resolve = resolve;
        setImmediate(() => clock.advance(30_000));
      });
      response.setContent('too late');
    },
  };
  await withHarness({ routes, clock }, async ({ url, lines }) => {
    const answer = await ask(`${url}/hang`);
    assert.is(answer.status, 500);
    assert.not.match(answer.text, 'too late');
    late.resolve?.();
    assert.is(lines.filter(({ level }) => level === 'error').length, 1);
  });
});

test('a body that does not arrive in time is the fault of its client: 408, and nothing waits for the rest', async () => {
  const clock = createFakeClock();
  const traffic = { underWay: 0, answered: () => {} };
  const routes: HarnessOptions['routes'] = { 'POST /slow': { kind: 'api', listener: () => {} } };
  await withHarness({ routes, clock, traffic }, async ({ url, lines }) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(
      'POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"a"',
    );
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    while (traffic.underWay === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(30_000);
    await new Promise((resolve) => socket.once('close', resolve));
    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.match(text, /^connection: close/im);
    assert.match(text, '"code":"REQUEST_BODY_SLOW"');
    while (traffic.underWay > 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(
      lines.filter(({ level }) => level === 'error'),
      [],
    );
  });
});

test('a thrown error under 500 shows its message, as a page or as a problem', async () => {
  const refuse = (): never => {
    throw new TreadleError('X_TEAPOT', 'Only <tea> here.', {
      status: 418,
      hint: 'Bring tea.',
      headers: { 'x-tea': 'yes' },
    });
  };
  await withHarness(
    { routes: { 'GET /page': refuse, 'GET /api': { kind: 'api', listener: refuse } } },
    async ({ url }) => {
      const page = await ask(`${url}/page`);
      assert.is(page.status, 418);
      assert.match(page.text, 'Only &lt;tea&gt; here.');
      const api = await ask(`${url}/api`);
      assert.is(api.headers['content-type'], 'application/problem+json');
      assert.is(api.headers['x-tea'], 'yes');
      assert.equal(JSON.parse(api.text), {
        type: 'about:blank',
        title: "I'm a Teapot",
        status: 418,
        detail: 'Only <tea> here.',
        instance: '/api',
        error: true,
        message: 'Only <tea> here.',
        validation: {},
        code: 'X_TEAPOT',
        hint: 'Bring tea.',
      });
    },
  );
});

test('methods: HEAD falls back on GET, OPTIONS names them, another is 405, no path is 404', async () => {
  const routes: HarnessOptions['routes'] = {
    'GET /x': (_q, r) => void r.setContent('<p>hello</p>'),
    'POST /x': (_q, r) => void r.setContent('made'),
    'PUT /rest/x': { kind: 'api', listener: (_q, r) => void r.setError(false).setResults({}) },
  };
  await withHarness({ routes }, async ({ url }) => {
    const head = await ask(`${url}/x`, { method: 'HEAD' });
    assert.is(head.status, 200);
    assert.is(head.text, '');
    assert.is(head.headers['content-length'], '12');
    const options = await ask(`${url}/x`, { method: 'OPTIONS' });
    assert.is(options.status, 204);
    assert.is(options.headers.allow, 'GET, HEAD, OPTIONS, POST');
    const wrong = await ask(`${url}/x`, { method: 'DELETE' });
    assert.is(wrong.status, 405);
    assert.is(wrong.headers.allow, 'GET, HEAD, OPTIONS, POST');
    const wrongCall = await ask(`${url}/rest/x`, { method: 'DELETE' });
    assert.is(wrongCall.status, 405);
    assert.is(JSON.parse(wrongCall.text).status, 405);
    assert.is((await ask(`${url}/nowhere`)).status, 404);
    assert.is((await ask(`${url}/%zz`)).status, 404);
    assert.is((await ask(`${url}/rest/nowhere`)).headers['content-type'], 'application/problem+json');
  });
});

test('the 404 page has the look of the site, escapes the path, and falls back when the look is broken', async () => {
  const look: HarnessOptions['on'] = (bus) => {
    bus.on(
      'www-render-page',
      (_q, r) =>
        void r.setContent(`<!doctype html><title>${r.getPage('title')}</title><body>MINE ${r.getContent()}</body>`),
    );
  };
  await withHarness({ on: look }, async ({ url }) => {
    const page = await ask(`${url}/a"><script>alert(1)</script>`);
    assert.is(page.status, 404);
    assert.match(page.text, 'MINE');
    assert.match(page.text, 'Page not found');
    assert.not.match(page.text, '<script>alert');
  });
  const broken: HarnessOptions['on'] = (bus) => {
    bus.on('www-render-page', () => {
      throw new Error('layout');
    });
  };
  await withHarness({ on: broken }, async ({ url }) => {
    const page = await ask(`${url}/nowhere`);
    assert.is(page.status, 404);
    assert.match(page.text, '404 Not Found');
  });
});

test('bodies: limits, broken JSON, depth, compression, unknown types', async () => {
  const echo = (request: Request, response: { setError(f: boolean): { setResults(x: unknown): unknown } }): void => {
    const content = request.getContent();
    response.setError(false).setResults({
      post: request.getPost(),
      stage: request.getStage(),
      raw: Buffer.isBuffer(content) ? 'bytes' : content,
    });
  };
  const listener = echo as never;
  const routes: HarnessOptions['routes'] = { 'POST /api': { kind: 'api', listener }, 'POST /page': { listener } };
  await withHarness({ routes }, async ({ url }) => {
    const post = (path: string, headers: Record<string, string>, body: string | Buffer) =>
      ask(`${url}${path}`, { method: 'POST', headers, body });
    const table: [string, Record<string, string>, string | Buffer, number][] = [
      ['/api', JSON_BODY, '{"a":', 400],
      ['/api', JSON_BODY, '['.repeat(33) + ']'.repeat(33), 400],
      ['/api', JSON_BODY, '{"n":12345678901234567890}', 400],
      ['/api', JSON_BODY, '{"n":"12345678901234567890","m":1.5e300}', 200],
      ['/api', JSON_BODY, JSON.stringify('x'.repeat(2000)), 413],
      ['/api', { ...JSON_BODY, 'content-encoding': 'gzip' }, 'x', 415],
      ['/api', { ...JSON_BODY, 'content-encoding': 'identity' }, '{}', 200],
      ['/page', FORM, 'a='.padEnd(2000, 'x'), 413],
      ['/page', FORM, Array.from({ length: 400 }, () => 'a').join('&'), 200],
      ['/page', { 'content-type': 'application/octet-stream' }, Buffer.from([0, 255]), 200],
      ['/page', { 'content-type': 'multipart/form-data' }, 'x', 400],
      ['/page', { 'content-type': 'multipart/form-data; boundary=b' }, 'x', 400],
    ];
    for (const [path, headers, body, status] of table) {
      const answer = await post(path, headers, body);
      assert.is(answer.status, status, `${path} ${JSON.stringify(headers)} ${String(body).slice(0, 40)}`);
      if (status === 413) assert.is(answer.headers.connection, 'close');
    }
    const bytes = await post('/page', { 'content-type': 'application/octet-stream' }, Buffer.from([0, 255]));
    assert.is(JSON.parse(bytes.text).results.raw, 'bytes');
    const text = await post('/page', { 'content-type': 'text/plain' }, 'a=1');
    assert.equal(JSON.parse(text.text).results, { post: {}, stage: {}, raw: 'a=1' });
  });
});

test('a chunked body over the limit is refused before it is read whole', async () => {
  await withHarness({ routes: { 'POST /x': (_q, r) => void r.setContent('read') } }, async ({ url }) => {
    const answer = await ask(`${url}/x`, {
      method: 'POST',
      headers: { 'transfer-encoding': 'chunked', ...FORM },
      body: 'x'.repeat(5000),
    }).catch((error: NodeJS.ErrnoException) => ({
      status: error.code === 'EPIPE' || error.code === 'ECONNRESET' ? 413 : 0,
    }));
    assert.is(answer.status, 413);
  });
});

test('more than 1,000 names are refused', async () => {
  await withHarness(
    { routes: { 'POST /x': (_q, r) => void r.setContent('read') }, bodyBytes: 100_000 },
    async ({ url }) => {
      const body = Array.from({ length: 1001 }, (_x, index) => `a${index}=1`).join('&');
      assert.is((await ask(`${url}/x`, { method: 'POST', headers: FORM, body })).status, 413);
    },
  );
});

test('prototype names are refused in a form, a query and JSON, and change nothing', async () => {
  const seen: unknown[] = [];
  const listener = (request: Request, response: { setContent(x: string): unknown }): void => {
    seen.push(request.getStage('a'), request.getStage('b'), request.getStage('x'));
    response.setContent('ok');
  };
  await withHarness({ routes: { 'POST /x': { listener: listener as never } } }, async ({ url }) => {
    const bodies: [Record<string, string>, string][] = [
      [FORM, 'a[__proto__][x]=1'],
      [FORM, '__proto__[x]=1&b=2'],
      [JSON_BODY, '{"__proto__":{"x":1}}'],
      [JSON_BODY, '{"a":{"constructor":{"prototype":{"x":1}}},"b":2}'],
      [MULTIPART, '--b\r\nContent-Disposition: form-data; name="a[__proto__]"\r\n\r\n1\r\n--b--\r\n'],
      [MULTIPART, '--b\r\nContent-Disposition: form-data; name="constructor"; filename="x"\r\n\r\n1\r\n--b--\r\n'],
    ];
    const asked = bodies.map(([headers, body]) => ({ method: 'POST', headers, body }));
    for (const one of asked) assert.is((await ask(`${url}/x`, one)).status, 400, one.body);
    for (const name of ['filter[__proto__]', 'filter[constructor]', 'sort[__proto__]', '__proto__[x]', 'toString']) {
      assert.is((await ask(`${url}/x?${name}=1`, { method: 'POST', headers: FORM, body: 'b=2' })).status, 400, name);
    }
    assert.is(({} as { x?: unknown }).x, undefined);
    assert.equal(seen, []);
    await ask(`${url}/x`, { method: 'POST', headers: FORM, body: 'b=2&__proto__.x=1' });
    assert.equal(seen, [undefined, '2', undefined]);
  });
});

test('multipart fills post and files', async () => {
  const listener = (
    request: Request,
    response: { setError(f: boolean): { setResults(x: unknown): unknown } },
  ): void => {
    const file = request.getFiles('photo') as { buffer: Buffer };
    response
      .setError(false)
      .setResults({ post: request.getPost(), files: request.getFiles(), text: file.buffer.toString() });
  };
  await withHarness({ routes: { 'POST /x': { listener: listener as never } } }, async ({ url }) => {
    const part = (name: string, value: string, file = '') =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file}"\r\nContent-Type: text/plain` : ''}\r\n\r\n${value}\r\n`;
    const body = `${part('title', 'Hello')}${part('tag[]', 'a')}${part('tag[]', 'b')}${part('photo', 'bytes', '../../etc/x.txt')}${part('more[]', '1', 'a.txt')}${part('more[]', '22', 'b.txt')}--b--\r\n`;
    const answer = await ask(`${url}/x`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body,
    });
    assert.equal(JSON.parse(answer.text).results, {
      post: { title: 'Hello', tag: ['a', 'b'] },
      files: {
        photo: { name: 'x.txt', type: 'text/plain', bytes: 5 },
        more: [
          { name: 'a.txt', type: 'text/plain', bytes: 1 },
          { name: 'b.txt', type: 'text/plain', bytes: 2 },
        ],
      },
      text: 'bytes',
    });
  });
});

test('the stage is query, then post, then route; the API never sees cookies', async () => {
  const listener = (
    request: Request,
    response: { setError(f: boolean): { setResults(x: unknown): unknown } },
  ): void => {
    response.setError(false).setResults({
      stage: request.getStage(),
      cookies: request.getCookies(),
      address: request.getServer('REMOTE_ADDR'),
    });
  };
  const routes = {
    'POST /x/:c': { listener: listener as never },
    'POST /api/:c': { kind: 'api' as const, listener: listener as never },
  };
  await withHarness({ routes }, async ({ url }) => {
    const asked = {
      method: 'POST',
      headers: { ...FORM, cookie: 'a=1; b="x%20y"; a=2', 'x-forwarded-for': '9.9.9.9' },
      body: 'b=post&c=post',
    };
    const page = JSON.parse((await ask(`${url}/x/route?a=query&b=query&c=query`, asked)).text).results;
    assert.equal(page, {
      stage: { a: 'query', b: 'post', c: 'route' },
      cookies: { a: '1', b: 'x y' },
      address: '127.0.0.1',
    });
    assert.equal(JSON.parse((await ask(`${url}/api/1`, asked)).text).results.cookies, {});
  });
});

test('the client address is the trusted proxy word only where it is trusted, and the last entry', async () => {
  const routes = {
    'GET /x': {
      kind: 'api' as const,
      listener: ((q: Request, r: { setError(f: boolean): { setResults(x: unknown): unknown } }) =>
        void r.setError(false).setResults(q.getServer('REMOTE_ADDR'))) as never,
    },
  };
  await withHarness({ routes, settings: { server: { trustProxy: true } } }, async ({ url }) => {
    const answer = await ask(`${url}/x`, {
      headers: { 'x-forwarded-for': '1.1.1.1, 2.2.2.2', 'x-forwarded-proto': 'https' },
    });
    assert.is(JSON.parse(answer.text).results, '2.2.2.2');
    assert.match(answer.headers['strict-transport-security'] ?? '', 'max-age');
  });
});

test('a request keeps the plan that it started with', async () => {
  const gate: { open?: () => void; entered?: () => void } = {};
  const entered = new Promise<void>((resolve) => {
    gate.entered = resolve;
  });
  const routes: HarnessOptions['routes'] = {
    'GET /x': async (_q, r) => {
      gate.entered?.();
      await new Promise<void>((resolve) => {
        gate.open = resolve;
      });
      r.setContent('old');
    },
  };
  await withHarness({ routes }, async ({ url, swap }) => {
    const first = ask(`${url}/x`);
    await entered;
    swap({ routes: { 'GET /x': (_q, r) => void r.setContent('new') } });
    assert.is((await ask(`${url}/x`)).text, 'new');
    gate.open?.();
    assert.is((await first).text, 'old');
  });
});

test('static files: served with headers and ETag; hidden, outside and absent ones are 404', async () => {
  await withHarness({ mode: 'development' }, async ({ url, folder }) => {
    mkdirSync(join(folder, 'public', '.git'), { recursive: true });
    writeFileSync(join(folder, 'public', 'a.txt'), 'hello');
    writeFileSync(join(folder, 'public', '.env'), 'SECRET');
    writeFileSync(join(folder, 'public', '.git', 'config.txt'), 'SECRET');
    writeFileSync(join(folder, 'secret.txt'), 'SECRET');
    const file = await ask(`${url}/a.txt`);
    assert.is(file.text, 'hello');
    assert.is(file.headers['x-content-type-options'], 'nosniff');
    assert.ok(file.headers['x-request-id']);
    assert.is((await ask(`${url}/a.txt`, { headers: { 'if-none-match': String(file.headers.etag) } })).status, 304);
    assert.is((await ask(`${url}/a.txt`, { method: 'POST' })).status, 404);
    for (const path of [
      '/.env',
      '/%2eenv',
      '/.git/config.txt',
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/b.txt',
      '/a.txt%00',
      '/..%5csecret.txt',
    ]) {
      const answer = await ask(`${url}${path}`);
      assert.is(answer.status, 404, path);
      assert.not.match(answer.text, 'SECRET');
    }
  });
});

test('a single range of a static file is given; any other gets the whole file', async () => {
  await withHarness({ mode: 'development' }, async ({ url, folder }) => {
    mkdirSync(join(folder, 'public'), { recursive: true });
    writeFileSync(join(folder, 'public', 'a.txt'), 'hello');
    const get = (range: string, more = {}) => ask(`${url}/a.txt`, { headers: { range, ...more } });
    const part = await get('bytes=1-3');
    assert.is(part.status, 206);
    assert.is(part.text, 'ell');
    assert.is(part.headers['content-range'], 'bytes 1-3/5');
    assert.is((await get('bytes=3-')).text, 'lo');
    assert.is((await get('bytes=5-')).status, 416);
    assert.is((await get('bytes=-2')).text, 'lo');
    assert.is((await get('bytes=0-0')).text, 'h');
    for (const range of ['bytes=3-1', 'bytes=-', 'bytes=0-1,3-4', 'x', 'bytes=1-3x']) {
      const whole = await get(range);
      assert.is(whole.status, 200, range);
      assert.is(whole.text, 'hello', range);
    }
    assert.is((await get('bytes=1-3', { 'if-range': '"old"' })).text, 'hello');
  });
});

test('the access log has no secrets', async () => {
  await withHarness(
    { routes: { 'GET /x': (_q, r) => void r.setContent('ok') }, isAccessLogged: true },
    async ({ url, lines }) => {
      await ask(`${url}/x?access_token=SECRET1&a=1&client%5Fsecret=SECRET2&code=SECRET3&access_secret=SECRET4`);
      const line = lines.find(({ event }) => event === 'request');
      assert.is(line?.fields.status, 200);
      assert.not.match(JSON.stringify(lines), 'SECRET');
      assert.match(String(line?.fields.path), 'a=1');
    },
  );
});

test('in development an error shows where it is', async () => {
  const routes: HarnessOptions['routes'] = {
    'GET /x': () => {
      throw new Error('<b>what</b> happened');
    },
  };
  await withHarness({ routes, mode: 'development' }, async ({ url }) => {
    const answer = await ask(`${url}/x`);
    assert.is(answer.status, 500);
    assert.match(answer.text, '&lt;b&gt;what&lt;/b&gt; happened');
    // Suites run from a bundle, so the place is the bundle's.
    assert.match(answer.text, /\bat .+:\d+:\d+/);
    assert.match(answer.text, '/__treadle/reload.js');
  });
});

test.run();
