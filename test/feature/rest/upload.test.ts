import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { digest } from '../../../src/core/secret/secret.ts';
import { until } from '../../boot.ts';
import type { Answer, Sent } from '../../client.ts';
import { bearer, SECRET, startWorld, type World } from './_server.ts';

const test = suite('rest: the upload call');
const worlds: { open?: World; usual?: World } = {};
const world = (): World => worlds.open as World;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** The header of a PNG that claims 40,000 by 40,000 pixels. */
const HUGE = Buffer.from(PNG);
HUGE.writeUInt32BE(40_000, 16);
HUGE.writeUInt32BE(40_000, 20);

const call = (access: string, method: string, action: string, schema = 'paper') => ({
  title: `${access} ${action}`,
  access,
  method,
  path: `/${access}/${schema}/${action}${action === 'create' ? '' : `/:${schema}_id`}`,
  event: `system-model-${action}`,
  parameters: { schema },
  ...(access === 'user' && { own: false }),
});

const FILES = {
  'config/schema/paper.json': {
    name: 'paper',
    singular: 'Paper',
    plural: 'Papers',
    fields: [
      { name: 'file', type: 'file', attributes: { accept: '.txt, .pdf', 'data-max-bytes': 5000 } },
      { name: 'picture', type: 'image' },
      { name: 'all', type: 'filelist', attributes: { accept: '.txt, image/*' } },
    ],
  },
  'config/schema/letter.json': {
    name: 'letter',
    singular: 'Letter',
    plural: 'Letters',
    fields: [{ name: 'scan', type: 'file', attributes: { accept: '.csv' } }],
  },
  ...Object.fromEntries(
    ['public', 'app', 'user'].flatMap((access) =>
      [call(access, 'post', 'create'), call(access, 'patch', 'update')].map((rest) => [
        `config/rest/${access}-paper-${rest.event.split('-')[2]}.json`,
        rest,
      ]),
    ),
  ),
  'config/rest/user-letter-create.json': call('user', 'post', 'create', 'letter'),
  'config/scope/papers.json': {
    slug: 'papers',
    name: 'Papers',
    access: 'user',
    calls: ['user-paper-create', 'user-paper-update'],
  },
  'config/scope/letters.json': { slug: 'letters', name: 'Letters', access: 'user', calls: ['user-letter-create'] },
  'config/app/writer.json': {
    title: 'Writer',
    clientId: 'writer',
    secretHash: `sha256:${digest(SECRET)}`,
    redirectUris: ['https://writer.example/cb'],
    scopes: ['papers', 'letters', 'notes'],
  },
};

const SERVER = { server: { bodyBytes: 20_000, uploadBytes: 60_000 }, limits: { perMinute: 40 } };
test.before(async () => {
  worlds.open = await startWorld({ settings: { ...SERVER, upload: { public: true } }, files: FILES });
  worlds.usual = await startWorld({ settings: SERVER, files: FILES });
});
test.after(async () => {
  await worlds.open?.close();
  await worlds.usual?.close();
});

const EDGE = 'form-edge';
type Part = readonly [name: string, value: string | Buffer, file?: string];
function form(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(([name, value, file]) => {
    const named = file === undefined ? '' : `; filename="${file}"\r\nContent-Type: application/octet-stream`;
    return [`--${EDGE}\r\nContent-Disposition: form-data; name="${name}"${named}\r\n\r\n`, value, '\r\n'];
  });
  return Buffer.concat([...pieces, `--${EDGE}--\r\n`].map((piece) => Buffer.from(piece)));
}
const FORM = { 'content-type': `multipart/form-data; boundary=${EDGE}` };
const basic = { authorization: `Basic ${Buffer.from(`writer:${SECRET}`).toString('base64')}` };

const send = (access: string, parts: readonly Part[], headers = {}, at: World = world()): Promise<Answer> =>
  at.ask(`/rest/${access}/upload`, { method: 'POST', headers: { ...FORM, ...headers }, body: form(parts) });

/** A token of the app `writer` with these scopes. */
async function token(scopes: readonly string[]): Promise<{ authorization: string }> {
  const { kysely } = world().app.context.services.database;
  const { app_id } = await kysely
    .selectFrom('treadle_app')
    .select('app_id')
    .where('client_id', '=', 'writer')
    .executeTakeFirstOrThrow();
  const { auth_id } = await kysely
    .selectFrom('treadle_auth')
    .select('auth_id')
    .orderBy('auth_id')
    .executeTakeFirstOrThrow();
  const text = `tk_at_${scopes.join('_')}`;
  await kysely
    .insertInto('treadle_token')
    .values({
      token_hash: digest(text),
      kind: 'access',
      app_id,
      auth_id,
      profile_id: 1,
      scopes: JSON.stringify(scopes),
      created_at: 0,
      expires_at: 4_000_000_000,
    })
    .execute();
  return { authorization: `Bearer ${text}` };
}

const listStored = (): string[] => {
  try {
    return readdirSync(join(world().root, 'var/upload')).filter((name) => name !== '.treadle-folder');
  } catch {
    return [];
  }
};

test('a file is stored, and every kind of call takes its address', async () => {
  const papers = await token(['papers']);
  for (const [access, headers] of [
    ['public', {}],
    ['app', basic],
    ['user', papers],
  ] as const) {
    const answer = await send(access, [['anything', 'warp and weft', 'Zürich plan.txt']], headers);
    assert.is(answer.status, 201, answer.text);
    const { url, ...rest } = answer.json().results;
    assert.equal(rest, { name: 'Zürich plan.txt', type: 'text/plain', size: 13 });
    assert.match(url, /^\/upload\/[A-Za-z0-9_-]{22}\.txt$/);
    assert.is(answer.location, url);
    assert.is((await world().ask(url)).text, 'warp and weft');
    const made = await world().send(
      'POST',
      `/rest/${access}/paper/create`,
      { paper_file: url, paper_all: [url] },
      headers,
    );
    assert.is(made.status, 201, made.text);
    assert.is(made.json().results.paper_file, url);
  }
});

test('an upload is refused with its reason, and nothing is left of it', async () => {
  const before = listStored();
  const cases: readonly [name: string, parts: readonly Part[], status: number, code: string][] = [
    ['no file', [], 422, 'UPLOAD_NO_FILE'],
    ['an empty control', [['file', '', '']], 422, 'UPLOAD_NO_FILE'],
    ['an empty file', [['file', '', 'a.txt']], 422, 'UPLOAD_EMPTY'],
    [
      'two files',
      [
        ['a', 'x', 'a.txt'],
        ['b', 'y', 'b.txt'],
      ],
      400,
      'UPLOAD_SEVERAL_FILES',
    ],
    [
      'a field before the file',
      [
        ['title', 'x'],
        ['file', 'y', 'b.txt'],
      ],
      400,
      'UPLOAD_FIELD',
    ],
    [
      'a field after the file',
      [
        ['file', 'y', 'b.txt'],
        ['title', 'x'],
      ],
      400,
      'UPLOAD_FIELD',
    ],
    ['a type that no field takes', [['file', '<html><script>x</script>', 'a.txt']], 415, 'UPLOAD_TYPE'],
    ['unknown bytes', [['file', Buffer.from([0, 1, 2, 3, 255]), 'a.txt']], 415, 'UPLOAD_TYPE'],
    ['a text that is not UTF-8', [['file', Buffer.from([0x61, 0xe4, 0x62]), 'a.txt']], 415, 'UPLOAD_TYPE'],
    ['a picture of too many pixels', [['file', HUGE, 'a.png']], 422, 'UPLOAD_PIXELS'],
    ['too large a form', [['file', 'x'.repeat(60_001), 'a.txt']], 413, 'REQUEST_BODY_TOO_LARGE'],
  ];
  for (const [name, parts, status, code] of cases) {
    const answer = await send('public', parts);
    assert.is(answer.status, status, `${name}: ${answer.text}`);
    assert.is(answer.json().code, code, name);
    assert.equal(listStored(), before, name);
  }
  for (const [type, status, code] of [
    ['application/json', 415, 'UPLOAD_NOT_A_FORM'],
    ['text/plain', 415, 'UPLOAD_NOT_A_FORM'],
    ['multipart/form-data', 400, 'REQUEST_MULTIPART_BROKEN'],
  ] as const) {
    const sent: Sent = { method: 'POST', headers: { 'content-type': type }, body: '{}' };
    const answer = await world().ask('/rest/public/upload', sent);
    assert.equal([answer.status, answer.json().code], [status, code], type);
    if (code === 'UPLOAD_NOT_A_FORM') assert.is(answer.headers['accept-post'], 'multipart/form-data');
  }
  const cut = form([['file', 'x'.repeat(5000), 'a.txt']]).subarray(0, 3000);
  const broken = await world().ask('/rest/public/upload', { method: 'POST', headers: FORM, body: cut });
  assert.is(broken.status, 400);
  assert.equal(listStored(), before);
});

test('the largest file that some field takes passes; the field that takes less refuses its address', async () => {
  const long = await send('public', [['file', 'x'.repeat(6000), 'a.txt']]);
  assert.is(long.status, 201, long.text);
  const { url } = long.json().results;
  const refused = await world().send('POST', '/rest/public/paper/create', { paper_file: url });
  assert.is(refused.status, 422);
  assert.match(refused.json().validation.paper_file, /6000 bytes; at most 5000/);
  const typed = await world().send('POST', '/rest/public/paper/create', { paper_picture: url });
  assert.match(typed.json().validation.paper_picture, /a file of type txt; it must be one of/);
  assert.is((await world().send('POST', '/rest/public/paper/create', { paper_all: [url] })).status, 201);
  const gone = await world().send('POST', '/rest/public/paper/create', {
    paper_file: '/upload/AAAAAAAAAAAAAAAAAAAAAA.txt',
  });
  assert.match(gone.json().validation.paper_file, 'does not exist');
});

test('an address that a row has already stays, whatever its field takes today', async () => {
  const { files, database } = world().app.context.services;
  const url = await files.save(Buffer.from('a,b'), 'csv');
  const made = (await world().send('POST', '/rest/public/paper/create', {})).json().results;
  await database.kysely.updateTable('paper').set({ paper_file: url }).where('paper_id', '=', made.paper_id).execute();
  const path = `/rest/public/paper/update/${made.paper_id}`;
  assert.is((await world().send('PATCH', path, { paper_file: url })).status, 200);
  const other = await files.save(Buffer.from('a,b'), 'csv');
  assert.is((await world().send('PATCH', path, { paper_file: other })).status, 422);
});

test('the credentials are those of a writing call, and are judged before the body is read', async () => {
  const notes = await token(['notes']);
  const letters = await token(['letters']);
  const text: Part = ['file', 'x', 'a.txt'];
  for (const [access, headers, status] of [
    ['user', {}, 401],
    ['user', { authorization: 'Bearer x' }, 401],
    ['user', notes, 403],
    ['user', basic, 401],
    ['app', {}, 401],
    ['app', { authorization: `Basic ${Buffer.from('writer:wrong').toString('base64')}` }, 401],
  ] as const) {
    const answer = await send(access, [text], headers);
    assert.is(answer.status, status, `${access} ${JSON.stringify(headers)} ${answer.text}`);
    assert.is(answer.headers.connection, 'close');
    if (status === 403) assert.match(String(answer.headers['www-authenticate']), /scope="letters papers"/);
  }
  // Only what the scopes write is taken.
  assert.is((await send('user', [text], letters)).json().code, 'UPLOAD_TYPE');
  assert.is((await send('user', [['file', 'a,b', 'a.csv']], letters)).json().results.type, 'text/csv');
});

test('without the setting there is no public upload, and without a field for files none at all', async () => {
  const closed = await send('public', [['file', 'x', 'a.txt']], {}, worlds.usual);
  assert.is(closed.status, 404);
  assert.is(closed.headers['access-control-allow-origin'], '*');
  const bare = await startWorld({ settings: { upload: { public: true } } });
  for (const access of ['public', 'app', 'user'])
    assert.is((await bare.ask(`/rest/${access}/upload`, { method: 'POST', headers: bearer })).status, 404, access);
  await bare.close();
});

test('another method is 405, and the preflight tells what may be sent', async () => {
  const get = await world().ask('/rest/user/upload');
  assert.equal([get.status, get.headers.allow], [405, 'OPTIONS, POST']);
  const headers = { origin: 'https://foreign.example', 'access-control-request-method': 'POST' };
  const open = await world().ask('/rest/public/upload', { method: 'OPTIONS', headers });
  assert.equal([open.status, open.headers['access-control-allow-origin']], [204, '*']);
  assert.is(open.headers['accept-post'], 'multipart/form-data');
  const user = await world().ask('/rest/user/upload', { method: 'OPTIONS', headers });
  assert.is(user.headers['access-control-allow-origin'], undefined);
});

test('uploads count as requests of their token', async () => {
  const papers = await token(['papers', 'notes']);
  const answers: number[] = [];
  for (let count = 0; count < 42; count += 1)
    answers.push((await send('user', [['file', 'x', 'a.txt']], papers)).status);
  assert.ok(answers.filter((status) => status === 201).length <= 40, 'with those of other tests');
  assert.is(answers.at(-1), 429);
});

/** Opens a connection and sends what is given; gives what came back once it ends, or once `end` says so. */
function open(head: readonly string[]): { write(bytes: string | Buffer): void; text(): string; end(): void } {
  const { hostname, port } = new URL(world().url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { write: (bytes) => void socket.write(bytes), text: () => text, end: () => void socket.destroy() };
}

const HEAD = ['POST /rest/public/upload HTTP/1.1', 'Host: localhost', `Content-Type: ${FORM['content-type']}`];

test('a client that goes away leaves nothing behind; before, its file is on disk as it arrives', async () => {
  const before = listStored();
  const client = open([...HEAD, 'Content-Length: 50000']);
  client.write(form([['file', 'x'.repeat(40_000), 'a.txt']]).subarray(0, 30_000));
  await until(() => (listStored().length > before.length ? true : undefined));
  const [draft] = listStored().filter((name) => !before.includes(name));
  assert.match(String(draft), /^\..+\.tmp$/);
  client.end();
  await until(() => (listStored().length === before.length ? true : undefined));
});

test('a chunked form above the limit is 413 as soon as it is above it, and leaves nothing behind', async () => {
  const before = listStored();
  const client = open([...HEAD, 'Transfer-Encoding: chunked']);
  const bytes = form([['file', 'x'.repeat(200_000), 'a.txt']]).subarray(0, 70_000);
  client.write(`${bytes.length.toString(16)}\r\n`);
  client.write(bytes);
  const text = await until(() => (client.text().includes('\r\n\r\n') ? client.text() : undefined));
  assert.match(text, /^HTTP\/1\.1 413/);
  client.end();
  await until(() => (listStored().length === before.length ? true : undefined));
});

test('a client that waits is asked for the body only if it can be taken', async () => {
  for (const [path, headers, first] of [
    ['/rest/public/upload', ['Content-Length: 50000'], 100],
    ['/rest/public/upload', ['Content-Length: 70000'], 413],
    ['/rest/user/upload', ['Content-Length: 50000'], 401],
  ] as const) {
    const [, ...head] = HEAD;
    const client = open([`POST ${path} HTTP/1.1`, ...head, 'Expect: 100-continue', ...headers]);
    const text = await until(() => (client.text().includes('\r\n\r\n') ? client.text() : undefined));
    assert.match(text, new RegExp(`^HTTP/1\\.1 ${first}`), path);
    client.end();
  }
});

test('the clean-up keeps an upload that is young or used, and removes one that nobody used in time', async () => {
  const url = async (): Promise<string> => (await send('public', [['file', 'x', 'a.txt']])).json().results.url;
  const [used, unused] = [await url(), await url()];
  await world().send('POST', '/rest/public/paper/create', { paper_file: used });
  await world().app.emit('system-upload-clean', {});
  assert.is((await world().ask(unused)).status, 200, 'younger than a day');
  await new Promise((resolve) => setTimeout(resolve, 20));
  await world().app.emit('system-upload-clean', { older_seconds: 0 });
  assert.is((await world().ask(unused)).status, 404);
  assert.is((await world().ask(used)).status, 200);
});

test('a project that hears the route gets the form, and the call answers all the same', async () => {
  const heard = await startWorld({
    settings: { ...SERVER, upload: { public: true } },
    files: {
      ...FILES,
      'app/www/.treadle.ts': "import controller from './controller';\nexport default [controller];\n",
      'app/www/controller.ts':
        "export default function controller(app) {\n  app.on('POST /rest/**', async (request, response) => { response.addHeader('x-heard', Object.keys(request.getFiles()).join()); });\n}\n",
    },
  });
  const answer = await send('public', [['paper', 'x', 'a.txt']], {}, heard);
  assert.equal([answer.status, answer.headers['x-heard']], [201, 'paper'], answer.text);
  assert.is(
    (
      await send(
        'public',
        [
          ['a', 'x', 'a.txt'],
          ['b', 'y', 'b.txt'],
        ],
        {},
        heard,
      )
    ).status,
    422,
  );
  await heard.close();
});

test.run();
