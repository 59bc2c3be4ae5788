import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import { ask } from '../client.ts';
import { cpu } from '../core/_cpu.ts';
import type { Project } from '../project.ts';

/** Bodies that cost the server more than the client. */
const test = suite('security: body');

let site: Site;

/** Two schemas with calls: one has files, the other everything else. */
function prepare(project: Project): void {
  const note = [
    { name: 'title', type: 'text' },
    { name: 'body', type: 'wysiwyg' },
    { name: 'data', type: 'rawjson' },
  ];
  const photo = [
    { name: 'title', type: 'text' },
    { name: 'file', type: 'file' },
  ];
  for (const [name, fields] of Object.entries({ note, photo })) {
    project.write(`config/schema/${name}.json`, { name, singular: name, plural: `${name}s`, fields });
    for (const [action, event] of [
      ['create', 'create'],
      ['batch', 'batch'],
    ]) {
      const path = `/public/${name}/${action}`;
      const parameters = { schema: name };
      project.write(`config/rest/public-${name}-${action}.json`, {
        ...{ title: `${action} ${name}`, access: 'public', method: 'post', path },
        ...{ event: `system-model-${event}`, parameters },
      });
    }
  }
  const controller = 'app/www/src/controller/article.ts';
  const own = "app.post('/own', (request, response) => void response.setContent(JSON.stringify(request.getFiles())));";
  project.write(controller, project.read(controller).replace(/(function article\(app[^)]*\) \{)/, `$1\n${own}`));
}

test.before(async () => {
  site = await boot({ change: prepare });
});

test.after(() => site.close());

/** Sends a body; returns its status and the processor time, including the sender's. */
async function post(
  path: string,
  type: string,
  body: string | Buffer,
): Promise<{ status: number; took: number; text: string }> {
  const begun = cpu();
  const answer = await ask(site.url + path, { method: 'POST', headers: { 'content-type': type }, body });
  return { status: answer.status, took: cpu() - begun, text: answer.text };
}

const FORM = 'multipart/form-data; boundary=x';
/** Milliseconds: without the fix it took ten times as long, with it a tenth. */
const SOON = 400;

test('a megabyte of multipart delimiters is refused at once on every page and call', async () => {
  const body = Buffer.from('--x\r\n'.repeat(205_000));
  for (const path of ['/auth/login', '/auth/signup', '/own', '/rest/public/note/create', '/rest/public/photo/create']) {
    const { status, took } = await post(path, FORM, body);
    assert.is(status, 413, path);
    assert.ok(took < SOON, `${path}: ${took} ms`);
  }
});

test('9.9 MB of them are refused at once where files are taken, and elsewhere are not read', async () => {
  const body = Buffer.from('--x\r\n'.repeat(1_980_000));
  for (const path of ['/own', '/rest/public/photo/create']) {
    const { status, took } = await post(path, FORM, body);
    assert.is(status, 413, path);
    assert.ok(took < SOON, `${path}: ${took} ms`);
  }
});

test('forms as large as uploads are taken by calls with files and by own pages only', async () => {
  const file = '--x\r\nContent-Disposition: form-data; name="photo_file"; filename="a.txt"\r\n\r\n';
  const body = Buffer.from(`${file}${'a b '.repeat(500_000)}\r\n--x--\r\n`);
  const announce = (path: string) =>
    // Refused because of its headers: no byte of the body is sent.
    ask(site.url + path, { method: 'POST', headers: { 'content-type': FORM, 'content-length': String(body.length) } });
  for (const path of ['/auth/login', '/auth/signup', '/dialog/request', '/rest/public/note/create', '/rest/nowhere'])
    assert.is((await announce(path)).status, 413, path);
  const own = await post('/own', FORM, body);
  assert.is(own.status, 200);
  assert.match(own.text, '"bytes":2000000');
  const call = await post('/rest/public/photo/create', FORM, body);
  assert.is(call.status, 201, call.text);
});

const create = (values: unknown) => post('/rest/public/note/create', 'application/json', JSON.stringify(values));
const batch = (operations: unknown) =>
  post('/rest/public/note/batch', 'application/json', JSON.stringify({ operations }));
const REVIEWED = '<b>'.repeat(33_000) + '</i>'.repeat(25_000);

test('rich text of 199 kB that nests without end is refused at once, alone and five in a batch', async () => {
  const alone = await create({ note_body: REVIEWED });
  assert.is(alone.status, 422);
  assert.match(alone.text, 'must not nest tags more than 256 levels deep');
  assert.ok(alone.took < 1500, `${alone.took} ms`);
  const five = await batch(Array.from({ length: 5 }, () => ({ action: 'create', values: { note_body: REVIEWED } })));
  assert.is(five.status, 422);
  assert.match(five.text, '256 levels');
  assert.ok(five.took < 1500, `${five.took} ms`);
});

test('long rich text is stored as it was before, by a single write, a batch and a write with a key', async () => {
  const html = `${'<p onclick="x">a <i>b</i></p>\n'.repeat(300)}<iframe src="https://www.youtube.com/embed/x"></iframe>`;
  const clean = html.replaceAll(' onclick="x"', '');
  const one = JSON.parse((await create({ note_body: html })).text);
  assert.is(one.results.note_body, clean);
  const two = JSON.parse((await batch([1, 2].map(() => ({ action: 'create', values: { note_body: html } })))).text);
  assert.equal(
    two.results.rows.map((row: { note_body: string }) => row.note_body),
    [clean, clean],
  );
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'once' };
  const body = JSON.stringify({ note_body: html });
  for (const _ of [1, 2]) {
    const answer = await ask(`${site.url}/rest/public/note/create`, { method: 'POST', headers, body });
    assert.is(JSON.parse(answer.text).results.note_body, clean);
  }
});

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

test('JSON of 60,000 keys is refused before it is parsed, in a body and in a text; 20,000 are stored', async () => {
  const stored = await create({ note_data: keys(19_000) });
  assert.is(stored.status, 201);
  assert.ok(stored.took < 1500, `${stored.took} ms`);
  for (const body of [{ note_data: keys(60_000) }, keys(90_000), { note_data: Array(480_000).fill(1) }]) {
    const refused = await create(body);
    assert.is(refused.status, 413);
    assert.match(refused.text, 'at most 20000 keys, and 100000 keys and items');
    assert.ok(refused.took < 500, `${refused.took} ms`);
  }
  const form = String(new URLSearchParams({ note_data: JSON.stringify(keys(40_000)) }));
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const text = await ask(`${site.url}/rest/public/note/create`, { method: 'POST', headers, body: form });
  assert.is(text.status, 422, text.text);
  assert.match(text.text, 'with at most 20000 keys');
  const unknown = await create(keys(19_000));
  assert.is(unknown.status, 400);
  assert.ok(unknown.text.length < 20_000);
});

test.run();
