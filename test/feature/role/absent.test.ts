import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeApi } from '../../../src/boot.ts';
import { printClientFile } from '../../../src/cli/client-file/file.ts';
import { printTypes } from '../../../src/cli/types/file.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { boot, type Site } from '../../boot.ts';
import type { Client } from '../../client.ts';
import type { Project } from '../../project.ts';

/** A hidden column is absent in the rows that hide it, however they are read, and never looks like an empty one. */
const test = suite('roles: absent columns');
const world = {} as { site: Site; staff: Client };

const read = (rule: unknown) => ({ search: rule, detail: rule });
const ROLES: Readonly<Record<string, Row>> = {
  guest: { memo: read({ filter: { memo_state: 'open' } }), profile: read(true), reader: read(true) },
  staff: {
    memo: { ...read({ read: ['*', '-code', '-spec'] }), create: true, update: true },
    reader: read(true),
  },
};
/** So many columns that SQLite does not format a row, and the same few otherwise. */
const WIDE = Array.from({ length: 70 }, (_, index) => ({ name: `n${index}`, type: 'number' }));
const toMemo = (name: string, more: readonly Row[]) => ({
  name,
  singular: name,
  plural: name,
  fields: [
    { name: 'state', type: 'text', filterable: true, sortable: true },
    { name: 'code', type: 'text' },
    { name: 'spec', type: 'rawjson' },
    ...more,
  ],
});

function change(project: Project): void {
  project.write('config/schema/memo.json', toMemo('memo', []));
  project.write('config/schema/wide.json', toMemo('wide', WIDE));
  const relations = [
    { schema: 'memo', kind: '1:1' },
    { schema: 'memo', kind: 'N:N', name: 'copies' },
  ];
  const fields = [{ name: 'title', type: 'text', sortable: true }];
  project.write('config/schema/reader.json', { name: 'reader', singular: 'r', plural: 'r', fields, relations });
  const wide = JSON.parse(JSON.stringify(ROLES).replaceAll('"memo"', '"wide"').replaceAll('memo_', 'wide_')) as Row;
  for (const [slug, data] of Object.entries(ROLES)) {
    const both = { ...(data as Row), wide: (wide[slug] as Row).wide };
    const permissions = slug === 'staff' ? [{ method: 'all', path: '/admin/system/model/memo/**' }] : [];
    project.write(`config/role/${slug}.json`, { slug, name: slug, permissions, data: both });
  }
  const call = { title: 'Memos', access: 'public', open: true, method: 'get', path: '/public/memo/search' };
  project.write('config/rest/memos.json', { ...call, event: 'system-model-search', parameters: { schema: 'memo' } });
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

test.before(async () => {
  world.site = await boot({ template: 'blog', change });
  const { site } = world;
  for (const schema of ['memo', 'wide'])
    for (const state of ['open', 'shut', 'open'])
      await site.emit('system-model-create', {
        schema,
        [`${schema}_state`]: state,
        [`${schema}_code`]: state === 'shut' ? 'hidden-1' : null,
        [`${schema}_spec`]: state === 'shut' ? { hidden: 2 } : { size: 1 },
      });
  for (const [title, id] of Object.entries({ a: 1, b: 2 }))
    await site.emit('system-model-create', { schema: 'reader', reader_title: title, memo_id: id });
  for (const id of [1, 2])
    await site.emit('system-relation-link', {
      schema1: 'reader',
      schema2: 'memo',
      relation: 'copies',
      reader_id: 1,
      memo_id: id,
    });
  world.staff = await site.as('Sue', ['staff']);
});
test.after(() => world.site.close());

const ask = async (event: string, query: string): Promise<Row> => {
  const answer = await world.staff.get(`/door/${event}?${query}`);
  assert.is(answer.status, 200, answer.text);
  return (answer.json() as { results: Row }).results;
};
const listOf = (row: Row | undefined, columns: readonly string[]): string[] =>
  columns.filter((name) => row !== undefined && name in row);

for (const schema of ['memo', 'wide']) {
  const hidden = [`${schema}_code`, `${schema}_spec`];
  for (const more of ['', '&total=0', `&sort=-${schema}_state`, '&limit=2', `&fields=${schema}_state,${hidden.join()}`])
    test(`a search of ${schema} leaves them out${more && ` with ${more}`}`, async () => {
      const rows = (await ask('system-model-search', `schema=${schema}${more}`)).rows as Row[];
      for (const row of rows) {
        const isOpen = row[`${schema}_state`] === 'open';
        assert.equal(listOf(row, hidden), isOpen ? hidden : [], JSON.stringify(row));
        if (isOpen) assert.equal(row[`${schema}_code`], null, 'an empty value is null');
        assert.not.match(JSON.stringify(row), /hidden/);
      }
    });

  test(`a detail of ${schema} leaves them out`, async () => {
    assert.equal(listOf(await ask('system-model-detail', `schema=${schema}&${schema}_id=1`), hidden), hidden);
    assert.equal(listOf(await ask('system-model-detail', `schema=${schema}&${schema}_id=2`), hidden), []);
  });
}

test('a page after a cursor leaves them out', async () => {
  const first = await ask('system-model-search', 'schema=memo&limit=1&sort=memo_state');
  const rows = (await ask('system-model-search', `schema=memo&sort=memo_state&after=${String(first.next)}`))
    .rows as Row[];
  assert.equal(
    rows.map((row) => listOf(row, ['memo_code', 'memo_spec']).length),
    [2, 0],
  );
});

test('an answer to a write leaves them out', async () => {
  const { site } = world;
  const made = await world.staff.post('/door/system-model-create', { schema: 'memo', memo_state: 'shut' });
  assert.equal(listOf((made.json() as { results: Row }).results, ['memo_code', 'memo_spec']), [], made.text);
  await site.emit('system-model-remove', { schema: 'memo', memo_id: 4 });
});

test('relations leave them out, 1:1 and lists', async () => {
  const hidden = ['memo_code', 'memo_spec'];
  const rows = (await ask('system-model-search', 'schema=reader&sort=reader_title')).rows as Row[];
  assert.equal(
    rows.map((row) => listOf(row, hidden)),
    [hidden, []],
  );
  assert.is(rows[0]?.memo_code, null);
  for (const [event, query] of [
    ['system-model-detail', 'reader_id=1'],
    ['system-model-search', 'filter[reader_id]=1&expand=copies'],
  ] as const) {
    const results = await ask(event, `schema=reader&${query}`);
    const row = (Array.isArray(results.rows) ? results.rows[0] : results) as Row;
    const copies = row.copies as Row[];
    assert.equal(
      copies.map((copy) => listOf(copy, hidden)),
      [hidden, []],
    );
  }
});

test('a CSV file has an empty cell, and JSON leaves them out', async () => {
  const at = '/admin/system/model/memo/export?filter[memo_id][in]=1,2&format=';
  const csv = await world.staff.get(`${at}csv&fields=memo_state,memo_code,memo_spec`);
  assert.is(csv.text, 'memo_id,memo_state,memo_code,memo_spec\n1,open,,"{""size"":1}"\n2,shut,,\n');
  const rows = (await world.staff.get(`${at}json`)).json() as Row[];
  assert.equal(
    rows.map((row) => listOf(row, ['memo_code', 'memo_spec'])),
    [['memo_code', 'memo_spec'], []],
  );
});

test('types, the client and OpenAPI say that they are optional', () => {
  const { plan } = world.site.app;
  const types = printTypes(plan.model);
  const row = /interface MemoRow \{([^}]*)\}/.exec(types)?.[1] ?? '';
  assert.match(row, /memo_code\?: string \| null/);
  assert.match(row, /memo_state: string \| null/);
  assert.match(/interface ReaderRow \{([^}]*)\}/.exec(types)?.[1] ?? '', /memo_code\?: string \| null/);
  const document = describeApi(plan);
  assert.match(/interface Memo \{([^}]*)\}/.exec(printClientFile(document, undefined))?.[1] ?? '', /memo_code\?: /);
  const { memo } = (document.components as { schemas: Record<string, { allOf: { required?: string[] }[] }> }).schemas;
  assert.equal(memo?.allOf[1]?.required, ['memo_id', 'memo_state']);
});

test.run();
