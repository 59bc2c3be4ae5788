import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request as sendRaw } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { asSystem } from '../../src/core/access.ts';
import { Request } from '../../src/core/request/request.ts';
import { Response } from '../../src/core/request/response.ts';
import { boot, type Site } from '../boot.ts';
import type { Project } from '../project.ts';

const test = suite('fields over HTTP');

type Json = Record<string, unknown>;
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const SECRET = 'correct-horse-battery';

const THING = {
  name: 'thing',
  singular: 'Thing',
  plural: 'Things',
  fields: [
    {
      name: 'code',
      type: 'text',
      validation: [{ method: 'unique', message: 'Somebody has this code' }],
      filterable: true,
    },
    { name: 'pin', type: 'password' },
    { name: 'cover', type: 'image' },
    { name: 'papers', type: 'filelist', attributes: { accept: '.pdf,.txt,.svg', 'data-max-bytes': 100_000 } },
    { name: 'lines', type: 'fieldset', fieldset: 'line', multiple: true },
    { name: 'place', type: 'fieldset', fieldset: 'place' },
    { name: 'text', type: 'textarea', searchable: true },
    { name: 'total', type: 'none', list: { format: 'custom', parameters: ['{{thing_code}} {{thing_pin}}'] } },
    { name: 'active', type: 'active' },
    { name: 'updated', type: 'updated' },
  ],
};
const LINE = {
  name: 'line',
  singular: 'Line',
  plural: 'Lines',
  fields: [
    { name: 'name', type: 'text', validation: [{ method: 'required', message: 'A line needs a name' }] },
    { name: 'price', type: 'price', validation: [{ method: 'gte', parameters: 0 }] },
    { name: 'photo', type: 'image' },
    { name: 'note', type: 'wysiwyg' },
    { name: 'place', type: 'fieldset', fieldset: 'place' },
  ],
};
const PLACE = {
  name: 'place',
  singular: 'Place',
  plural: 'Places',
  fields: [
    { name: 'street', type: 'text', required: true },
    { name: 'from', type: 'date' },
    { name: 'to', type: 'date', validation: [{ method: 'column_gte', parameters: 'from' }] },
  ],
};

const METHODS = { search: 'get', detail: 'get', create: 'post', update: 'put', remove: 'delete' } as const;

function prepare(project: Project): void {
  project.write('config/schema/thing.json', THING);
  project.write('config/fieldset/line.json', LINE);
  project.write('config/fieldset/place.json', PLACE);
  for (const [action, method] of Object.entries(METHODS)) {
    const id = action === 'search' || action === 'create' ? '' : '/:thing_id';
    project.write(`config/rest/public-thing-${action}.json`, {
      title: `Things: ${action}`,
      access: 'public',
      method,
      path: `/public/thing/${action}${id}`,
      event: `system-model-${action}`,
      parameters: { schema: 'thing' },
    });
  }
}

let site: Site;
test.before(async () => {
  site = await boot({
    settings: { api: true },
    change: prepare,
    env: { TREADLE_SECRET: 'a secret of the tests, of enough characters' },
  });
});
test.after(() => site.close());

interface Answer {
  readonly status: number;
  readonly body: { readonly results: Json; readonly validation: Json; readonly message: string };
}

async function send(method: string, path: string, body?: Json | FormData): Promise<Answer> {
  const init: RequestInit = { method };
  if (body instanceof FormData) init.body = body;
  else if (body) Object.assign(init, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  const answer = await fetch(`${site.url}/rest/public/thing/${path}`, init);
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

const file = (bytes: Uint8Array | string, name: string, type = 'image/png'): File =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type });
function toForm(parts: readonly (readonly [string, string | File])[]): FormData {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return form;
}
const folder = (): string[] => {
  const path = join(site.root, 'var/upload');
  return existsSync(path) ? readdirSync(path) : [];
};

test('a form with files: stored by what they are, under names nobody can guess, in columns, lists and groups', async () => {
  const created = await send(
    'POST',
    'create',
    toForm([
      ['thing_cover', file(PIXEL, '../../../evil.html', 'text/html')],
      ['thing_papers[]', '/images/old.pdf'],
      ['thing_papers[]', file('Some text', 'notes.txt', 'text/plain')],
      ['thing_papers[]', file(SVG, 'x.txt', 'text/plain')],
      ['thing_lines[0][name]', 'Tea'],
      ['thing_lines[0][photo]', file(PIXEL, 'a.png')],
      ['thing_lines[2][name]', 'Oil'],
      ['thing_lines[2][price]', '2.50'],
      ['thing_lines[2][note]', '<b onclick="x()">b</b>'],
      ['thing_place[street]', 'Road 1'],
      ['thing_place[from]', '2026-01-31T10:00'],
    ]),
  );
  assert.is(created.status, 201, JSON.stringify(created.body));
  const { thing_cover, thing_papers, thing_lines, thing_place } = created.body.results as {
    thing_cover: string;
    thing_papers: string[];
    thing_lines: Json[];
    thing_place: Json;
  };
  assert.match(thing_cover, /^\/upload\/[A-Za-z0-9_-]{22}\.png$/);
  assert.is(thing_papers[0], '/images/old.pdf');
  assert.match(String(thing_papers[1]), /\.txt$/);
  assert.match(String(thing_papers[2]), /\.svg$/, 'by its bytes, not by its name');
  assert.is(thing_lines.length, 2);
  assert.match(String(thing_lines[0]?.photo), /^\/upload\/.{22}\.png$/);
  assert.equal(thing_lines[1], { name: 'Oil', price: 2.5, photo: null, note: '<b>b</b>', place: null });
  assert.equal(thing_place, { street: 'Road 1', from: '2026-01-31', to: null });
  assert.is(folder().length, 4);
});

test('faults are told by path, and nothing of a refused row is left on the disk', async () => {
  const before = folder().length;
  const refused = await send(
    'POST',
    'create',
    toForm([
      ['thing_cover', file(PIXEL, 'a.png')],
      ['thing_lines[0][price]', '-1'],
      ['thing_lines[1][name]', 'Tea'],
      ['thing_lines[1][place][from]', '2026-02-01'],
      ['thing_lines[1][place][to]', '2026-01-01'],
      ['thing_place[to]', 'soon'],
    ]),
  );
  assert.is(refused.status, 422);
  assert.equal(refused.body.validation, {
    thing_lines: {
      '0': { name: 'A line needs a name', price: 'Price must be at least 0' },
      '1': { place: { street: 'Street is required', to: 'To must be at least from' } },
    },
    thing_place: { street: 'Street is required', to: 'To must be a date such as 2026-01-31' },
  });
  assert.is(
    refused.body.message,
    '6 fields are not valid: thing_lines[0].name, thing_lines[0].price, thing_lines[1].place.street, thing_lines[1].place.to, thing_place.street, thing_place.to.',
  );
  const forged = await send(
    'POST',
    'create',
    toForm([
      ['thing_cover', file(PIXEL, 'a.png')],
      ['thing_lines[3][name]', 'Tea'],
      ['thing_lines[3][photo]', file('<html>', 'a.png')],
    ]),
  );
  assert.is(forged.status, 422);
  assert.match(
    JSON.stringify(forged.body.validation),
    /^\{"thing_lines":\{"3":\{"photo":"Photo is a file of type html; it must be one of jpg/,
  );
  const unknown = await send('POST', 'create', {
    thing_place: { street: 'a', colour: 'red' },
    thing_lines: [{ name: 'a', b: 1 }],
  });
  assert.is(unknown.status, 400);
  assert.match(JSON.stringify(unknown.body.validation), '"thing_place":{"colour":');
  assert.match(JSON.stringify(unknown.body.validation), '"thing_lines":{"0":{"b":');
  const stray = await send('POST', 'create', toForm([['thing_other', file(PIXEL, 'a.png')]]));
  assert.is(stray.status, 400);
  assert.is(folder().length, before);
});

test('a size is held, by file and by form; a picture of many pixels is refused', async () => {
  const before = folder().length;
  const big = await send(
    'POST',
    'create',
    toForm([['thing_papers[]', file('x'.repeat(100_001), 'a.txt', 'text/plain')]]),
  );
  assert.match(String(big.body.validation.thing_papers), '100001 bytes; at most 100000');
  const huge = await fetch(`${site.url}/rest/public/thing/create`, {
    method: 'POST',
    body: toForm([['thing_papers[]', file('x'.repeat(11_000_000), 'a.txt', 'text/plain')]]),
  }).then(
    ({ status }) => status,
    () => 413,
  );
  assert.is(huge, 413);
  const bomb = Buffer.from(PIXEL);
  bomb.writeUInt32BE(60_000, 16);
  bomb.writeUInt32BE(60_000, 20);
  const data = `data:image/png;base64,${bomb.toString('base64')}`;
  const refused = await send('POST', 'create', { thing_cover: data });
  assert.is(
    refused.body.validation.thing_cover,
    'Cover is a picture of 60000 × 60000 pixels; at most 50000000 are taken',
  );
  assert.is(folder().length, before);
});

interface Served {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Requests the path unchanged, without normalization. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Served> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(site.url);
    const request = sendRaw({ hostname, port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

test('files are served so that nothing in them runs, whole or in parts', async () => {
  const made = await send('POST', 'create', {
    thing_cover: `data:image/png;base64,${PIXEL.toString('base64')}`,
    thing_papers: [`data:image/svg+xml;base64,${Buffer.from(SVG).toString('base64')}`],
  });
  const { thing_cover: cover, thing_papers } = made.body.results as { thing_cover: string; thing_papers: string[] };
  const whole = await ask(cover);
  assert.is(whole.status, 200);
  assert.equal(whole.body, PIXEL);
  assert.is(whole.headers['content-type'], 'image/png');
  assert.is(whole.headers['x-content-type-options'], 'nosniff');
  assert.is(whole.headers['content-disposition'], 'inline');
  assert.match(String(whole.headers['content-security-policy']), /^sandbox;/);
  assert.match(String(whole.headers['cache-control']), 'immutable');
  const tag = String(whole.headers.etag);
  const [svg = ''] = thing_papers;
  const picture = await ask(svg);
  assert.is(picture.headers['content-disposition'], 'attachment');
  assert.match(String(picture.headers['content-security-policy']), /^sandbox;/);

  const cases: [Record<string, string>, string, number, string, string | undefined][] = [
    [{}, 'HEAD', 200, '', undefined],
    [{ 'if-none-match': tag }, 'GET', 304, '', undefined],
    [{ 'if-none-match': '"other"' }, 'GET', 200, PIXEL.toString('hex'), undefined],
    [{ range: 'bytes=0-3' }, 'GET', 206, PIXEL.subarray(0, 4).toString('hex'), `bytes 0-3/${PIXEL.length}`],
    [
      { range: 'bytes=-4' },
      'GET',
      206,
      PIXEL.subarray(-4).toString('hex'),
      `bytes ${PIXEL.length - 4}-${PIXEL.length - 1}/${PIXEL.length}`,
    ],
    [
      { range: 'bytes=4-' },
      'GET',
      206,
      PIXEL.subarray(4).toString('hex'),
      `bytes 4-${PIXEL.length - 1}/${PIXEL.length}`,
    ],
    [{ range: 'bytes=9999-' }, 'GET', 416, '', `bytes */${PIXEL.length}`],
    [{ range: 'bytes=5-1' }, 'GET', 200, PIXEL.toString('hex'), undefined],
    [{ range: 'bytes=0-1,3-4' }, 'GET', 200, PIXEL.toString('hex'), undefined],
    [{ range: 'bytes=0-3', 'if-range': '"other"' }, 'GET', 200, PIXEL.toString('hex'), undefined],
    [
      { range: 'bytes=0-3', 'if-range': tag },
      'GET',
      206,
      PIXEL.subarray(0, 4).toString('hex'),
      `bytes 0-3/${PIXEL.length}`,
    ],
  ];
  for (const [headers, method, status, body, range] of cases) {
    const answer = await ask(cover, headers, method);
    const what = `${method} ${JSON.stringify(headers)}`;
    assert.is(answer.status, status, what);
    assert.is(answer.body.toString('hex'), body, what);
    assert.is(answer.headers['content-range'], range, what);
  }
});

test('only the exact path of an upload opens its file', async () => {
  const made = await send('POST', 'create', { thing_cover: `data:image/png;base64,${PIXEL.toString('base64')}` });
  const cover = String(made.body.results.thing_cover);
  site.project.write('var/upload/secret.txt', 'secret');
  for (const path of [
    '/upload/',
    '/upload/secret.txt',
    '/upload/../../.env',
    '/upload/..%2f..%2f.env',
    '/upload/%2e%2e/app.db',
    `/upload/${'A'.repeat(22)}.png`,
    `${cover}%00.html`,
    cover.replace('/upload/', '/upload//'),
    cover.replace('/upload/', '/upload/./').replace('./', '%2e/'),
  ]) {
    const { status, body } = await ask(path);
    assert.is(status, 404, path);
    assert.not.match(body.toString(), 'TREADLE_SECRET');
  }
});

test('files go where the write around them is undone, and `upload clean` takes those that nothing names', async () => {
  const { app } = site;
  const before = folder().length;
  const stage = { schema: 'thing', thing_cover: `data:image/png;base64,${PIXEL.toString('base64')}` };
  await app.services.database
    .transaction(async () => {
      const request = new Request().setStage(stage);
      const response = new Response(request);
      await asSystem(() => app.context.emit('system-model-create', request, response));
      assert.is(response.isError(), false);
      assert.is(folder().length, before + 1);
      throw new Error('no');
    })
    .catch(() => {});
  assert.is(folder().length, before, 'taken away with the row');

  const made = await app.emit('system-model-create', stage);
  const id = made.getResults('thing_id');
  const first = String(made.getResults('thing_cover'));
  await app.emit('system-model-update', { ...stage, thing_id: id });
  const text = await app.emit('system-model-create', { schema: 'thing', thing_text: `See ${first}.` });
  const spared = await app.emit('system-upload-clean', { dry_run: true, older_seconds: 0 });
  assert.is(spared.getResults('total'), 0, 'a text names it still');
  await app.emit('system-model-update', {
    schema: 'thing',
    thing_id: text.getResults('thing_id'),
    thing_text: 'no more',
  });
  await app.emit('system-model-remove', { schema: 'thing', thing_id: id });
  const told = await app.emit('system-upload-clean', { dry_run: true, older_seconds: 0 });
  assert.equal(told.getResults('rows'), [{ address: first, bytes: PIXEL.length }], 'a removed row may come back');
  assert.is((await app.emit('system-upload-clean', {})).getResults('total'), 0, 'what is younger than a day stays');
  await app.emit('system-upload-clean', { older_seconds: 0 });
  assert.not.ok(folder().includes(first.slice('/upload/'.length)));
});

test('50 creates of one unique value at once: one row, 49 answers with the field’s own message', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => send('POST', 'create', { thing_code: 'same', thing_text: 'x' })),
  );
  const made = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 409);
  assert.equal([made.length, refused.length], [1, 49]);
  for (const { body } of refused) assert.equal(body.validation, { thing_code: 'Somebody has this code' });
  const found = await send('GET', 'search?filter[thing_code]=same');
  assert.is((found.body.results.rows as Json[]).length, 1);
});

test('a password is in no answer: rows, originals, errors, docs, web hooks, exports, copies for listeners', async () => {
  const seen: string[] = [];
  const keep = async (answer: Promise<globalThis.Response>): Promise<void> =>
    void seen.push(await (await answer).text());
  const created = await send('POST', 'create', { thing_code: 'secret', thing_pin: SECRET });
  seen.push(JSON.stringify(created.body));
  const id = created.body.results.thing_id;
  seen.push(JSON.stringify(await send('PUT', `update/${id}`, { thing_pin: `${SECRET}2`, thing_text: 'y' })));
  seen.push(JSON.stringify(await send('PUT', `update/${id}`, { thing_pin: SECRET, thing_code: { a: 1 } })));
  seen.push(JSON.stringify(await send('GET', `detail/${id}`)));
  for (const query of [
    '',
    '?fields=thing_pin',
    '?filter[thing_pin]=x',
    '?sort=thing_pin',
    `?q=${SECRET}`,
    '?filter[thing_pin][starts]=$scrypt',
  ])
    seen.push(JSON.stringify(await send('GET', `search${query}`)));
  const updated = await site.app.emit('system-model-update', { schema: 'thing', thing_id: id, thing_text: 'z' });
  seen.push(JSON.stringify(updated.getResults()), JSON.stringify(updated.getResults('original')));
  await keep(fetch(`${site.url}/developer/docs/openapi.json`));
  await keep(fetch(`${site.url}/developer/docs/schemas`));
  seen.push((await site.cli('export', 'thing', '--out', join(site.root, 'things.ndjson'))).out);
  seen.push(readFileSync(join(site.root, 'things.ndjson'), 'utf8'));
  seen.push(JSON.stringify(await send('DELETE', `remove/${id}`)));
  const [row] = await site.app.services.database.kysely
    .selectFrom('thing')
    .selectAll()
    .where('thing_id', '=', Number(id))
    .execute();
  assert.match(String(row?.thing_pin), /^\$scrypt\$/, 'it is there');
  for (const text of seen) assert.not.match(text, new RegExp(`${SECRET}|\\$scrypt`), text.slice(0, 200));
});

test('text that a database cannot hold is refused in every place', async () => {
  for (const value of ['a\u0000b', 'a\ud83d']) {
    for (const [column, sent] of [
      ['thing_code', value],
      ['thing_text', value],
      ['thing_lines', [{ name: value }]],
      ['thing_place', { street: value }],
      ['thing_papers', [value]],
    ] as const) {
      const { status, body } = await send('POST', 'create', { [column]: sent });
      assert.is(status, 422, `${column} ${JSON.stringify(value)}`);
      assert.equal(Object.keys(body.validation), [column]);
    }
  }
});

test('the API’s own description knows groups and files', async () => {
  const answer = (await (await fetch(`${site.url}/developer/docs/openapi.json`)).json()) as {
    paths: Record<string, { post: { requestBody: object } }>;
    components: { schemas: Record<string, { properties: Json; description: string }> };
  };
  assert.match(JSON.stringify(answer.paths['/rest/public/thing/create']?.post.requestBody), '"x-treadle-files":true');
  const body = answer.components.schemas['public-thing-create-body'];
  assert.match(String(body?.description), /A file is sent first/);
  const lines = body?.properties.thing_lines as {
    items: { properties: { place: { anyOf: Json[] } }; required: string[] };
  };
  assert.equal(lines.items.required, ['name']);
  assert.ok(JSON.stringify(lines.items.properties.place).includes('street'));
});

test.run();
