import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFakeClock } from '../../clock.ts';
import { bearer, OTHER_TOKEN, results, SECRET, startWorld, TOKEN, type World } from './_server.ts';

const test = suite('rest: Idempotency-Key');
const at: { world?: World } = {};
const world = (): World => at.world as World;
const clock = createFakeClock(Date.UTC(2026, 0, 1, 12));
/** The project's own code: a call that counts, one that waits to be released, one that answers with a file. */
const CODE = `
export default function controller(app) {
  const seen = { created: 0, waiting: [] };
  app.on('system-model-create', (request, response) => {
    if (request.getStage('schema') !== 'note') return;
    seen.created += 1;
    if (request.getStage('note_text') === 'fail late') throw new Error('the disk is on fire');
    if (request.getStage('note_text') === 'one visit')
      response.addHeader('set-cookie', 'visit=1').addHeader('retry-after', '7').addHeader('x-own', 'kept');
  }, -1);
  app.on('count-created', (request, response) => { response.setError(false).setResults({ created: seen.created, waiting: seen.waiting.length }); });
  app.on('let-go', () => { for (const go of seen.waiting.splice(0)) go(); });
  app.rest({ access: 'public', method: 'post', path: '/public/slow' }, async (request, response) => {
    await new Promise((resolve) => seen.waiting.push(resolve));
    response.setResults({ done: true });
  });
  app.rest({ access: 'public', method: 'post', path: '/public/text' }, async (request, response) => {
    response.addHeader('content-type', 'text/csv').addHeader('x-own', 'kept').setStatus(202).setContent('a,b');
  });
  app.rest({ access: 'public', method: 'put', path: '/public/file' }, async (request, response) => {
    const { Readable } = await import('node:stream');
    response.setStream({ stream: Readable.from(['x']), bytes: 1 });
  });
}
`;
const files = {
  'app/www/.treadle.ts': "import controller from './controller';\nexport default [controller];\n",
  'app/www/controller.ts': CODE,
};
test.before(async () => {
  at.world = await startWorld({ files, settings: { server: { trustProxy: true } }, clock });
});
test.after(() => world().close());

const CREATE = '/rest/public/note/create';
const note = { note_title: 'Once', profile_id: 1 };
const created = async (): Promise<number> =>
  Number((await world().app.emit('count-created', {})).getResults('created'));
const post = (key: string, body: unknown = note, headers: Record<string, string> = {}, path = CREATE) =>
  world().send('POST', path, body, { 'idempotency-key': key, ...headers });

test('H11: a request that is sent again is answered as before: status, body, Location, ETag; nothing is done twice', async () => {
  const before = await world().count();
  const first = await post('again');
  assert.is(first.status, 201);
  assert.is(first.headers['idempotency-replayed'], undefined);
  for (const key of ['again', '"again"', ' again ']) {
    const again = await post(key);
    assert.is(again.status, 201);
    assert.is(again.text, first.text);
    assert.is(again.headers['idempotency-replayed'], 'true');
    for (const name of ['etag', 'location', 'content-type', 'cache-control', 'content-security-policy'])
      assert.is(again.headers[name], first.headers[name], name);
  }
  assert.is(await world().count(), before + 1);
  assert.match(String(first.headers.location), /\/rest\/public\/(?:kept|note\/detail)\/\d+/);
});

test('H11: another request with a known key is 422: other body, path, query or method', async () => {
  assert.is((await post('one')).status, 201);
  const before = await world().count();
  for (const answer of [
    await post('one', { ...note, note_title: 'Two' }),
    await post('one', note, {}, '/rest/public/slow'),
    await post('one', note, {}, `${CREATE}?x=1`),
    await world().send('PATCH', '/rest/public/note/update/1', note, { 'idempotency-key': 'one' }),
  ]) {
    assert.is(answer.status, 422);
    assert.match(JSON.parse(answer.text).detail, /Idempotency-Key/);
  }
  assert.is(await world().count(), before);
});

test('H11: what no key may be is 400; a read takes no notice of one', async () => {
  for (const key of ['', ' ', 'a b', 'ä', 'x'.repeat(256)]) {
    const answer = await post(key);
    assert.is(answer.status, 400, JSON.stringify(key));
  }
  assert.is((await post('y'.repeat(255))).status, 201);
  const search = '/rest/public/note/search';
  for (let round = 0; round < 2; round += 1) {
    const answer = await world().ask(search, { headers: { 'idempotency-key': 'read' } });
    assert.is(answer.status, 200);
    assert.is(answer.headers['idempotency-replayed'], undefined);
  }
});

test('H11: a refused request left nothing, so it may be mended and sent again with its key', async () => {
  const before = await world().count();
  assert.is((await post('mended', { profile_id: 1 })).status, 422);
  assert.is((await post('mended', { profile_id: 1 })).status, 422);
  const mended = await post('mended');
  assert.is(mended.status, 201);
  assert.is(mended.headers['idempotency-replayed'], undefined);
  assert.is(await world().count(), before + 1);
});

test('H11: a failure of the server left nothing, so the request runs again', async () => {
  const before = await world().count();
  const failing = { ...note, note_text: 'fail late' };
  for (let round = 0; round < 2; round += 1) assert.is((await post('failed', failing)).status, 500);
  const keys = await world()
    .app.services.database.kysely.selectFrom('treadle_idempotency')
    .select('key_hash')
    .where('status', '=', 0)
    .execute();
  assert.equal(keys, []);
  assert.is(await world().count(), before);
});

test("H11: a key without credentials is its network's own", async () => {
  const from = (address: string, title = 'Net') =>
    post('net', { ...note, note_title: title }, { 'x-forwarded-for': address });
  const ids = new Map<string, unknown>();
  for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8:0:1::1', '2001:db8:0:2::1']) {
    const first = await from(address);
    assert.equal([first.status, first.headers['idempotency-replayed']], [201, undefined], address);
    ids.set(address, results(first).note_id);
    assert.is((await from(address)).headers['idempotency-replayed'], 'true', address);
  }
  assert.is(new Set(ids.values()).size, 4);
  assert.is((await from('192.0.2.3', 'Another')).status, 201, 'nobody learns of a key by a body of his own');
  const near = await from('2001:db8:0:1:ffff::9');
  assert.equal([near.headers['idempotency-replayed'], results(near).note_id], ['true', ids.get('2001:db8:0:1::1')]);
});

test("H11: a key is its sender's own: anybody, an app, an app for a user", async () => {
  const secret = `client_id=reader&client_secret=${SECRET}`;
  const before = await world().count();
  const paths = [CREATE, `/rest/public/app/note/create?${secret}`, '/rest/user/note/create'];
  const body = { note_title: 'Mine' };
  for (const path of paths) {
    const sent = path.includes('/user/') ? body : { ...body, profile_id: 1 };
    const answer = await post('shared', sent, path.includes('/user/') ? bearer : {}, path);
    assert.is(answer.status, 201, `${path} ${answer.text}`);
    assert.is(answer.headers['idempotency-replayed'], undefined);
  }
  assert.is(await world().count(), before + 3);
  // The way a token is sent is not part of the request's fingerprint.
  const again = await world().ask('/rest/user/note/create', {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json', 'idempotency-key': 'shared' },
    body: JSON.stringify(body),
  });
  assert.is(again.headers['idempotency-replayed'], 'true');
});

test('H11: two users of one app may use the same key: each writes, and each gets its own answer again', async () => {
  const path = '/rest/user/note/create';
  const body = { note_title: 'The same words' };
  const before = await world().count();
  const send = (token: string) => post('of-two', body, { authorization: `Bearer ${token}` }, path);
  const made = new Map<string, string>();
  for (const [token, profile] of [
    [TOKEN, 1],
    [OTHER_TOKEN, 2],
  ] as const) {
    const answer = await send(token);
    assert.equal([answer.status, answer.headers['idempotency-replayed']], [201, undefined]);
    assert.is(results(answer).profile_id, profile);
    made.set(token, answer.text);
  }
  for (const [token, text] of made) {
    const again = await send(token);
    assert.equal([again.headers['idempotency-replayed'], again.text], ['true', text]);
  }
  assert.is(await world().count(), before + 2);
});

test('H11: what belongs to one request only is not replayed: cookies, waits', async () => {
  const body = { ...note, note_text: 'one visit' };
  const first = await post('a-visit', body);
  assert.equal([first.headers['set-cookie'], first.headers['retry-after']], [['visit=1'], '7']);
  const again = await post('a-visit', body);
  assert.is(again.headers['idempotency-replayed'], 'true');
  assert.equal([again.headers['set-cookie'], again.headers['retry-after']], [undefined, undefined]);
  assert.is(again.headers['x-own'], 'kept');
});

test('H11: compares forms by their fields, multipart ones without their boundary', async () => {
  const form = (boundary: string, title: string) => ({
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'idempotency-key': 'form' },
    body: `--${boundary}\r\ncontent-disposition: form-data; name="note_title"\r\n\r\n${title}\r\n--${boundary}\r\ncontent-disposition: form-data; name="profile_id"\r\n\r\n1\r\n--${boundary}--\r\n`,
  });
  assert.is((await world().ask(CREATE, form('aaa', 'F'))).status, 201);
  assert.is((await world().ask(CREATE, form('bbb', 'F'))).headers['idempotency-replayed'], 'true');
  assert.is((await world().ask(CREATE, form('ccc', 'G'))).status, 422);
});

test('H11: with If-Match, the answer that was given is given again, though the row has another version now', async () => {
  const made = await post('held');
  const path = `/rest/public/note/update/${String(results(made).note_id)}`;
  const headers = { 'idempotency-key': 'held-2', 'if-match': String(made.headers.etag) };
  const first = await world().send('PATCH', path, { note_text: 'x' }, headers);
  const again = await world().send('PATCH', path, { note_text: 'x' }, headers);
  assert.is(first.status, 200);
  assert.is(again.status, 200);
  assert.is(again.text, first.text);
  assert.is(
    (await world().send('PATCH', path, { note_text: 'x' }, { 'if-match': String(made.headers.etag) })).status,
    412,
  );
});

test('H11: of 50 at once with one key one is done, and all have its answer', async () => {
  const before = await world().count();
  const events = await created();
  const answers = await Promise.all(Array.from({ length: 50 }, () => post('fifty')));
  assert.is(await world().count(), before + 1);
  assert.is(await created(), events + 1);
  assert.equal([...new Set(answers.map(({ status }) => status))], [201]);
  assert.is(new Set(answers.map(({ text }) => text)).size, 1);
  assert.is(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1);
});

test('H11: one that still runs is 409 with Retry-After', async () => {
  const first = post('slow', {}, {}, '/rest/public/slow');
  const waiting = async () => Number((await world().app.emit('count-created', {})).getResults('waiting'));
  while ((await waiting()) === 0) await new Promise((resolve) => setImmediate(resolve));
  const second = post('slow', {}, {}, '/rest/public/slow');
  // The second request waits by the clock, which advances as soon as it waits.
  let isDone = false;
  void second.then(() => {
    isDone = true;
  });
  while (!isDone) {
    clock.advance(500);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const refused = await second;
  assert.is(refused.status, 409);
  assert.is(refused.headers['retry-after'], '1');
  await world().app.emit('let-go', {});
  assert.ok([200, 503].includes((await first).status));
});

test("H11: an answer of the project's own is kept with its headers; a file is not, and says so", async () => {
  const first = await post('text', {}, {}, '/rest/public/text');
  const again = await post('text', {}, {}, '/rest/public/text');
  assert.equal(
    [again.status, again.text, again.headers['x-own'], again.headers['content-type']],
    [202, 'a,b', 'kept', 'text/csv'],
  );
  assert.is(first.headers['idempotency-replayed'], undefined);
  assert.is(again.headers['idempotency-replayed'], 'true');
  const file = () => world().send('PUT', '/rest/public/file', {}, { 'idempotency-key': 'file' });
  assert.is((await file()).status, 200);
  assert.is((await file()).status, 409);
});

test('H11: an answer is forgotten after 24 hours, and the key is new again; what is kept is sealed', async () => {
  const first = await post('old', { ...note, note_title: 'Kept in private' });
  const { kysely } = world().app.services.database;
  const rows = await kysely.selectFrom('treadle_idempotency').selectAll().execute();
  assert.not.match(JSON.stringify(rows), /Kept in private|"old"/);
  assert.not.ok(JSON.stringify(rows).includes(TOKEN));
  clock.jump(86_401_000);
  const again = await post('old', { ...note, note_title: 'Another' });
  assert.is(again.status, 201);
  assert.is.not(again.text, first.text);
  clock.jump(86_401_000);
  for (let round = 0; round < 500; round += 1) {
    // Advanced each time: the first purge may still be running, and the next starts an hour after its end.
    clock.jump(3_600_000);
    const left = await kysely.selectFrom('treadle_idempotency').select('key_hash').execute();
    if (left.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.unreachable('old keys are still there');
});

test.run();
