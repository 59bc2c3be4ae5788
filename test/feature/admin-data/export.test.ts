import { once } from 'node:events';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startThings, type Things } from './_things.ts';

const test = suite('exports of the admin section');

const EXPORT = '/admin/system/model/thing/export';
const world = {} as Things;

test.before(async () => {
  Object.assign(world, await startThings());
  const article = { schema: 'article', article_title: 'A', article_published: '2026-01-02 03:04:05' };
  for (let number = 1; number <= 2; number += 1) await world.site.emit('system-model-create', article);
  const link = { schema1: 'thing', schema2: 'article', thing_id: 5 };
  await world.site.emit('system-relation-link', { ...link, article_id: 1 });
  await world.site.emit('system-relation-link', { ...link, article_id: 2 });
});
test.after(() => world.site.close());

test('CSV has a heading, harmless formulas, and the rows of the search', async () => {
  const file = await world.admin.get(`${EXPORT}?format=csv&filter[thing_id][in]=5,6&fields=thing_note,article`);
  assert.is(file.status, 200);
  assert.is(file.headers['content-type'], 'text/csv; charset=utf-8');
  assert.match(String(file.headers['content-disposition']), /^attachment; filename="thing-\d{4}-\d\d-\d\d\.csv"$/);
  assert.is(file.text, `thing_id,thing_note,article\n5,'=1+2,"[1,2]"\n6,note 6,[]\n`);
});

test('JSON and NDJSON have every column, and all pages', async () => {
  const rows = (await world.admin.get(`${EXPORT}?format=json&sort=-thing_price`)).json() as Record<string, unknown>[];
  assert.equal(
    rows.map((row) => row.thing_id),
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
  );
  assert.equal(rows[6]?.article, [1, 2]);
  assert.equal(rows[6]?.thing_meta, { size: '5' });
  const lines = (await world.admin.get(`${EXPORT}?format=ndjson&filter[thing_active]=any`)).text.trim().split('\n');
  assert.is(lines.length, 12);
});

test('a role exports what it may read only', async () => {
  const file = await world.editor.get(`${EXPORT}?format=ndjson&filter[thing_id]=1`);
  const row = JSON.parse(file.text) as Record<string, unknown>;
  assert.is(row.thing_name, 'Thing 1');
  assert.not.ok('thing_price' in row);
});

const REFUSED: readonly (readonly [string, number, RegExp])[] = [
  ['', 400, /Choose a format/],
  ['?format=xml', 400, /Choose a format/],
  ['?format=csv&filter[thing_price]=x', 400, /must be a number/],
];
for (const [query, status, message] of REFUSED) {
  test(`an export that cannot be made says why: ${query}`, async () => {
    const answer = await world.admin.get(`${EXPORT}${query}`);
    assert.is(answer.status, status);
    assert.match(answer.text, message);
  });
}

test('an export of more rows than a page has reads them all', async () => {
  const { site, admin } = world;
  const rows = Array.from({ length: 250 }, (_, index) => ({
    article_title: `T${index}`,
    article_published: '2026-01-02 03:04:05',
  }));
  await site.emit('system-model-import', { schema: 'article', rows });
  const file = await admin.get('/admin/system/model/article/export?format=ndjson&fields=article_title');
  assert.is(file.text.trim().split('\n').length, 252);
});

/** A connection that asks for a file and reads no more than its head. */
async function leaveUnread(
  path: string,
  cookie: string,
): Promise<{ readonly status: number; readonly end: () => void }> {
  const { hostname, port, host } = new URL(world.site.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return { status: Number(head.toString().split(' ')[1]), end: () => socket.destroy() };
}

test('one person fetches three files at once; a fourth is 429 before a row is read, and a place is given back', async () => {
  const { site, admin, editor } = world;
  const body = 'x'.repeat(60_000);
  const rows = Array.from({ length: 200 }, (_, index) => ({ box_text: `${index} ${body}` }));
  await site.emit('system-model-import', { schema: 'box', rows });
  const path = '/admin/system/model/box/export?format=csv';
  const held = [];
  for (let count = 0; count < 3; count += 1) held.push(await leaveUnread(path, admin.cookie()));
  assert.equal(
    held.map(({ status }) => status),
    [200, 200, 200],
  );
  for (const address of [path, `${EXPORT}?format=csv`, '/auth/data']) {
    const refused = await admin.get(address);
    assert.is(refused.status, 429, address);
    assert.is(refused.headers['retry-after'], '10');
    assert.match(refused.text, /You fetch 3 files already/);
  }
  // Others have places of their own.
  assert.is((await editor.get(`${EXPORT}?format=csv`)).status, 200);
  for (const { end } of held) end();
  // The server learns of it a moment later.
  for (let tries = 0; (await admin.get(`${EXPORT}?format=csv`)).status === 429; tries += 1) assert.ok(tries < 500);
  for (const [query, status] of [
    ['?format=csv&filter[thing_price]=x', 400],
    ['?format=csv', 200],
  ] as const)
    for (let count = 0; count < 8; count += 1) assert.is((await admin.get(EXPORT + query)).status, status, query);
});

test.run();
