import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../../boot.ts';

const test = suite('rest: what a request sends without sense');
const world: { site?: Site } = {};
const site = (): Site => world.site as Site;

const FILES = {
  'config/schema/note.json': {
    name: 'note',
    singular: 'Note',
    plural: 'Notes',
    fields: [
      { name: 'title', type: 'text', searchable: true, filterable: true, sortable: true },
      { name: 'rank', type: 'number', filterable: true, sortable: true },
      { name: 'day', type: 'date', filterable: true },
      { name: 'kind', type: 'select', filterable: true, options: [{ key: 'a', value: 'A' }] },
      { name: 'done', type: 'checkbox', filterable: true },
      { name: 'tags', type: 'tag', filterable: true },
      { name: 'price', type: 'decimal', filterable: true },
      { name: 'active', type: 'active', filterable: true },
    ],
    relations: [{ schema: 'word', kind: 'N:N' }],
  },
  'config/schema/word.json': {
    name: 'word',
    singular: 'Word',
    plural: 'Words',
    fields: [{ name: 'text', type: 'text', filterable: true }],
  },
};

test.before(async () => {
  world.site = await boot({
    template: 'none',
    settings: { api: true },
    files: FILES,
    change: async (project) => {
      const actions = 'search,detail,create,link,unlink';
      await project.cli('rest', 'generate', 'note', '--access', 'public', '--action', actions);
      const name = 'config/rest/public-note-search.json';
      const call = JSON.parse(project.read(name)) as object;
      project.write(name, { ...call, aggregate: ['group', 'sum', 'average', 'count'], removed: true });
    },
  });
  for (const title of ['One', 'Two', 'Three'])
    await site().emit('system-model-create', { schema: 'note', note_title: title });
  await site().emit('system-model-create', { schema: 'word', word_text: 'warp' });
});
test.after(() => site().close());

const search = async (query: string) => {
  const answer = await site().send('GET', `/rest/public/note/search?${query}`);
  const { results, message } = answer.json() as {
    results?: { rows: unknown[]; total?: number };
    message?: string;
  };
  const { status } = answer;
  if (message !== undefined) return { status, message };
  return { status, rows: results?.rows.length, total: results?.total };
};

test('an empty parameter of a search means that it was not sent', async () => {
  const columns = ['title', 'rank', 'day', 'kind', 'done', 'tags', 'price', 'active'].map((name) => `note_${name}`);
  const filters = [...columns, 'word_id', 'word.word_text', 'note_tags.key'].map((name) => `filter[${name}]=`);
  const operators = ['eq', 'ne', 'gt', 'between', 'null'].map((name) => `filter[note_rank][${name}]=`);
  const parts = ['contains', 'starts', 'ends'].map((name) => `filter[note_title][${name}]=`);
  const names = [
    'q',
    'sort',
    'limit',
    'offset',
    'after',
    'before',
    'fields',
    'expand',
    'total',
    'filter',
    'filter[or]',
  ];
  const groups = ['group', 'sum', 'average', 'count'];
  const older = ['order', 'start', 'range', 'columns', 'like[note_title]', 'span[note_rank]', 'null', 'notnull'];
  const each = [...filters, ...operators, ...parts, ...[...names, ...groups, ...older].map((name) => `${name}=`)];
  for (const query of [...each, each.join('&')]) {
    assert.equal(await search(query), { status: 200, rows: 3, total: 3 }, query);
  }
});

test('an empty list of values is a value; a wrong name stays wrong', async () => {
  assert.equal(await search('filter[note_rank][in]='), { status: 200, rows: 0, total: 0 });
  assert.equal(await search('filter[note_rank][nin]='), { status: 200, rows: 3, total: 3 });
  for (const query of ['filter[note_rnk]=', 'filter[note_rank][gtt]=', 'fitler=']) {
    assert.is((await search(query)).status, 400, query);
  }
});

test('an empty parameter of a detail means that it was not sent, but expand= asks for no relation', async () => {
  const detail = async (query: string) => {
    const answer = await site().send('GET', `/rest/public/note/detail/1?${query}`);
    return { status: answer.status, names: Object.keys(answer.json().results).sort() };
  };
  const whole = await detail('');
  assert.is(whole.status, 200);
  assert.ok(whole.names.includes('word'));
  assert.equal(await detail('fields='), whole);
  assert.equal(
    (await detail('expand=')).names,
    whole.names.filter((name) => name !== 'word'),
  );
});

test('what cannot be meant is refused', async () => {
  for (const query of [
    ...['x', '-1', '1.5', '10000001', '1e3'].map((value) => `total=${value}`),
    ...['x', '-1', '10000001'].map((value) => `offset=${value}`),
    ...['x', '0', '101'].map((value) => `limit=${value}`),
    ...['total=%20', 'total=1&total=0', 'total[]=1', 'total[a]=1', 'limit=1&limit=2'],
    ...['1', ',', '1,2,3'].map((value) => `filter[note_rank][between]=${value}`),
    'span[note_rank]=1',
  ]) {
    assert.is((await search(query)).status, 400, query);
  }
  for (const [query, total] of [
    ['total=0', undefined],
    ['total=false', undefined],
    ['total=1', 3],
    ['total=true', 3],
    ['total=2', 2],
    ['filter[note_rank][between]=1,9', 0],
    ['filter[note_rank][between]=1,', 0],
  ] as const) {
    const found = await search(query);
    assert.equal([found.status, found.total], [200, total], query);
  }
});

test('an empty Idempotency-Key is refused, as it would protect nothing', async () => {
  const create = (headers: Record<string, string>) =>
    site().send('POST', '/rest/public/note/create', { json: { note_title: 'x' }, headers });
  for (const key of ['', ' ', '""', 'x'.repeat(256)]) {
    assert.is((await create({ 'idempotency-key': key })).status, 400, JSON.stringify(key));
  }
  assert.is((await create({ 'idempotency-key': 'x'.repeat(255) })).status, 201);
  assert.is((await create({})).status, 201);
});

test('an id that no row can have is as missing as any other', async () => {
  for (const id of ['999', '0', '9007199254740991', '9'.repeat(40)]) {
    const paths = [`link/1/word/${id}`, `unlink/1/word/${id}`, `link/${id}/word/1`].map(
      (path) => `/rest/public/note/${path}`,
    );
    for (const path of paths) {
      const method = path.includes('unlink') ? 'DELETE' : 'PUT';
      assert.is((await site().send(method, path)).status, 404, `${method} ${path}`);
    }
    assert.is((await site().send('GET', `/rest/public/note/detail/${id}`)).status, 404, id);
  }
});

test.run();
