import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Checker, createChecker, listExampleFaults } from './_answers.ts';
import { type Api, startApi } from './_api.ts';

/** The API's answers over HTTP, for every outcome of a call, match its own document. */
const test = suite('openapi: answers');

let api: Api;
let checker: Checker;
const faults: string[] = [];

/** Requests that a receiver of the API's hooks got, by type. */
const events = new Map<string, { headers: IncomingHttpHeaders; body: unknown }>();
const receiver = createServer(async (message, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as { type: string };
  events.set(String(message.headers['ce-type'] ?? body.type), { headers: message.headers, body });
  response.end();
});

test.before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  api = await startApi({ webhook: { allowPrivate: ['127.0.0.1/32'] } }, `http://127.0.0.1:${port}/hook`);
  checker = createChecker(api.document);
});
test.after(async () => {
  await api?.close();
  receiver.closeAllConnections();
  receiver.close();
});

interface Sent {
  readonly as?: 'user' | 'poor' | 'app' | 'nobody';
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
  readonly body?: string | FormData | URLSearchParams;
}

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { results?: Record<string, unknown> };
}

/** Sends a call with the credentials that its path needs, and checks the answer against the document. */
async function call(method: string, path: string, sent: Sent = {}): Promise<Got> {
  const as = sent.as ?? (path.startsWith('/rest/user') ? 'user' : path.startsWith('/rest/app') ? 'app' : 'nobody');
  const basic = `Basic ${Buffer.from(`${api.app.id}:${api.app.secret}`).toString('base64')}`;
  const authorization = { user: `Bearer ${api.token}`, poor: `Bearer ${api.poor}`, app: basic, nobody: undefined }[as];
  const body = sent.json === undefined ? sent.body : JSON.stringify(sent.json);
  const answer = await fetch(api.url + path, {
    method,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(sent.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...sent.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  const { pathname } = new URL(api.url + path);
  const said = {
    method,
    path: pathname,
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: text,
  };
  faults.push(...checker.check(said).map((fault) => `${method} ${path}: ${fault}`));
  return { status: answer.status, headers: answer.headers, body: text.startsWith('{') ? JSON.parse(text) : {} };
}

const idOf = ({ body }: Got, name = 'thing_id'): number => Number(body.results?.[name]);

/** A value for every type that a body may have. */
const FULL = {
  thing_text: 'x',
  thing_email: 'ann@example.org',
  thing_password: 'correct-horse',
  thing_url: 'https://example.org/',
  thing_slug: 'a-slug',
  thing_color: '#0a5c66',
  thing_wysiwyg: '<p>x</p>',
  thing_markdown: '*x*',
  thing_number: 5,
  thing_float: 1.5,
  thing_price: 9.5,
  thing_stars: 4,
  thing_date: '2026-01-15',
  thing_time: '09:30:00',
  thing_datetime: '2026-01-15 09:30:00',
  thing_week: '2026-W03',
  thing_month: '2026-01',
  thing_checkbox: 1,
  thing_switch: 0,
  thing_select: 'a',
  thing_countrylist: 'FR',
  thing_multiselect: ['a', 'b'],
  thing_checkboxes: ['b'],
  thing_tag: ['one', 'two'],
  thing_textlist: ['one'],
  thing_meta: { colour: 'green' },
  thing_latlng: [52.52, 13.405],
  thing_rawjson: { a: [1, { b: null }] },
  thing_fieldset: [{ street: 'Long street', from: '2026-01-01' }],
  thing_table: [{ left: 'l', right: 'r' }],
  thing_multirange: '1;5',
};

type Access = 'public' | 'app' | 'user';
/** All other rows belong to the token's user. */
const toOwner = (access: Access): object => (access === 'user' ? {} : { profile_id: 1 });

async function create(access: Access, values: object = {}): Promise<Got> {
  const got = await call('POST', `/rest/${access}/thing/create`, {
    json: { thing_name: 'Name', ...toOwner(access), ...values },
  });
  assert.is(got.status, 201, JSON.stringify(got.body));
  return got;
}

async function read(access: Access): Promise<void> {
  const base = `/rest/${access}/thing`;
  const id = idOf(await create(access, { ...FULL, thing_sku: `${access}-code` }));
  const form = new URLSearchParams({ thing_name: 'Form', thing_number: '7' });
  if (access !== 'user') form.set('profile_id', '1');
  assert.is((await call('POST', `${base}/create`, { body: form })).status, 201);
  const detail = await call('GET', `${base}/detail/${id}`);
  assert.is(detail.status, 200);
  const tag = detail.headers.get('etag') ?? '';
  assert.is((await call('GET', `${base}/detail/${id}`, { headers: { 'if-none-match': tag } })).status, 304);
  await call('GET', `${base}/detail/${id}?fields=thing_name`);
  await call('GET', `${base}/detail/${id}?expand=label`);
  assert.is((await call('GET', `${base}/detail/${id}?expand=nothing`)).status, 400);
  await call('HEAD', `${base}/detail/${id}`);
  for (const query of QUERIES) assert.is((await call('GET', `${base}/search${query}`)).status, 200, query);
  const page = await call('GET', `${base}/search?limit=1`);
  assert.is((await call('GET', `${base}/search?limit=1&after=${page.body.results?.next}`)).status, 200);
  const list = page.headers.get('etag') ?? '';
  assert.is((await call('GET', `${base}/search?limit=1`, { headers: { 'if-none-match': list } })).status, 304);
}

const QUERIES = [
  '',
  '?limit=1',
  '?limit=1&offset=1&total=0',
  '?q=full&sort=-thing_name',
  '?filter[thing_number][gte]=5&fields=thing_name,thing_number',
  '?expand=part,cover,label,twin',
  '?filter[thing_active]=any',
  '?filter[thing_number][in]=5,7',
];

async function change(access: Access): Promise<void> {
  const base = `/rest/${access}/thing`;
  const id = idOf(await create(access));
  for (const [body, type] of [
    [{ thing_number: 6, thing_meta: null }, 'application/merge-patch+json'],
    [{ thing_text: 'y' }, 'application/json'],
  ] as const) {
    const sent = { body: JSON.stringify(body), headers: { 'content-type': type } };
    assert.is((await call('PATCH', `${base}/update/${id}`, sent)).status, 200);
  }
  const minimal = { json: { thing_text: 'z' }, headers: { prefer: 'return=minimal' } };
  assert.is((await call('PATCH', `${base}/update/${id}`, minimal)).status, 204);
  const json = { thing_name: 'Once', ...toOwner(access) };
  const once = { json, headers: { 'idempotency-key': `${access}-1` } };
  assert.is((await call('POST', `${base}/create`, once)).status, 201);
  assert.is((await call('POST', `${base}/create`, once)).headers.get('idempotency-replayed'), 'true');
  assert.is((await call('POST', `${base}/create`, { ...once, json: { ...json, thing_text: 'x' } })).status, 422);
  await call('POST', `${base}/create`, { json, headers: minimal.headers });
  assert.is((await call('DELETE', `${base}/remove/${id}`)).status, 200);
  assert.is((await call('POST', `${base}/restore/${id}`)).status, 200);
  assert.is((await call('DELETE', `${base}/remove/99999`)).status, 404);
}

async function link(access: Access): Promise<void> {
  const base = `/rest/${access}/thing`;
  const id = idOf(await create(access));
  // Children come in the body, where calls of the access write them.
  if (access === 'public') await create(access, { part: [{ part_title: 'child', profile_id: 1 }] });
  const part = await call('POST', '/rest/public/part/create', { json: { part_title: 'p', profile_id: 1 } });
  const label = await call('POST', '/rest/public/label/create', { json: { label_title: 'l' } });
  const cover = await call('POST', '/rest/public/cover/create', { json: { cover_title: 'c' } });
  for (const [word, other] of [
    ['part', idOf(part, 'part_id')],
    ['label', idOf(label, 'label_id')],
    ['twin', idOf(await create(access))],
    ...(access === 'user' ? [] : [['cover', idOf(cover, 'cover_id')]]),
  ] as const) {
    assert.is((await call('PUT', `${base}/link/${id}/${word}/${other}`)).status, 200, String(word));
    await call('GET', `${base}/detail/${id}`);
    await call('GET', `${base}/search?expand=${word}`);
    await call('DELETE', `${base}/unlink/${id}/${word}/${other}`);
    await call('PUT', `${base}/link/${id}/${word}/99999`);
  }
}

async function batch(access: Access): Promise<void> {
  const path = `/rest/${access}/thing/batch`;
  const owner = toOwner(access);
  const id = idOf(await create(access));
  const whole = [
    { action: 'create', values: { thing_name: 'Batch', ...owner } },
    { action: 'update', id, values: { thing_number: 8 } },
    { action: 'remove', id },
    { action: 'restore', id },
  ];
  for (const [status, operations] of [
    [200, whole],
    [422, [{ action: 'create', values: { thing_name: '', ...owner } }]],
    [400, [{ action: 'x' }]],
    [400, [{ action: 'update', id, values: { thing_nam: 1 } }]],
    [404, [{ action: 'remove', id: 99999 }]],
  ] as const) {
    const got = await call('POST', path, { json: { operations } });
    assert.is(got.status, status, JSON.stringify(got.body));
  }
}

async function batchOfCalls(access: Access): Promise<void> {
  const owner = toOwner(access);
  const thing = (more: object = {}) => ({
    id: 'a',
    call: `${access}-thing-create`,
    body: { thing_name: 'Batch', ...owner, ...more },
  });
  const change = {
    call: `${access}-thing-update`,
    path: { thing_id: { $ref: 'a.thing_id' } },
    body: { thing_number: 8 },
  };
  for (const [status, json] of [
    [200, [thing(), change]],
    [200, [thing(), { ...change, call: `${access}-thing-remove`, body: undefined }]],
    [422, [thing({ thing_name: '' })]],
    [400, [{ call: 'x' }]],
    [404, [{ ...change, path: { thing_id: 99999 } }]],
    [412, [thing(), { ...change, ifMatch: '"other"' }]],
  ] as const) {
    const got = await call('POST', `/rest/${access}/batch`, { json });
    assert.is(got.status, status, JSON.stringify(got.body));
  }
  const form = { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  assert.is((await call('POST', `/rest/${access}/batch`, form)).status, 415);
}

for (const access of ['public', 'app', 'user'] as const) {
  test(`${access}: reads, with all kinds of values`, () => read(access));
  test(`${access}: changes`, () => change(access));
  test(`${access}: links and unlinks`, () => link(access));
  test(`${access}: batches`, () => batch(access));
  test(`${access}: batches of calls`, () => batchOfCalls(access));

  test(`${access}: every way to fail`, async () => {
    const base = `/rest/${access}/thing`;
    const owner = access === 'user' ? {} : { profile_id: 1 };
    const make = { thing_name: 'Fails', ...owner };
    const made = await call('POST', `${base}/create`, { json: { ...make, thing_sku: `${access}-taken` } });
    const id = idOf(made);
    const wanted: readonly (readonly [number, string, string, Sent])[] = [
      [400, 'POST', 'create', { json: { ...make, thing_nam: 'x' } }],
      [400, 'POST', 'create', { json: [] }],
      [400, 'POST', 'create', { body: '{', headers: { 'content-type': 'application/json' } }],
      [400, 'GET', 'search?limt=1', {}],
      [400, 'GET', 'search?limit=0', {}],
      [400, 'GET', 'search?filter[nothing]=1', {}],
      [400, 'GET', 'search?after=x', {}],
      [404, 'GET', 'detail/99999', {}],
      [404, 'PATCH', 'update/99999', { json: { thing_text: 'x' } }],
      [406, 'GET', 'search', { headers: { accept: 'text/html' } }],
      [409, 'POST', 'create', { json: { ...make, thing_sku: `${access}-taken` } }],
      [412, 'PATCH', `update/${id}`, { json: { thing_text: 'x' }, headers: { 'if-match': '"other"' } }],
      [412, 'DELETE', `remove/${id}`, { headers: { 'if-match': '"other"' } }],
      [415, 'POST', 'create', { body: 'x', headers: { 'content-type': 'text/plain' } }],
      [415, 'PATCH', `update/${id}`, { body: new URLSearchParams({ thing_text: 'x' }) }],
      [422, 'POST', 'create', { json: { ...make, thing_name: '' } }],
      [
        422,
        'POST',
        'create',
        { json: { ...make, thing_email: 'x', thing_fieldset: [{ from: 'x' }], thing_sku: 'x'.repeat(21) } },
      ],
      [422, 'PATCH', `update/${id}`, { json: { thing_name: null } }],
      [413, 'POST', 'create', { json: { ...make, thing_textarea: 'x'.repeat(2_000_000) } }],
    ];
    for (const [status, method, path, sent] of wanted) {
      const got = await call(method, `${base}/${path}`, sent);
      // The server decides which of the two statuses a taken value gets; the document has both.
      const allowed = status === 409 ? [409, 422] : [status];
      assert.ok(
        allowed.includes(got.status),
        `${method} ${path}: ${got.status}, not ${status}: ${JSON.stringify(got.body)}`,
      );
    }
    if (access === 'public') return;
    assert.is((await call('GET', `${base}/search`, { as: 'nobody' })).status, 401);
    assert.is(
      (await call('GET', `${base}/search`, { as: 'nobody', headers: { authorization: 'Bearer x' } })).status,
      401,
    );
    if (access === 'user') assert.is((await call('GET', `${base}/search`, { as: 'poor' })).status, 403);
    else assert.is((await call('POST', `${base}/batch`, { as: 'user', json: {} })).status, 403);
  });
}

test('doors of the query, hand-written calls, groups, a version that must be named', async () => {
  assert.is((await call('GET', `/rest/user/thing/search?access_token=${api.token}`, { as: 'nobody' })).status, 200);
  assert.is((await call('GET', `/rest/app/thing/search?client_id=${api.app.id}`, { as: 'nobody' })).status, 200);
  assert.is((await call('GET', '/rest/user/profile/detail')).status, 200);
  assert.is((await call('GET', '/rest/public/hello')).status, 200);
  assert.is((await call('POST', '/rest/user/hello')).status, 200);
  assert.is((await call('POST', '/rest/user/hello', { json: { fail: 1 } })).status, 422);
  const groups = await call('GET', '/rest/public/thing/count?group=thing_number&count=1&sum=thing_number');
  assert.is(groups.status, 200);
  assert.is((await call('GET', '/rest/public/thing/count')).status, 200);
  const made = await call('POST', '/rest/user/thing/create', { json: { thing_name: 'Mine' } });
  const path = `/rest/user/thing/revise/${idOf(made)}`;
  assert.is((await call('PATCH', path, { json: { thing_text: 'x' } })).status, 428);
  const tag = made.headers.get('etag') ?? '';
  assert.is((await call('PATCH', path, { json: { thing_text: 'x' }, headers: { 'if-match': tag } })).status, 200);
  assert.is((await call('PATCH', path, { json: { thing_text: 'y' }, headers: { 'if-match': tag } })).status, 412);
});

test('the upload calls, with each of their refusals', async () => {
  const toForm = (...files: readonly [text: string, name: string][]): FormData => {
    const form = new FormData();
    for (const [text, name] of files) form.append('file', new Blob([text]), name);
    return form;
  };
  for (const access of ['app', 'user']) {
    const path = `/rest/${access}/upload`;
    for (const [status, body, as] of [
      [201, toForm(['warp and weft', 'a.txt'])],
      [400, toForm(['x', 'a.txt'], ['y', 'b.txt'])],
      [401, toForm(['x', 'a.txt']), 'nobody'],
      [415, toForm(['<html>', 'a.txt'])],
      [415, 'x'],
      [422, toForm(['', 'a.txt'])],
      [422, toForm()],
    ] as const) {
      const got = await call('POST', path, { body, ...(as && { as }) });
      assert.is(got.status, status, `${path} ${JSON.stringify(got.body)}`);
    }
  }
});

test('every example fits, of every type that a field may have', () => {
  assert.equal(listExampleFaults(api.document), []);
});

test('what receivers are sent is what the document says', async () => {
  type Operation = { parameters: { name: string }[]; requestBody: { content: Record<string, unknown> } };
  const hooks = api.document.webhooks as Record<string, Record<string, Operation>>;
  const wanted = ['thing.created', 'thing.updated', 'thing.counted', 'thing.whole', 'thing.headed'];
  for (let waited = 0; wanted.some((type) => !events.has(type)) && waited < 400; waited += 1) await wait(50);
  for (const type of wanted) {
    const { headers, body } = events.get(type) ?? { headers: {}, body: undefined };
    const [media = ''] = Object.keys(hooks[type]?.post?.requestBody.content ?? {});
    assert.is(headers['content-type']?.split(';')[0], media, type);
    const place = ['webhooks', type, 'post', 'requestBody', 'content', media, 'schema'];
    assert.equal(checker.checkAt(place, body), [], type);
    for (const { name } of hooks[type]?.post?.parameters ?? []) assert.ok(headers[name], name);
  }
  const counted = events.get('thing.counted')?.body as { data: object } | undefined;
  assert.equal(Object.keys(counted?.data ?? {}).sort(), ['changed', 'original', 'thing_id', 'thing_number']);
});

test('none of these answers was other than described, and every call was among them', () => {
  assert.equal([...new Set(faults)].slice(0, 30), []);
  const paths = Object.values(api.document.paths as Record<string, Record<string, { operationId: string }>>);
  const all = paths.flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
  const unseen = all.filter((id) => !checker.seen.has(id) && !/article|comment|profile|cover/.test(id));
  assert.equal(unseen, []);
});

test.run();
