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

test.run();
