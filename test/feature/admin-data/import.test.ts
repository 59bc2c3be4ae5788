import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MOST_BYTES } from '../../../src/feature/admin-data/import/sql.ts';
import type { Answer, Client } from '../../client.ts';
import { readForm } from '../../form-post.ts';
import { startThings, type Things } from './_things.ts';

const test = suite('imports of the admin section');

const IMPORT = '/admin/system/model/thing/import';
const world = {} as Things;

test.before(async () => {
  Object.assign(world, await startThings());
});
test.after(() => world.site.close());

/** Sends a file as the page's form does. */
function send(
  client: Client,
  text: string,
  fields: Readonly<Record<string, string>> = {},
  path = IMPORT,
): Promise<Answer> {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--xx\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  const file = `--xx\r\ncontent-disposition: form-data; name="file"; filename="things.csv"\r\ncontent-type: text/csv\r\n\r\n${text}`;
  const headers = { 'content-type': 'multipart/form-data; boundary=xx' };
  return client.send('POST', path, { headers, body: `${[...parts, file].join('\r\n')}\r\n--xx--\r\n` });
}

/** Posts the form of a sent file. */
async function post(
  client: Client,
  path: string,
  values: Readonly<Record<string, string>>,
  headers = {},
): Promise<Answer> {
  const { text } = await client.get(path);
  return client.send('POST', path, { form: { ...readForm(text, 'id="t-import"'), ...values }, headers });
}

const CSV = 'name,Cost,kind,profile_id\nNew one,7.5,a,1\nNew two,8.5,b,1\n';

test('a file is mapped, checked and imported', async () => {
  const { admin, site } = world;
  const sent = await send(admin, CSV);
  assert.is(sent.status, 303);
  const page = await admin.get(sent.location);
  assert.match(page.text, /<option value="thing_name" selected>/);
  assert.match(page.text, />New one</);
  const checked = await post(admin, sent.location, { action: 'check', 'map[1][column]': 'thing_price' });
  assert.is(checked.status, 200);
  assert.match(checked.text, /Every row is valid: 2 would be new, 0 would be changed\./);
  assert.match(checked.text, /<option value="thing_price" selected>/);
  assert.is((await site.rows('thing')).length, 12);
  const done = await post(admin, sent.location, { action: 'import', 'map[1][column]': 'thing_price' });
  assert.is(done.location, '/admin/system/model/thing/search');
  assert.match((await admin.get(done.location)).text, /Imported: 2 new, 0 changed\./);
  const made = (await site.rows('thing')).find((row) => row.thing_name === 'New two');
  assert.is(made?.thing_price, 8.5);
});

test('a row needs what the schema demands; the report names line, column and reason', async () => {
  const { admin } = world;
  const { location } = await send(admin, 'name,price,profile_id\nGood,1,1\nBad,abc,1\nWorse,2,99\n');
  const checked = await post(admin, location, { action: 'check' });
  assert.is(checked.status, 422);
  assert.match(checked.text, /2 rows are not valid\. Of the others 1 would be new/);
  assert.match(checked.text, /<td class="t-number">3<\/td><td><ul[^>]*><li><strong>thing_price<\/strong>: Price/);
  assert.match(checked.text, /<td class="t-number">4<\/td><td><ul[^>]*><li><strong>profile_id<\/strong>/);
  const bad = await post(admin, location, { action: 'bad' });
  assert.equal(
    bad.text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { line: number }).line),
    [3, 4],
  );
  const before = (await world.site.rows('thing')).length;
  assert.is((await post(admin, location, { action: 'import' })).status, 422);
  assert.is((await world.site.rows('thing')).length, before);
  const skipped = await post(admin, location, { action: 'import', skip: '1' });
  assert.is(skipped.status, 303);
  assert.match((await admin.get(skipped.location)).text, /1 new, 0 changed\. Left out because they are not valid: 2\./);
  assert.is((await world.site.rows('thing')).length, before + 1);
  assert.is((await admin.get(location)).status, 404);
});

test('with scripts the answer tells the progress, and then the report', async () => {
  const { admin } = world;
  const lines = Array.from({ length: 2500 }, (_, index) =>
    JSON.stringify({ name: `Row ${index}`, profile_id: 1, extra: 1 }),
  );
  const { location } = await send(admin, lines.join('\n'));
  const answer = await post(admin, location, { action: 'import' }, { accept: 'application/x-ndjson' });
  const told = answer.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { rows?: number; html?: string; isDone?: boolean });
  assert.equal(
    told.flatMap(({ rows }) => rows ?? []),
    [1000, 2000, 2500],
  );
  assert.match(told.at(-1)?.html ?? '', /Imported: 2500 new, 0 changed\./);
  assert.is(told.at(-1)?.isDone, true);
});

test('a large file comes in pieces', async () => {
  const { admin } = world;
  const begun = await send(admin, CSV.slice(0, 20), { more: '1', name: 'big.csv' });
  const id = String((begun.json() as { import: number }).import);
  const other = await world.site.as('Other', ['admin']);
  assert.is((await send(other, CSV.slice(20), { import: id })).status, 404);
  const ended = await send(admin, CSV.slice(20), { import: id, name: 'big.csv' });
  assert.is(ended.location, `${IMPORT}/${id}`);
  assert.match((await admin.get(ended.location)).text, /big\.csv, 1 kB/);
  assert.is((await other.get(ended.location)).status, 404);
});

const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  ['nothing', '', /Choose a file that is not empty/],
  ['a picture', '\u0000PNG', /not text/],
  ['a name twice', 'a,a\n1,2\n', /has &quot;a&quot; twice/],
  ['a list that does not end', '[{"name":"x"}', /incomplete/],
];
for (const [name, text, message] of REFUSED) {
  test(`a file that cannot be read is refused: ${name}`, async () => {
    const answer = await send(world.admin, text);
    assert.is(answer.status, 422);
    assert.match(answer.text, message);
  });
}

test('two keys cannot fill one column', async () => {
  const { location } = await send(world.admin, CSV);
  const answer = await post(world.admin, location, { action: 'check', 'map[1][column]': 'thing_name' });
  assert.is(answer.status, 422);
  assert.match(answer.text, /name, Cost fill the same column/);
});

test('a role without the right is refused; one with it fills its columns only', async () => {
  assert.is((await world.editor.get(IMPORT)).status, 403);
  assert.is((await send(world.editor, CSV)).status, 403);
});

test("the blog's fixture is imported through the page", async () => {
  const { admin, site } = world;
  const file = readFileSync(`${site.root}/fixture/article.ndjson`, 'utf8');
  const { location } = await send(admin, file, {}, '/admin/system/model/article/import');
  assert.is((await post(admin, location, { action: 'check' })).status, 200);
  assert.is((await post(admin, location, { action: 'import' })).status, 303);
  assert.is((await site.rows('article')).length, file.trim().split('\n').length);
});

test('a file of more than 500 keys is 422 at the upload, at once, and is not kept', async () => {
  const { admin, site } = world;
  const before = (await site.rows('treadle_import')).length;
  const keys = Array.from({ length: 100_000 }, (_, n) => `k${n}`);
  const began = process.cpuUsage();
  for (const text of [
    `${keys.join(',')}\n${keys.map(() => 1).join(',')}\n`,
    JSON.stringify([Object.fromEntries(keys.slice(0, 501).map((key) => [key, 1]))]),
    keys
      .slice(0, 501)
      .map((key) => JSON.stringify({ [key]: 1 }))
      .slice(0, 150)
      .concat(JSON.stringify(Object.fromEntries(keys.slice(150, 700).map((key) => [key, 1]))))
      .join('\n'),
  ]) {
    const sent = await send(admin, text);
    assert.is(sent.status, 422);
    assert.match(sent.text, /more than 500 keys/);
  }
  assert.ok(process.cpuUsage(began).user < 5_000_000, 'the time grows with the number of keys, not with its square');
  assert.is((await site.rows('treadle_import')).length, before);
  const most = keys.slice(0, 500);
  assert.is((await send(admin, `${most.join(',')}\n${most.map(() => 1).join(',')}\n`)).status, 303);
});

test('a file of 500 keys has a small page with one list of columns, and is imported', async () => {
  const { admin, site } = world;
  const keys = ['Title of it', ...Array.from({ length: 497 }, (_, n) => `k${n}`), 'name', 'profile_id'];
  const row = keys.map((key) => (key === 'profile_id' ? '1' : `v ${key}`));
  const { location } = await send(admin, `${keys.join(',')}\n${row.join(',')}\n`);
  const { text } = await admin.get(location);
  assert.ok(text.length < 300_000, `the page has ${text.length} characters`);
  assert.is(text.match(/<datalist /g)?.length, 1);
  assert.not.match(text, /<select/);
  assert.is(
    text.match(/<input class="t-input" id="t-map-\d+" name="map\[\d+\]\[column\]"[^>]* list="t-columns"/g)?.length,
    500,
  );
  assert.match(text, /name="map\[498\]\[column\]" value="thing_name"/);
  const wrong = await post(admin, location, { action: 'check', 'map[0][column]': 'No such column' });
  assert.is(wrong.status, 422);
  assert.match(wrong.text, /Title of it: No such column is not a column that can be filled\./);
  assert.match(wrong.text, /name="map\[0\]\[column\]" value="No such column"/);
  // By the label, as people type it.
  const label = /<option value="thing_name">([^<]+)</.exec(text)?.[1] ?? '';
  const fields = { 'map[0][column]': label, 'map[498][column]': '' };
  assert.is((await post(admin, location, { action: 'check', ...fields })).status, 200);
  assert.is((await post(admin, location, { action: 'import', ...fields })).status, 303);
  assert.ok((await site.rows('thing')).some((made) => made.thing_name === 'v Title of it'));
});

test('a row larger than a body is reported, not parsed', async () => {
  const { admin } = world;
  const large = Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`k${n}`, 1]));
  const good = JSON.stringify({ thing_name: 'Good', profile_id: 1 });
  const shapes: Readonly<Record<string, readonly [string, RegExp]>> = {
    keys: [JSON.stringify({ thing_name: large }), /more than 20000 keys/],
    items: [
      JSON.stringify({ thing_name: Array.from({ length: 100_001 }, () => 1) }),
      /more than 100000 keys and items/,
    ],
    depth: [`{"thing_name":${'['.repeat(5000)}${']'.repeat(5000)}}`, /nested more than 33 levels/],
  };
  for (const [name, [row, reason]] of Object.entries(shapes)) {
    for (const text of [`${good}\n${row}\n`, `[${good},${row}]`]) {
      const { location } = await send(admin, text);
      const checked = await post(admin, location, { action: 'check' });
      assert.is(checked.status, 422, name);
      assert.match(checked.text, reason, name);
    }
    const alone = await send(admin, `${row}\n`);
    assert.is(alone.status, 422, name);
    assert.match(alone.text, reason, name);
  }
});

test('files that wait for their import have a limit in sum', async () => {
  const { admin } = world;
  const kept = MOST_BYTES.person;
  MOST_BYTES.person = 1;
  const sent = await send(admin, CSV);
  MOST_BYTES.person = kept;
  assert.is(sent.status, 422);
  assert.match(sent.text, /Too many files wait/);
});

test.run();
