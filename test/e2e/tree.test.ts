import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../src/database/row-statement.ts';
import { boot, type Site } from '../boot.ts';
import { writeRules } from '../feature/role/_site.ts';
import type { Project } from '../project.ts';

/** A tree over HTTP: what is below and above a row, what moves, and who sees it. Also on PostgreSQL. */
const test = suite('tree');
const world: { site?: Site } = {};
const site = (): Site => world.site as Site;

const fields = [
  { name: 'title', type: 'text', filterable: true, sortable: true, searchable: true },
  { name: 'place', type: 'number', filterable: true },
  { name: 'secret', type: 'switch', filterable: true },
  { name: 'active', type: 'active' },
];
const parent = { schema: 'category', kind: '1:0', name: 'parent', tree: true, order: 'place' };

function change(project: Project): void {
  const base = { singular: 'Category', plural: 'Categories', fields, relations: [parent] };
  project.write('config/schema/category.json', { name: 'category', ...base });
  const product = {
    name: 'product',
    singular: 'Product',
    plural: 'Products',
    fields: [{ name: 'title', type: 'text' }],
  };
  project.write('config/schema/product.json', { ...product, relations: [{ schema: 'category', kind: '1:0' }] });
  const many = [
    { schema: 'folder', kind: '1:N', name: 'children', tree: true },
    { schema: 'folder', kind: '1:0', name: 'origin', tree: true },
  ];
  const folder = { name: 'folder', singular: 'Folder', plural: 'Folders', fields: [{ name: 'title', type: 'text' }] };
  project.write('config/schema/folder.json', { ...folder, relations: many });
  // What each role finds is another part of the same tree.
  const open = { filter: { category_secret: { ne: true } } };
  const branch = { filter: { parent_id: { below: 2 } } };
  writeRules(project, {
    guest: { category: { search: open, detail: open } },
    keeper: { category: { search: true, detail: true, create: true, update: { filter: { parent_id: { below: 1 } } } } },
    branch: { category: { search: branch, detail: branch } },
  });
  for (const schema of ['category', 'product', 'folder'])
    for (const action of ['search', 'detail', 'create', 'update'])
      project.write(`config/rest/public-${schema}-${action}.json`, {
        ...{ title: `${action} ${schema}`, access: 'public', open: true, event: `system-model-${action}` },
        method: { search: 'get', detail: 'get', create: 'post', update: 'patch' }[action],
        path: `/public/${schema}/${action}${action === 'search' || action === 'create' ? '' : `/:${schema}_id`}`,
        parameters: { schema },
        ...(action === 'search' && schema === 'category' ? { aggregate: ['group', 'count', 'sum'] } : {}),
      });
  // A visitor's search through a page, by the rules of the person.
  project.addController(
    'door',
    `export default function door(app) {
      app.all('/door/:door', async (request, response) => {
        const event = request.getStage('door');
        request.removeStage('door');
        await app.emit(event, request, response);
      });
    }\n`,
  );
}

/** `id: parent`; 6 is secret, 9 will be removed. In the order of their places 3 comes before 2. */
const PARENTS: Readonly<Record<number, number | null>> = {
  ...{ 1: null, 2: 1, 3: 1, 4: 2, 5: 4, 6: 1, 7: 6, 8: null, 9: 2, 10: 9 },
};

test.before(async () => {
  world.site = await boot({ template: 'blog', settings: { api: true }, change });
  for (const [id, parent_id] of Object.entries(PARENTS))
    await site().emit('system-model-create', {
      schema: 'category',
      category_title: `Title ${id}`,
      category_place: id === '2' ? 9 : Number(id),
      category_secret: id === '6' ? 1 : 0,
      parent_id,
    });
  for (const category_id of [4, 5, 7, 8])
    await site().emit('system-model-create', { schema: 'product', product_title: `Of ${category_id}`, category_id });
  await site().emit('system-model-remove', { schema: 'category', category_id: 9 });
});
test.after(() => site().close());

/** Searches as the system, which sees all. */
async function find(search: Row, schema = 'category'): Promise<Row[]> {
  const response = await site().emit('system-model-search', { schema, ...search });
  return (response.getResults() as { rows: Row[] }).rows;
}
const ids = (rows: readonly Row[], key = 'category_id'): unknown[] => rows.map((row) => row[key]);

const visit = async (query: string, path = 'category/search') => {
  const answer = await site().get(`/rest/public/${path}${query === '' ? '' : `?${query}`}`);
  return { status: answer.status, headers: answer.headers, body: answer.json(), text: answer.text };
};

for (const [words, search, expected] of [
  ['all rows below', { filter: { parent_id: { below: 1 } } }, [2, 3, 4, 5, 6, 7]],
  ['below a row in the middle', { filter: { parent_id: { below: 2 } } }, [4, 5]],
  ['below a leaf', { filter: { parent_id: { below: 5 } } }, []],
  ['below no row', { filter: { parent_id: { below: 99 } } }, []],
  ['all rows above', { filter: { parent_id: { above: 5 } } }, [1, 2, 4]],
  ['above a root', { filter: { parent_id: { above: 1 } } }, []],
  ['a removed row ends the walk', { filter: { parent_id: { above: 10 } } }, []],
  ['with removed rows', { filter: { parent_id: { below: 2 }, category_active: 'any' } }, [4, 5, 9, 10]],
  ['removed rows alone', { filter: { parent_id: { below: 2 }, category_active: '0' } }, [9]],
  ['both', { filter: { parent_id: { below: 1, above: 5 } } }, [2, 4]],
  ['with a sort', { filter: { parent_id: { below: 1 } }, sort: '-category_title', limit: 2 }, [7, 6]],
  ['with words', { q: 'title', filter: { parent_id: { below: 2 } } }, [4, 5]],
  ['after a cursor', { filter: { parent_id: { below: 1 } }, limit: 2, offset: 2 }, [4, 5]],
] as const)
  test(`a search finds ${words}`, async () => {
    assert.equal(
      ids(await find(search)).sort((a, b) => Number(a) - Number(b)),
      [...expected].sort((a, b) => a - b),
    );
    const { total } = (await site().emit('system-model-search', { schema: 'category', ...search })).getResults() as Row;
    const whole = ids(await find({ ...search, limit: 100, offset: 0 }));
    assert.is(total, whole.length);
  });

test('rows of another schema are found by the tree of their relation', async () => {
  assert.equal(ids(await find({ filter: { 'category.parent_id': { below: 2 } } }, 'product'), 'category_id'), [4, 5]);
  assert.equal(ids(await find({ filter: { 'category.parent_id': { above: 5 } } }, 'product'), 'category_id'), [4]);
  const visited = await visit('filter[category.parent_id][below]=1', 'product/search');
  assert.equal(ids(visited.body.results.rows, 'category_id'), [4, 5], 'the way to 7 is hidden from guests');
});

test('groups and sums count what is below', async () => {
  const { body } = await visit('filter[parent_id][below]=1&group=parent_id&count=1&sort=parent_id');
  assert.equal(
    body.results.rows.map((row: Row) => [row.parent_id, row.count]),
    [
      [1, 2],
      [2, 1],
      [4, 1],
    ],
  );
});

test('a walk tells nothing of what lies behind hidden rows', async () => {
  const below = await visit('filter[parent_id][below]=1');
  assert.equal([ids(below.body.results.rows), below.body.results.total], [[2, 3, 4, 5], 4]);
  assert.equal(ids((await visit('filter[parent_id][above]=7')).body.results.rows), []);
  assert.equal(ids((await visit('filter[parent_id][below]=6')).body.results.rows), []);
  const sue = await site().as('Sue', ['branch']);
  const seen = async (query: string) =>
    ids(
      ((await sue.get(`/door/system-model-search?schema=category&${query}`)).json() as { results: { rows: Row[] } })
        .results.rows,
    );
  // Roles add up: the rows of guests, and the rows below 2.
  assert.equal(await seen('filter[parent_id][below]=2'), [4, 5]);
});

test('a rule of a role names what is below a row', async () => {
  const kim = await site().as('Kim', ['keeper']);
  const write = (id: number, values: Row) =>
    kim.send('POST', `/door/system-model-update`, {
      form: { schema: 'category', category_id: String(id), ...values } as never,
    });
  assert.is((await write(5, { category_title: 'Mine' })).status, 200);
  assert.is((await write(8, { category_title: 'Other' })).status, 404);
  // Judged before the write and after it.
  assert.is((await write(5, { parent_id: '8' })).status, 403);
  assert.equal(ids(await find({ filter: { parent_id: 8 } })), []);
});

for (const [query, text] of [
  [
    'filter[category_title][below]=1',
    /^"below" is for the key of a tree, and "category_title" is none\. category has parent_id\.$/,
  ],
  ['filter[parent_id][below]=x', /must be a whole number/],
  ['filter[parent_id][beneath]=1', /"beneath" is not an operator/],
  ['expand=above:2', /^"above:2" takes no number/],
  ['expand=below:0', /whole number of levels from 1 to 10/],
  ['expand=below:11', /whole number of levels from 1 to 10/],
  ['expand=below:x', /whole number of levels from 1 to 10/],
  ['expand=child.below', /^"child\.below" is of no tree of category, which has parent\.below\.$/],
  ['expand=belo', /Did you mean "below"/],
] as const)
  test(`a search with ${query} is 400`, async () => {
    const { status, body } = await visit(query);
    assert.equal([status, text.test(body.message)], [400, true], body.message);
    if (!query.startsWith('expand')) return;
    const detail = await visit(query, 'category/detail/1');
    assert.is(detail.status, 400, detail.text);
  });

test('a schema without a tree says so', async () => {
  const { status, body } = await visit('filter[category_id][below]=1', 'product/search');
  assert.is(status, 400);
  assert.match(body.message, /product has none: its definition needs a relation to itself with "tree": true\.$/);
});

/** The ids of nested lists: `[2, [4, [5]]]`. */
const nest = (rows: readonly Row[], key = 'below'): unknown[] =>
  rows.flatMap((row) => (row[key] === undefined ? [row.category_id] : [row.category_id, nest(row[key] as Row[])]));

test('expand adds the rows above and below to a depth, children in their order', async () => {
  const above = await visit('expand=above', 'category/detail/5');
  assert.equal(ids(above.body.results.above), [1, 2, 4]);
  assert.equal(Object.hasOwn(above.body.results, 'parent'), false);
  for (const [depth, expected] of [
    ['', [3, 2]],
    [':1', [3, 2]],
    [':2', [3, [], 2, [4]]],
    [':3', [3, [], 2, [4, [5]]]],
    [':10', [3, [], 2, [4, [5, []]]]],
  ] as const) {
    const { body } = await visit(`expand=below${depth}`, 'category/detail/1');
    assert.equal(nest(body.results.below), expected, depth);
  }
  const whole = (
    await site().emit('system-model-detail', { schema: 'category', category_id: 1, expand: ['below:2'] })
  ).getResults() as Row;
  assert.equal(nest(whole.below as Row[]), [3, [], 6, [7], 2, [4]]);
  const named = await visit('expand=parent.below,parent&fields=category_title', 'category/detail/2');
  assert.equal(named.body.results.parent.category_id, 1);
  assert.equal(
    [ids(named.body.results.parent_below), Object.keys(named.body.results).sort()],
    [[4], ['category_id', 'category_title', 'parent', 'parent_below']],
  );
});

test('expand adds them to each row of a search', async () => {
  const { body } = await visit('expand=above,below:2&filter[category_id][in]=1,2,5&fields=category_title');
  assert.equal(
    body.results.rows.map((row: Row) => [row.category_id, ids(row.above as Row[]), nest(row.below as Row[])]),
    [
      [1, [], [3, [], 2, [4]]],
      [2, [1], [4, [5]]],
      [5, [1, 2, 4], []],
    ],
  );
  assert.equal(Object.keys(body.results.rows[0]).sort(), ['above', 'below', 'category_id', 'category_title']);
});

test('several trees of a schema are told apart by their relations', async () => {
  const create = async (values: Row) =>
    Number(((await site().emit('system-model-create', { schema: 'folder', ...values })).getResults() as Row).folder_id);
  const top = await create({ folder_title: 'Top' });
  const copy = await create({ folder_title: 'Copy', folder_children_id: top });
  const deep = await create({ folder_title: 'Deep', folder_children_id: copy, origin_id: top });
  const { body } = await visit('expand=children.above,origin.above,children.below:2', `folder/detail/${deep}`);
  assert.equal(ids(body.results.children_above, 'folder_id'), [top, copy]);
  assert.equal(ids(body.results.origin_above, 'folder_id'), [top]);
  assert.equal(body.results.children_below, []);
  const several = await visit('expand=above', `folder/detail/${deep}`);
  assert.match(
    several.body.message,
    /^"above" may be of several trees of folder\. Name one: children\.above, origin\.above\.$/,
  );
  const below = await visit(`filter[folder_children_id][below]=${top}`, 'folder/search');
  assert.equal(ids(below.body.results.rows, 'folder_id'), [copy, deep]);
  // A row of a tree moves from one parent to another.
  const moved = await site().send('PATCH', `/rest/public/folder/update/${deep}`, { json: { folder_children_id: top } });
  assert.is(moved.status, 200, moved.text);
  const back = await site().send('PATCH', `/rest/public/folder/update/${top}`, { json: { folder_children_id: deep } });
  assert.equal(
    [back.status, back.json().validation],
    [422, { folder_children_id: `Folder ${deep} is below Folder ${top}, so it cannot be above it` }],
  );
  const linked = await site().app.emit('system-relation-link', {
    ...{ schema1: 'folder', schema2: 'folder', relation: 'children', folder_id_1: copy, folder_id_2: top },
  });
  assert.equal(
    [linked.getStatus(), linked.getMessage()],
    [422, `Folder ${copy} is below Folder ${top}, so it cannot be above it`],
  );
});

test('a row that would be below itself is refused by every way to write', async () => {
  const update = async (id: number, parent_id: number) => {
    const response = await site().app.emit('system-model-update', { schema: 'category', category_id: id, parent_id });
    return [response.getStatus(), response.getValidation()];
  };
  assert.equal(await update(1, 5), [422, { parent_id: 'Category 5 is below Category 1, so it cannot be above it' }]);
  assert.equal(await update(4, 4), [422, { parent_id: 'Category 4 cannot be below itself' }]);
  const rows = [
    { category_id: 3, parent_id: 8 },
    { category_id: 1, parent_id: 5 },
  ];
  const imported = await site().app.emit('system-model-import', { schema: 'category', rows });
  assert.match(String(imported.getMessage()), /Row 2: .*Category 5 is below Category 1, so it cannot be above it/);
  assert.equal(ids(await find({ filter: { parent_id: 8 } })), [], 'all or nothing');
  const batch = await site().app.emit('system-model-create', { schema: 'category', category_id: 50, parent_id: 50 });
  assert.ok(batch.isError());
});

test('an import turns a branch over, in whatever order its rows are', async () => {
  const turn = async (pairs: readonly (readonly [number, number | null])[]) => {
    const rows = pairs.map(([category_id, parent_id]) => ({ category_id, parent_id }));
    const response = await site().app.emit('system-model-import', { schema: 'category', rows });
    assert.is(response.isError(), false, String(response.getMessage()));
  };
  for (const pairs of [
    [
      [2, 5],
      [5, 4],
      [4, 1],
    ],
    [
      [4, 2],
      [2, 1],
      [5, 4],
    ],
  ] as const) {
    await turn(pairs);
    for (const [id, above] of pairs)
      assert.equal(ids(await find({ filter: { category_id: id, parent_id: above } })), [id]);
  }
  // A row that is refused does not keep the others from their places.
  const rows = [
    { category_id: 2, parent_id: 4 },
    { category_id: 4, parent_id: 5 },
    { category_id: 5, parent_id: 1 },
    { category_id: 8, parent_id: 8 },
  ];
  site().project.write('rows.json', rows);
  const { data } = await site().cli('import', 'category', 'rows.json', '--skip-bad');
  assert.equal([data.updated ?? data.changed ?? data.old], [3], JSON.stringify(data));
  for (const { category_id, parent_id } of rows.slice(0, 3))
    assert.equal(ids(await find({ filter: { category_id, parent_id } })), [category_id]);
});

test('a kept answer waits for every row that a walk came by', async () => {
  const count = async () => (await visit('filter[parent_id][below]=1&limit=1')).body.results.total;
  const [before, again] = [await count(), await count()];
  assert.is(before, again);
  const made = (
    await site().emit('system-model-create', { schema: 'category', category_title: 'New', parent_id: 3 })
  ).getResults() as Row;
  assert.is(await count(), before + 1);
  const above = async () =>
    ids((await visit(`filter[parent_id][above]=${String(made.category_id)}`)).body.results.rows);
  assert.equal(await above(), [1, 3]);
  await site().emit('system-model-update', { schema: 'category', category_id: 3, parent_id: null });
  assert.equal([await above(), await count()], [[3], before - 1]);
  const detail = async () =>
    ids((await visit('expand=above', `category/detail/${String(made.category_id)}`)).body.results.above);
  assert.equal(await detail(), [3]);
  await site().emit('system-model-update', { schema: 'category', category_id: 3, parent_id: 8 });
  assert.equal(await detail(), [8, 3]);
});

test('the document of the API, its client and the types say what a tree adds', async () => {
  const { components, paths } = (await site().get('/developer/docs/openapi.json')).json();
  const { below, above } = components.schemas['category-detail'].allOf[1].properties;
  assert.equal(
    [below.items.$ref, above.items.$ref],
    ['#/components/schemas/category-branch', '#/components/schemas/category'],
  );
  const { parameters } = paths['/rest/public/category/search'].get;
  const named = (list: Row[], wanted: string): { schema: { type: string }; description: string } =>
    list
      .map((parameter) => components.parameters[String(parameter.$ref).split('/').at(-1) ?? ''] ?? parameter)
      .find(({ name }) => name === wanted);
  for (const word of ['below', 'above'])
    assert.is(named(parameters, `filter[parent_id][${word}]`).schema.type, 'integer');
  assert.match(
    named(parameters, 'filter[parent_id]').description,
    /filter\[parent_id\]\[below\] finds all rows below a row/,
  );
  // A detail brings its relations by itself, and what is above and below only by name.
  const detail = paths['/rest/public/category/detail/{category_id}'].get.parameters;
  assert.match(named(detail, 'expand').description, /default parent; of the tree only what is named: above, below:3$/);
  assert.is((await visit('', 'category/detail/8')).body.results.below, undefined);
  await site().cli('client', '--out', 'client.ts');
  const client = site().project.read('client.ts');
  assert.match(
    client,
    /expand\?: readonly \('parent' \| 'above' \| 'below' \| `below:\$\{number\}` \| `parent\.\$\{string\}`\)\[\];/,
  );
  assert.match(client, /interface CategoryBranch extends Category \{\n {2}below\?: CategoryBranch\[\];/);
  await site().cli('types');
  const types = site().project.read('app/treadle.d.ts');
  assert.match(types, /readonly parent_id\?: TreeFilter;/);
  assert.match(types, /'children\.below' \| `children\.below:\$\{number\}`|`children\.below:\$\{number\}`/);
});

test.run();
