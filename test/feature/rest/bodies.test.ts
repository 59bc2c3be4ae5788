import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Client, type Sent } from '../../client.ts';
import { bearer, startWorld, TOKEN, type World } from './_server.ts';

const test = suite('rest: types and sizes of bodies');
const at: { world?: World } = {};
const world = (): World => at.world as World;

const call = (access: string, method: string, action: string) => ({
  title: `${access} ${action}`,
  access,
  method,
  path: `/${access}/paper/${action}${action === 'create' ? '' : '/:paper_id'}`,
  event: `system-model-${action}`,
  parameters: { schema: 'paper' },
});

const CODE = `
export default function controller(app) {
  app.rest({ access: 'public', method: 'post', path: '/public/raw' }, async (request, response) => {
    response.setResults({ post: request.getPost(), raw: String(request.getContent()) });
  });
  app.post('/page', async (request, response) => {
    response.setResults({ post: request.getPost(), me: request.getSession('me') ?? null });
  });
}
`;

test.before(async () => {
  at.world = await startWorld({
    settings: { server: { bodyBytes: 20_000, uploadBytes: 60_000 } },
    files: {
      'app/www/.treadle.ts': "import controller from './controller';\nexport default [controller];\n",
      'app/www/controller.ts': CODE,
      'config/schema/paper.json': {
        name: 'paper',
        singular: 'Paper',
        plural: 'Papers',
        fields: [
          { name: 'title', type: 'text' },
          { name: 'count', type: 'decimal', attributes: { step: '0.01' } },
          { name: 'file', type: 'file' },
        ],
      },
      'config/rest/paper-create.json': call('public', 'post', 'create'),
      'config/rest/paper-put.json': { ...call('public', 'put', 'update'), path: '/public/paper/put/:paper_id' },
      'config/rest/paper-patch.json': { ...call('public', 'patch', 'update'), path: '/public/paper/patch/:paper_id' },
    },
  });
  await world().send('POST', '/rest/public/paper/create', { paper_title: 'One' });
});
test.after(() => world().close());

const text = (body: string): Sent => ({
  method: 'POST',
  headers: { 'content-type': 'text/plain;charset=UTF-8' },
  body,
});
const NOTE = '/rest/public/note/create';

test('a text that is a JSON object is read as JSON, by each kind of write', async () => {
  const note = '{"note_title":"Text","profile_id":1}';
  for (const [path, sent] of [
    [NOTE, text(note)],
    [NOTE, text(`\ufeff ${note}`)],
    [
      '/rest/user/note/create',
      { ...text('{"note_title":"Text"}'), headers: { ...bearer, 'content-type': 'text/plain' } },
    ],
    ['/rest/public/paper/put/1', { ...text('{"paper_title":"Two"}'), method: 'PUT' }],
    ['/rest/public/paper/patch/1', { ...text('{"paper_title":"Three"}'), method: 'PATCH' }],
    ['/rest/public/paper/patch/1', { ...text('{}'), method: 'PATCH' }],
  ] as const) {
    const answer = await world().ask(path, sent);
    assert.ok(answer.status < 300, `${path} ${answer.text}`);
  }
});

test('the rules of JSON hold for such a text', async () => {
  for (const [body, status] of [
    ['{"note_titel":"x"}', 400],
    ['{"__proto__":{}}', 400],
    [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 400],
    ['{"note_title":12345678901234567890,"profile_id":1}', 400],
  ] as const)
    assert.is((await world().ask(NOTE, text(body))).status, status, body);
  const rounded = await world().ask('/rest/public/paper/create', text('{"paper_count":0.12345678901234567890}'));
  assert.is(rounded.status, 422, rounded.text);
});

test('any other text is 415, which names the types that are taken', async () => {
  for (const body of ['{"note_title":', '[]', '"x"', 'note_title=x', 'x', 'null']) {
    const answer = await world().ask(NOTE, text(body));
    assert.is(answer.status, 415, body);
    assert.is(
      answer.headers['accept-post'],
      'application/json, application/x-www-form-urlencoded, multipart/form-data',
    );
    assert.match(answer.json().message, 'multipart/form-data');
  }
  const patch = await world().ask('/rest/public/paper/patch/1', { ...text('x'), method: 'PATCH' });
  assert.is(patch.headers['accept-patch'], 'application/merge-patch+json, application/json, multipart/form-data');
  for (const type of ['text/html', 'text/json', 'application/xml', 'text/plainer'])
    assert.is((await world().ask(NOTE, { ...text('{}'), headers: { 'content-type': type } })).status, 415, type);
});

test('project code without a shape gets texts as they are, and pages do too: a form of another site can send them', async () => {
  const raw = await world().ask('/rest/public/raw', text('{"a":1}'));
  assert.equal(raw.json().results, { post: {}, raw: '{"a":1}' });
  for (const path of ['/page', '/auth/login', '/auth/signup']) {
    const foreign = { ...text('{"a":1}'), headers: { 'content-type': 'text/plain', origin: 'https://evil.example' } };
    assert.is((await world().ask(path, foreign)).status, 403, path);
  }
  const page = await world().ask('/page', text('{"a":1}'));
  assert.equal(page.json().results, { post: {}, me: null });
});

test('what a foreign form sends as a text reaches nothing that a cookie opens', async () => {
  const browser = new Client(world().url);
  await browser.signUp('Vera', 'vera@example.org');
  assert.match((await browser.get('/auth/account')).text, 'vera@example.org');
  const cookie = browser.cookie();
  const headers = { 'content-type': 'text/plain', origin: 'https://evil.example', cookie };
  for (const path of ['/rest/user/note/create', '/rest/public/app/note/create']) {
    const answer = await world().ask(path, { method: 'POST', headers, body: '{"note_title":"x","profile_id":1}' });
    assert.is(answer.status, 401, answer.text);
  }
  for (const path of ['/auth/account', '/auth/logout', '/language', '/page'])
    assert.is((await world().ask(path, { method: 'POST', headers, body: '{"a":1}' })).status, 403, path);
});

const BOUNDARY = 'form-edge';
const form = (parts: readonly (readonly [name: string, value: string, file?: string])[]): string =>
  `${parts
    .map(([name, value, file]) => {
      const named = file === undefined ? '' : `; filename="${file}"\r\nContent-Type: application/octet-stream`;
      return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${named}\r\n\r\n${value}\r\n`;
    })
    .join('')}--${BOUNDARY}--\r\n`;
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

test('POST, PUT and PATCH take a form with a file that is larger than a JSON body', async () => {
  const body = form([
    ['paper_title', 'Four'],
    ['paper_file', 'warp and weft '.repeat(3000), 'a.txt'],
  ]);
  for (const [method, path] of [
    ['POST', '/rest/public/paper/create'],
    ['PUT', '/rest/public/paper/put/1'],
    ['PATCH', '/rest/public/paper/patch/1'],
  ] as const) {
    const answer = await world().ask(path, { method, headers: FORM, body });
    assert.ok(answer.status < 300, `${method} ${answer.text}`);
    assert.match(answer.json().results.paper_file, /^\/upload\/.+\.txt$/);
    assert.is(answer.json().results.paper_title, 'Four');
    const large = form([['paper_file', 'x'.repeat(70_000), 'a.txt']]);
    assert.is((await world().ask(path, { method, headers: FORM, body: large })).status, 413, method);
    const json = { 'content-type': 'application/json' };
    const many = JSON.stringify({ paper_title: 'x'.repeat(30_000) });
    assert.is((await world().ask(path, { method, headers: json, body: many })).status, 413, method);
  }
});

test('a file for a column that takes none is refused, and not lost without a word', async () => {
  for (const [method, path] of [
    ['POST', '/rest/public/paper/create'],
    ['PATCH', '/rest/public/paper/patch/1'],
  ] as const) {
    const answer = await world().ask(path, { method, headers: FORM, body: form([['paper_title', 'x', 'x.txt']]) });
    assert.is(answer.status, 422, answer.text);
    assert.equal(answer.json().validation, { paper_title: '"paper_title" takes no file.' });
    assert.equal(answer.json().errors[0].pointer, '/paper_title');
  }
});

test('a form of a PATCH leaves the columns that it does not name', async () => {
  const made = await world().send('POST', '/rest/public/paper/create', { paper_title: 'Kept', paper_count: '1.50' });
  const { paper_id } = made.json().results;
  const path = `/rest/public/paper/patch/${paper_id}`;
  const answer = await world().ask(path, {
    method: 'PATCH',
    headers: FORM,
    body: form([['paper_file', 'x', 'x.txt']]),
  });
  assert.is(answer.json().results.paper_title, 'Kept');
  assert.is(answer.json().results.paper_count, '1.50');
  const coded = { method: 'PATCH', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b' };
  assert.is((await world().ask(path, coded)).status, 415);
});

/** Sends the head of a request that waits, and the body only if it is asked for. Gives all that came back. */
function wait(path: string, headers: Readonly<Record<string, string>>, body: string, method = 'POST'): Promise<string> {
  const { hostname, port } = new URL(world().url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const head = { host: 'localhost', expect: '100-continue', 'content-length': String(body.length), ...headers };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    let text = '';
    socket.on('data', (chunk) => {
      const isFirst = text === '';
      text += chunk;
      if (isFirst && text.startsWith('HTTP/1.1 100')) socket.write(body);
      // The whole head and the body, which all answers of this test have.
      const rest = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
      const [, length] = /content-length: (\d+)/i.exec(rest) ?? [];
      const start = rest.indexOf('\r\n\r\n');
      if (start >= 0 && length !== undefined && rest.length >= start + 4 + Number(length)) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

const json = { 'content-type': 'application/json' };
const BATCH = '[{"call":"user-note-create","body":{"note_title":"x"}}]';
const BODY = '{"note_title":"Waited","profile_id":1}';

/** Requests that wait with their body: whether it is asked for, and the status. */
const WAITING: readonly [
  name: string,
  path: string,
  headers: Record<string, string>,
  isAsked: boolean,
  status: number,
  body?: string,
  method?: string,
][] = [
  ['a body within the limit', NOTE, json, true, 201],
  ['a body above the limit', NOTE, json, false, 413, 'x'.repeat(20_001)],
  ['a form above the limit', '/rest/public/paper/create', FORM, false, 413, 'x'.repeat(60_001)],
  ['a form within the limit', '/rest/public/paper/create', FORM, true, 201, form([['paper_file', 'x', 'x.txt']])],
  ['a type that is not taken', NOTE, { 'content-type': 'application/xml' }, false, 415],
  ['no type', NOTE, {}, false, 415],
  [
    'a type that PATCH does not take',
    '/rest/public/paper/patch/1',
    { 'content-type': 'application/x-www-form-urlencoded' },
    false,
    415,
    'a=b',
    'PATCH',
  ],
  ['a compressed body', NOTE, { ...json, 'content-encoding': 'gzip' }, false, 415],
  ['a text, which may be JSON', NOTE, { 'content-type': 'text/plain' }, true, 201],
  ['a user call without a token', '/rest/user/note/create', json, false, 401],
  ['a user call with an unknown token', '/rest/user/note/create', { ...json, authorization: 'Bearer x' }, false, 401],
  ['a user call with its token', '/rest/user/note/create', { ...json, ...bearer }, true, 201, '{"note_title":"x"}'],
  [
    'a user call whose form may bring the token',
    '/rest/user/note/create',
    { 'content-type': 'application/x-www-form-urlencoded' },
    true,
    201,
    `access_token=${TOKEN}&note_title=x`,
  ],
  [
    'an app call with a wrong secret',
    '/rest/public/app/note/create',
    { ...json, authorization: 'Basic eDp5' },
    false,
    401,
  ],
  ['an app call whose body may bring the secret', '/rest/public/app/note/create', json, true, 401],
  ['a batch of a user with its token', '/rest/user/batch', { ...json, ...bearer }, true, 200, BATCH],
  ['a batch of a user with an unknown token', '/rest/user/batch', { ...json, authorization: 'Bearer x' }, false, 401],
  ['a batch whose type is not taken', '/rest/public/batch', { 'content-type': 'text/csv' }, false, 415],
  [
    'a batch in a text, which may be JSON',
    '/rest/user/batch',
    { 'content-type': 'text/plain', ...bearer },
    true,
    200,
    BATCH,
  ],
  ['a call that is not there', '/rest/public/nothing', json, true, 404],
  ['a method that is not there', '/rest/public/note/search', json, true, 405],
  ['a page', '/page', { 'content-type': 'application/x-www-form-urlencoded' }, true, 200, 'a=b'],
  [
    'a page of another site',
    '/page',
    { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    false,
    403,
    'a=b',
  ],
  ['no page', '/nowhere', json, false, 404],
];

for (const [name, path, headers, isAsked, status, body = BODY, method] of WAITING) {
  test(`Expect: 100-continue: ${name} is ${status}, ${isAsked ? 'and the body is asked for' : 'at once'}`, async () => {
    const came = await wait(path, headers, body, method);
    const [first, second] = [...came.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, code]) => Number(code));
    assert.equal([first, second], isAsked ? [100, status] : [status, undefined], came);
    if (!isAsked) assert.match(came, /^connection: close/im);
  });
}

test('Expect: 100-continue on a kept connection leaves the next request readable', async () => {
  const { hostname, port } = new URL(world().url);
  const came = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const head = (extra: string): string =>
      `POST ${NOTE} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n${extra}\r\n`;
    socket.write(head('Expect: 100-continue\r\n'));
    socket.once('data', () => socket.write(`${BODY}${head('Connection: close\r\n')}${BODY}`));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
  assert.equal(
    [...came.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code),
    ['100', '201', '201'],
  );
});

test.run();
