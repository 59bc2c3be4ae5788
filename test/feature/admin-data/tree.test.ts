import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import { boot, type Site } from '../../boot.ts';
import type { Client, Form } from '../../client.ts';

const test = suite('a tree in the admin section');
const BASE = '/admin/system/model/branch';
const world = {} as { site: Site; admin: Client; reader: Client; pruner: Client };

const toSchema = (name: string, relation: object, more: readonly object[] = []) => ({
  ...{ name, singular: 'Branch', plural: 'Branches' },
  fields: [{ name: 'title', type: 'text', searchable: true }, ...more, { name: 'active', type: 'active' }],
  relations: [{ schema: name, kind: '1:0', name: 'parent', tree: true, ...relation }],
});
const role = (slug: string, data: unknown) => ({
  ...{ slug, name: slug, data },
  permissions: [{ method: 'all', path: '/admin/system/model/branch/**' }],
});

test.before(async () => {
  world.site = await boot({
    template: 'bare',
    files: {
      'config/schema/branch.json': toSchema('branch', { order: 'place' }, [{ name: 'place', type: 'number' }]),
      'config/schema/leaf.json': toSchema('leaf', {}),
      'config/schema/stone.json': {
        name: 'stone',
        singular: 'Stone',
        plural: 'Stones',
        fields: [{ name: 'title', type: 'text' }],
      },
      'config/role/reader.json': role('reader', { branch: { search: true, detail: true } }),
      'config/role/pruner.json': role('pruner', {
        branch: { search: true, detail: true, update: { filter: { branch_title: { ne: 'Locked' } } } },
      }),
    },
  });
  const { site } = world;
  world.admin = await site.as('Ada', ['admin']);
  world.reader = await site.as('Rea', ['reader']);
  world.pruner = await site.as('Pru', ['pruner']);
});
test.after(() => world.site.close());

/** `id: [parent, place]` */
type Tree = Readonly<Record<number, readonly [number | null, number | null]>>;

test.before.each(async () => {
  const { kysely } = world.site.app.services.database;
  await kysely.updateTable('branch').set({ parent_id: null }).execute();
  await kysely.deleteFrom('branch').execute();
});

async function plant(tree: Tree, titles: Readonly<Record<number, string>> = {}): Promise<void> {
  const { kysely } = world.site.app.services.database;
  const rows = Object.entries(tree).map(([id, [parent_id, branch_place]]) => ({
    ...{ branch_id: Number(id), branch_title: titles[Number(id)] ?? `Branch ${id}`, branch_active: 1 },
    ...{ parent_id, branch_place },
  }));
  await kysely.insertInto('branch').values(rows).execute();
}

/** The rows below a row, in their order. */
async function listBelow(parent_id: number | null): Promise<number[]> {
  const search = { schema: 'branch', filter: { parent_id }, sort: 'branch_place' };
  const response = await world.site.emit('system-model-search', search);
  return (response.getResults('rows') as Row[]).map(({ branch_id }) => Number(branch_id));
}
const placesOf = async (): Promise<Row> =>
  Object.fromEntries((await world.site.rows('branch')).map((row) => [String(row.branch_id), row.branch_place]));

const move = (id: number, form: Form, client = world.admin) => client.post(`${BASE}/move/${id}`, form);

/** The page as text, without the entities of its addresses. */
const read = async (path: string, client = world.admin) => {
  const { status, text } = await client.get(path);
  return { status, text: text.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&') };
};

/** The hidden inputs of a form that names what it began with. */
function readBases(text: string): Record<string, string> {
  const inputs = [...text.matchAll(/name="(_base\[\w+\])" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]));
}

test('the page shows two levels below the first rows, in their order', async () => {
  await plant({ 1: [null, 20], 2: [null, 10], 3: [1, 1], 4: [3, 1], 5: [4, 1], 6: [1, 0] });
  const { status, text } = await read(`${BASE}/tree`);
  assert.is(status, 200);
  const links = [...text.matchAll(/href="[^"]*\/detail\/(\d+)"/g)].map(([, id]) => Number(id));
  assert.equal(links, [2, 1, 6, 3, 4], 'row 5 is on the page of row 4 or 3');
  assert.match(text, /<a href="\/admin\/system\/model\/branch\/tree\?under=4">Show what is below Branch 4<\/a>/);
  const below = await read(`${BASE}/tree?under=4`);
  assert.match(below.text, /<h1>Branch 4<\/h1>/);
  const crumbs = [...below.text.matchAll(/tree\?under=(\d+)">Branch \d/g)].map(([, id]) => Number(id));
  assert.equal(crumbs, [1, 3]);
  assert.match(below.text, /search\?filter\[parent_id\]\[below\]=4"/);
  assert.is((await read(`${BASE}/tree?under=99`)).status, 404);
  assert.match(
    (await world.admin.get(`${BASE}/search`)).text,
    /<a class="t-button t-button-quiet" href="[^"]*\/branch\/tree">Tree<\/a>/,
  );
  assert.match((await read(`${BASE}/detail/4`)).text, /href="[^"]*\/tree\?under=4"/);
});

test('a schema without a tree has no page of one', async () => {
  assert.is((await world.admin.get('/admin/system/model/stone/tree')).status, 404);
  assert.not.match((await world.admin.get('/admin/system/model/stone/search')).text, /\/tree/);
});

test('many rows come page by page, and rows with markup are shown as text', async () => {
  const tree = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [index + 1, [null, index] as const]));
  await plant(tree, { 1: '<b>&"' });
  const { text } = await read(`${BASE}/tree`);
  assert.match(text, /60 at the top/);
  assert.not.match(text, /<b>&"/);
  const next = /rel="next" href="([^"]+)"/.exec(text)?.[1] ?? '';
  const page = await read(`${BASE}/tree${next}`);
  assert.equal([...page.text.matchAll(/\/detail\/(\d+)"/g)].length, 10);
  assert.is([...page.text.matchAll(/value="up"/g)].length, 10, 'the first of the second page can go up');
});

test('a row goes below another, at the end, with its history', async () => {
  await plant({ 1: [null, 10], 2: [null, 20], 3: [2, 10] });
  const form = await world.admin.get(`${BASE}/move/1`);
  assert.is(form.status, 200);
  assert.match(form.text, /<option value="keep" selected>Where it is<\/option>/);
  const moved = await move(1, { ...readBases(form.text), parent_id: '2', place: 'keep' });
  assert.equal([moved.status, moved.location], [303, `${BASE}/tree?under=2`]);
  assert.equal(await listBelow(2), [3, 1]);
  const history = await world.admin.get('/admin/history?schema=branch&id=1');
  assert.match(history.text, /Ada/);
});

for (const [words, id, form, expected] of [
  ['at the beginning', 3, { place: 'start' }, [3, 1, 2]],
  ['after another row', 3, { place: '1' }, [1, 3, 2]],
  ['at the end', 1, { place: 'end' }, [2, 3, 1]],
  ['up', 3, { place: 'up' }, [1, 3, 2]],
  ['up where it is first', 1, { place: 'up' }, [1, 2, 3]],
  ['down', 1, { place: 'down' }, [2, 1, 3]],
  ['down where it is last', 3, { place: 'down' }, [1, 2, 3]],
] as const)
  for (const [kind, places] of [
    ['with room between', [10, 20, 30]],
    ['without room', [1, 2, 3]],
    ['with the same place', [5, 5, 5]],
    ['without places', [null, null, null]],
    ['below zero', [-3, -2, -1]],
  ] as const)
    test(`a row moves ${words} among rows ${kind}`, async () => {
      await plant({ 1: [null, places[0]], 2: [null, places[1]], 3: [null, places[2]] });
      const answer = await move(id, form);
      assert.is(answer.status, 303, answer.text);
      assert.equal(await listBelow(null), [...expected]);
    });

test('a move that finds room changes one row only', async () => {
  await plant({ 1: [null, 10], 2: [null, 20], 3: [null, 30] });
  await move(3, { place: '1' });
  assert.equal(await placesOf(), { 1: 10, 2: 20, 3: 15 });
});

test('the places of another row are shown by a button, without a script', async () => {
  await plant({ 1: [null, 10], 2: [null, 20], 3: [2, 10], 4: [2, 20] });
  const shown = await move(1, { parent_id: '2', _do: 'places' });
  assert.is(shown.status, 200);
  assert.match(shown.text, /<option value="3">After Branch 3<\/option>/);
  assert.is((await move(1, { ...readBases(shown.text), parent_id: '2', place: '3' })).status, 303);
  assert.equal(await listBelow(2), [3, 1, 4]);
  const found = await move(1, { _do: 'find parent_id', '_find[parent_id]': 'Branch 4' });
  assert.match(found.text, /value="4"><span>Branch 4</);
  const wrong = await move(1, { parent_id: '', place: '3' });
  assert.equal([wrong.status, await listBelow(2)], [422, [3, 1, 4]]);
  assert.match(wrong.text, /Choose a place below the chosen row/);
});

test('a row that would be below itself stays, and the field says why', async () => {
  await plant({ 1: [null, 10], 2: [1, 10] });
  const { status, text } = await move(1, { parent_id: '2', place: 'end' });
  assert.is(status, 422);
  assert.match(
    text,
    /<span class="t-error" id="[^"]*-error">Branch 2 is below Branch 1, so it cannot be above it<\/span>/,
  );
  assert.equal(await listBelow(null), [1]);
});

test('who moves a row that somebody else moved is asked first', async () => {
  await plant({ 1: [null, 10], 2: [null, 20], 3: [null, 30] });
  const form = readBases((await world.admin.get(`${BASE}/move/1`)).text);
  await world.site.emit('system-model-update', { schema: 'branch', branch_id: 1, parent_id: 3 });
  const conflict = await move(1, { ...form, parent_id: '2', place: 'end' });
  assert.is(conflict.status, 412);
  assert.match(conflict.text, /Somebody else moved this row in the meantime/);
  assert.equal(await listBelow(3), [1]);
  assert.is((await move(1, { ...readBases(conflict.text), parent_id: '2', place: 'end' })).status, 303);
  assert.equal(await listBelow(2), [1]);
});

test('another change of the row does not keep it from moving', async () => {
  await plant({ 1: [null, 10], 2: [null, 20] });
  const form = readBases((await world.admin.get(`${BASE}/move/1`)).text);
  await world.site.emit('system-model-update', { schema: 'branch', branch_id: 1, branch_title: 'New name' });
  assert.is((await move(1, { ...form, parent_id: '2', place: 'end' })).status, 303);
});

test('who may not change rows finds no button, and is refused', async () => {
  await plant({ 1: [null, 10], 2: [null, 20] });
  const { status, text } = await world.reader.get(`${BASE}/tree`);
  assert.is(status, 200);
  assert.not.match(text, /Move…|value="up"/);
  assert.is((await move(1, { place: 'down' }, world.reader)).status, 403);
  assert.is((await world.reader.get(`${BASE}/move/1`)).status, 403);
});

test('neighbours that a role may not change take the whole move back', async () => {
  await plant({ 1: [null, 1], 2: [null, 2], 3: [null, 3] }, { 2: 'Locked' });
  const { status } = await move(3, { place: '1' }, world.pruner);
  assert.ok(status >= 400 && status < 500, String(status));
  assert.equal(await placesOf(), { 1: 1, 2: 2, 3: 3 });
});

test('a tree without an order has no buttons for it, and moves by its keys', async () => {
  for (const leaf_title of ['One', 'Two']) await world.site.emit('system-model-create', { schema: 'leaf', leaf_title });
  const { text } = await world.admin.get('/admin/system/model/leaf/tree');
  assert.not.match(text, /value="up"/);
  const form = await world.admin.get('/admin/system/model/leaf/move/1');
  assert.not.match(form.text, /name="place"/);
  const moved = await world.admin.post('/admin/system/model/leaf/move/1', { ...readBases(form.text), parent_id: '2' });
  assert.equal([moved.status, moved.location], [303, '/admin/system/model/leaf/tree?under=2']);
});

test('a list is filtered by what is anywhere below a row', async () => {
  await plant({ 1: [null, 10], 2: [1, 10], 3: [2, 10] });
  const { text } = await world.admin.get(`${BASE}/search?filter[parent_id][below]=1`);
  assert.match(text, /<option value="below" selected>is anywhere below<\/option>/);
  // A relation with a name of its own is not the only one to its schema.
  assert.match(text, /Parent \(ID\)/);
  assert.equal(
    [...text.matchAll(/<tr data-id="(\d+)"/g)].map(([, id]) => id),
    ['2', '3'],
  );
});

test.run();
