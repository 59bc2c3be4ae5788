import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Answer } from '../../client.ts';
import { bearer, results, SECRET, startWorld, TOKEN, type World } from './_server.ts';

const test = suite('rest: what HTTP asks for');
const at: { world?: World; long?: number } = {};
const world = (): World => at.world as World;
const CODE = `
export default function controller(app) {
  const heard = { count: 0 };
  app.on('system-model-detail', () => { heard.count += 1; });
  app.rest({ access: 'public', method: 'get', path: '/public/heard' }, async (request, response) => { response.setResults(heard); });
  app.rest({ access: 'public', method: 'get', path: '/public/broken' }, async () => { throw new Error('select * from secret'); });
  app.rest({ access: 'public', method: 'get', path: '/public/secret' }, async (request, response) => {
    response.addHeader('cache-control', 'no-store').setResults({ text: 'x'.repeat(5000) });
  });
}
`;
test.before(async () => {
  at.world = await startWorld({
    settings: { server: { bodyBytes: 20_000, cors: ['https://listed.example'] }, limits: { perMinute: 100 } },
    files: {
      'app/www/.treadle.ts': "import controller from './controller';\nexport default [controller];\n",
      'app/www/controller.ts': CODE,
      'config/app/paged.json': {
        title: 'Paged',
        clientId: 'paged',
        origins: ['https://paged.example'],
        redirectUris: ['https://callback.example/x'],
      },
      'config/rest/app-own-search.json': {
        title: 'Own',
        access: 'app',
        method: 'get',
        path: '/public/own',
        event: 'system-model-search',
        parameters: { schema: 'note' },
      },
    },
  });
  const long = { note_title: 'Long', note_text: 'warp and weft '.repeat(400), profile_id: 1 };
  at.long = results(await world().send('POST', '/rest/public/note/create', long)).note_id as number;
});
test.after(() => world().close());

const SEARCH = '/rest/public/note/search';
const CREATE = '/rest/public/note/create';
const json = { 'content-type': 'application/json' };
type Sent = { method?: string; headers?: Record<string, string>; body?: string };

/** Every refusal of the API: the request, the status, and the headers. */
const REFUSALS: [name: string, path: string, sent: Sent, status: number, headers?: Record<string, RegExp>][] = [
  ['broken JSON', CREATE, { method: 'POST', headers: json, body: '{"a":' }, 400],
  ['JSON too deep', CREATE, { method: 'POST', headers: json, body: `${'['.repeat(40)}${']'.repeat(40)}` }, 400],
  ['an unknown parameter', `${SEARCH}?sorrt=x`, {}, 400],
  ['an unknown column', CREATE, { method: 'POST', headers: json, body: '{"note_titel":"x"}' }, 400],
  ['no token', '/rest/user/note/search', {}, 401, { 'www-authenticate': /^Bearer realm="Notes"/ }],
  ['no app', '/rest/public/app/note/search', {}, 401, { 'www-authenticate': /^Basic / }],
  [
    'a token that reads only',
    `/rest/user/note/create?access_token=${TOKEN}`,
    { method: 'POST' },
    403,
    { 'www-authenticate': /insufficient_scope/ },
  ],
  ['no such call', '/rest/public/nothing', {}, 404],
  ['no such row', '/rest/public/note/detail/9999', {}, 404],
  ['another method', SEARCH, { method: 'DELETE' }, 405, { allow: /^GET, HEAD, OPTIONS$/ }],
  ['another form', SEARCH, { headers: { accept: 'text/csv' } }, 406],
  ['any form but JSON', SEARCH, { headers: { accept: 'text/*, application/json;q=0' } }, 406],
  [
    'a taken value',
    CREATE,
    { method: 'POST', headers: json, body: '{"note_title":"x","note_code":"one","profile_id":1}' },
    409,
  ],
  [
    'another version',
    '/rest/public/note/update/1',
    { method: 'PATCH', headers: { ...json, 'if-match': '"x"' }, body: '{}' },
    412,
    { etag: /^"/ },
  ],
  [
    'a large body',
    CREATE,
    { method: 'POST', headers: json, body: JSON.stringify({ a: 'x'.repeat(30_000) }) },
    413,
    { connection: /close/ },
  ],
  [
    'a packed body',
    CREATE,
    { method: 'POST', headers: { ...json, 'content-encoding': 'gzip' }, body: 'x' },
    415,
    { 'accept-encoding': /identity/ },
  ],
  ['a missing field', CREATE, { method: 'POST', headers: json, body: '{"profile_id":1}' }, 422],
  ['no version where one is asked for', '/rest/public/held/1', { method: 'PATCH', headers: json, body: '{}' }, 428],
  ['a fault of this side', '/rest/public/broken', {}, 500],
];

const CONTROL = /select|secret|stack|\.ts/;

for (const [name, path, sent, status, headers = {}] of REFUSALS) {
  test(`H1, H2: ${name} is ${status}, told in one form`, async () => {
    if (status === 409) await world().send('POST', CREATE, { note_title: 'x', note_code: 'one', profile_id: 1 });
    const answer = await world().ask(path, sent);
    assert.is(answer.status, status, answer.text);
    assert.is(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.is(answer.headers['cache-control'], 'no-store');
    for (const [header, form] of Object.entries(headers)) assert.match(String(answer.headers[header]), form);
    const body = JSON.parse(answer.text);
    // This site has no docs that could explain the code.
    assert.is(body.type, 'about:blank');
    assert.is(body.docs, undefined);
    assert.match(body.code, /^[A-Z]+(_[A-Z0-9]+)+$/);
    assert.is(body.status, status);
    assert.is(body.error, true);
    assert.is(body.detail, body.message);
    assert.is(body.instance, path.split('?')[0]);
    assert.ok(body.title.length > 2 && body.message.length > 5);
    const errors = body.errors ?? [];
    const validated = errors.filter(({ header }: { header?: string }) => header === undefined);
    assert.is(Object.keys(body.validation).length, validated.length);
    for (const { pointer, parameter, header, detail, rule } of errors) {
      assert.is([pointer, parameter, header].filter((place) => place !== undefined).length, 1);
      assert.is(rule === 'custom', false, detail);
      if (header === undefined) assert.is(body.validation[parameter ?? pointer.slice(1)], detail);
      else assert.is(body.detail, detail);
    }
    if (status >= 500) assert.not.match(answer.text, CONTROL);
    const accept = status === 406 ? {} : { accept: 'application/json' };
    const again = await world().ask(path, { ...sent, headers: { ...sent.headers, ...accept } });
    if (status === 406) return;
    assert.is(again.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(JSON.parse(again.text), body);
  });
}

test('N6: a body that is refused before the token endpoint is told as OAuth has it', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/rest/access']) {
    for (const [sent, status] of [
      [{ method: 'POST', headers: form, body: `a=${'x'.repeat(70_000)}` }, 413],
      [{ method: 'POST', headers: { ...form, 'content-encoding': 'br' }, body: 'x' }, 415],
      [{ method: 'POST', headers: json, body: '{"a":' }, 400],
    ] as const) {
      const answer = await world().ask(path, sent);
      assert.is(answer.status, status, `${path} ${answer.text}`);
      assert.match(String(answer.headers['content-type']), /^application\/json/);
      assert.match(String(answer.headers['cache-control']), 'no-store');
      const { error, error_description } = JSON.parse(answer.text);
      assert.is(error, 'invalid_request');
      assert.match(error_description, /^[\x20-\x7e]{10,}$/);
    }
  }
});

test('H2: HEAD is GET without its body; OPTIONS names methods and types of body', async () => {
  for (const path of [SEARCH, `/rest/public/note/detail/${at.long}`, '/rest/public/note/detail/9999']) {
    for (const accept of [undefined, 'br']) {
      const headers = accept === undefined ? {} : { 'accept-encoding': accept };
      const [get, head] = [await world().ask(path, { headers }), await world().ask(path, { method: 'HEAD', headers })];
      assert.is(head.status, get.status);
      assert.is(head.text, '');
      for (const name of ['content-length', 'content-type', 'etag', 'vary', 'link'])
        assert.is(head.headers[name], get.headers[name], `${path} ${name}`);
    }
  }
  const options = await world().ask('/rest/public/note/update/1', { method: 'OPTIONS' });
  assert.equal([options.status, options.headers.allow, options.text], [204, 'OPTIONS, PATCH', '']);
  assert.match(String(options.headers['accept-patch']), 'application/merge-patch+json');
  const create = await world().ask(CREATE, { method: 'OPTIONS' });
  assert.match(String(create.headers['accept-post']), 'application/json');
});

const origin = (value: string): Record<string, string> => ({ origin: value });
const preflight = (from: string) => ({
  method: 'OPTIONS',
  headers: { ...origin(from), 'access-control-request-method': 'PATCH' },
});

test('H8: listed origins and those of apps are let in, by exact echo; preflights tell what may be sent', async () => {
  const allowed = [
    'https://listed.example',
    'https://reader.example',
    'https://paged.example',
    'https://callback.example',
    'http://127.0.0.1:5173',
  ];
  const others = [
    'https://listed.example.evil.example',
    'http://listed.example',
    'https://LISTED.example',
    'null',
    'http://localhost:5173',
    'https://reader.example:8443',
  ];
  for (const from of [...allowed, ...others]) {
    const is = allowed.includes(from);
    for (const [path, sent] of [
      [SEARCH, { headers: origin(from) }],
      ['/rest/public/note/update/1', preflight(from)],
      ['/rest/public/nothing', { headers: origin(from) }],
      ['/rest/user/note/search', { headers: origin(from) }],
      ['/rest/public/broken', { headers: origin(from) }],
    ] as const) {
      const { headers } = await world().ask(path, sent);
      if (path.endsWith('nothing')) continue;
      assert.is(headers['access-control-allow-origin'], is ? from : undefined, `${from} ${path}`);
      assert.is(headers['access-control-allow-credentials'], undefined);
      assert.match(String(headers.vary), 'Origin');
    }
    const asked = await world().ask('/rest/public/note/update/1', preflight(from));
    assert.is(asked.status, 204);
    assert.is(asked.headers['access-control-max-age'], is ? '600' : undefined);
    if (is) {
      assert.match(String(asked.headers['access-control-allow-methods']), 'PATCH');
      assert.match(String(asked.headers['access-control-allow-headers']), 'Idempotency-Key');
      const exposed = String(
        (await world().ask(SEARCH, { headers: origin(from) })).headers['access-control-expose-headers'],
      );
      for (const name of ['ETag', 'Link', 'Location', 'RateLimit', 'RateLimit-Policy', 'Retry-After'])
        assert.match(exposed, new RegExp(`\\b${name}\\b`));
    }
  }
  const page = await world().ask('/oauth/authorize?client_id=reader', { headers: origin('https://reader.example') });
  assert.is(page.headers['access-control-allow-origin'], undefined);
});

test('H8: so are refusals that come before the route is heard', async () => {
  const early = REFUSALS.filter(([name]) => /^(?:broken JSON|JSON too deep|a large body|a packed body)$/.test(name));
  assert.is(early.length, 4);
  for (const [name, path, sent, status] of early) {
    for (const [from, expected] of [
      ['https://listed.example', 'https://listed.example'],
      ['https://reader.example', 'https://reader.example'],
      ['https://evil.example', undefined],
    ] as const) {
      const answer = await world().ask(path, { ...sent, headers: { ...sent.headers, ...origin(from) } });
      assert.is(answer.status, status, name);
      assert.is(answer.headers['access-control-allow-origin'], expected, `${from}: ${name}`);
      assert.match(String(answer.headers.vary), 'Origin', name);
    }
    const access = await world().ask('/rest/access', {
      ...sent,
      headers: { ...sent.headers, ...origin('https://listed.example') },
    });
    assert.is(access.headers['access-control-allow-origin'], undefined);
  }
});

test("H8: an app's page reads what its own app is answered, not what another's is", async () => {
  const ask = (from: string, path: string, headers = {}) =>
    world().ask(path, { headers: { ...origin(from), ...headers } });
  const user = '/rest/user/note/search';
  assert.is(
    (await ask('https://reader.example', user, bearer)).headers['access-control-allow-origin'],
    'https://reader.example',
  );
  const foreign = await ask('https://paged.example', user, bearer);
  assert.is(foreign.status, 200);
  assert.is(foreign.headers['access-control-allow-origin'], undefined);
  assert.is(
    (await ask('https://listed.example', user, bearer)).headers['access-control-allow-origin'],
    'https://listed.example',
  );
  const own = '/rest/public/own?client_id=paged';
  assert.is((await ask('https://paged.example', own)).headers['access-control-allow-origin'], 'https://paged.example');
  assert.is((await ask('https://reader.example', own)).headers['access-control-allow-origin'], undefined);
});

/** Raw bytes, which decoding as text would change. */
async function fetchBytes(path: string, accept: string): Promise<{ headers: Headers; bytes: Buffer; status: number }> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    request(world().url + path, { headers: { 'accept-encoding': accept }, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () =>
        resolve({
          headers: new Headers(res.headers as Record<string, string>),
          bytes: Buffer.concat(chunks),
          status: res.statusCode ?? 0,
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

/** The accepted encodings, and the one that is used. @see RFC 9110 section 12.5.3 */
const ENCODINGS: [accept: string, encoding: string | null][] = [
  ['', null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, br', 'br'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['*', 'br'],
  ['*;q=0', null],
  ['gzip;q=0, *', 'br'],
  ['identity;q=1, br;q=0.5', null],
  ['deflate, zstd', null],
  ['GZip', 'gzip'],
  ['x-gzip', 'gzip'],
];

test('H13: a long answer is packed as the client takes it; its strong tag is another one, and comes back', async () => {
  const path = `/rest/public/note/detail/${at.long}`;
  const plain = await fetchBytes(path, '');
  for (const [accept, encoding] of ENCODINGS) {
    const { headers, bytes } = await fetchBytes(path, accept);
    assert.is(headers.get('content-encoding'), encoding, accept);
    assert.match(String(headers.get('vary')), 'Accept-Encoding');
    assert.is(headers.get('content-length'), String(bytes.length));
    const text = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
    assert.ok(text.equals(plain.bytes), accept);
    if (encoding) assert.ok(bytes.length < plain.bytes.length / 5);
    const etag = String(headers.get('etag'));
    assert.is(etag === plain.headers.get('etag'), encoding === null, accept);
    for (let round = 0; round < 2; round += 1) {
      const again = await world().ask(path, { headers: { 'accept-encoding': accept, 'if-none-match': etag } });
      assert.is(again.status, 304, accept);
      assert.is(again.headers.etag, etag);
    }
    const update = await world().send(
      'PATCH',
      `/rest/public/note/update/${at.long}`,
      { note_title: 'Long' },
      { 'if-match': etag },
    );
    assert.is(update.status, 200, accept);
  }
  const search = await fetchBytes(SEARCH, 'br');
  assert.is(search.headers.get('content-encoding'), 'br');
  assert.match(String(search.headers.get('etag')), /^W\/"[\w-]+"$/);
});

test('H13: short answers, those with secrets and those of a token in the query are sent as they are', async () => {
  const made = await world().send('POST', CREATE, { note_title: 'Short', profile_id: 1 });
  for (const path of [
    `/rest/public/note/detail/${String(results(made).note_id)}`,
    '/rest/public/secret',
    `/rest/user/note/search?access_token=${TOKEN}`,
    `/rest/public/app/note/search?client_id=reader&client_secret=${SECRET}`,
  ]) {
    const { headers, status } = await fetchBytes(path, 'br, gzip');
    assert.is(status, 200, path);
    assert.is(headers.get('content-encoding'), null, path);
  }
});

test('H13: packing takes turns with other requests', async () => {
  const text = createHash('sha512').update('x').digest('hex').repeat(100);
  for (let n = 0; n < 20; n += 1)
    await world().send('POST', CREATE, { note_title: `n${n}`, note_text: text, profile_id: 1 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetchBytes(`${SEARCH}?limit=100`, 'br')));
  const [first] = answers;
  for (const { bytes } of answers) assert.ok(bytes.equals(first?.bytes as Buffer));
});

test('H3: a call with a listener of the project runs in full each time, for any tag', async () => {
  const heard = async () => results(await world().ask('/rest/public/heard')).count as number;
  const path = `/rest/public/note/detail/${at.long}`;
  const { etag } = (await world().ask(path)).headers;
  const before = await heard();
  for (let round = 0; round < 3; round += 1)
    assert.is((await world().ask(path, { headers: { 'if-none-match': String(etag) } })).status, 304);
  assert.is(await heard(), before + 3);
});

test('H4: what a user is answered varies with the credentials and is kept by nobody else; a token in the query by nobody', async () => {
  const user = (await world().ask('/rest/user/note/search', { headers: bearer })).headers;
  assert.is(user['cache-control'], 'private, no-cache');
  assert.match(String(user.vary), /Origin, Authorization/);
  const query = (await world().ask(`/rest/user/note/search?access_token=${TOKEN}`)).headers;
  assert.is(query['cache-control'], 'no-store');
  assert.is((await world().ask(SEARCH)).headers.vary?.includes('Authorization'), false);
});

test('H15: a request id is given back where it is one, and made where it is not', async () => {
  const id = async (given?: string) =>
    String(
      (await world().ask(SEARCH, given === undefined ? {} : { headers: { 'x-request-id': given } })).headers[
        'x-request-id'
      ],
    );
  assert.is(await id('abc-1.2_3'), 'abc-1.2_3');
  for (const odd of [undefined, 'a b', 'x'.repeat(65), 'é']) assert.match(await id(odd), /^[\w-]+\.[\w]+$/);
});

test('H14: Prefer: return=minimal leaves the row out', async () => {
  const prefer = { prefer: 'respond-async, return=minimal' };
  const made = await world().send('POST', CREATE, { note_title: 'Minimal', profile_id: 1 }, prefer);
  assert.equal([made.status, made.text, made.headers['preference-applied']], [201, '', 'return=minimal']);
  assert.match(String(made.headers.location), /\/rest\//);
  const path = '/rest/public/note/update/1';
  const changed = await world().send('PATCH', path, { note_text: 'x' }, prefer);
  assert.equal([changed.status, changed.text], [204, '']);
  assert.match(String(changed.headers.etag), /^"/);
  assert.is((await world().send('PATCH', path, { note_title: '' }, prefer)).status, 422);
  assert.is((await world().send('PATCH', path, {}, { prefer: 'return=representation' })).status, 200);
});

test('H10: calls with credentials tell their limit, and are refused beyond it', async () => {
  const ask = (): Promise<Answer> => world().ask('/rest/public/own?client_id=paged');
  const first = await ask();
  assert.is(first.headers['ratelimit-policy'], '"default";q=100;w=60');
  const [, left, reset] = /^"default";r=(\d+);t=(\d+)$/.exec(String(first.headers.ratelimit)) ?? [];
  assert.ok(Number(left) < 100 && Number(reset) >= 1 && Number(reset) <= 60);
  let last = first;
  for (let n = 0; n < 201 && last.status === 200; n += 1) last = await ask();
  assert.is(last.status, 429);
  assert.match(String(last.headers.ratelimit), /^"default";r=0;t=\d+$/);
  assert.ok(Number(last.headers['retry-after']) >= 1);
  const problem = JSON.parse(last.text);
  assert.match(problem.type, /#quota-exceeded$/);
  assert.equal(problem['violated-policies'], ['default']);
  assert.is((await world().ask(SEARCH)).headers.ratelimit, undefined);
});

test.run();
