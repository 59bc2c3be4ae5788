import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import { boot, type Site } from '../../boot.ts';

/** What a project's own code may ask for beyond what a request may: all rows, large pages, rows by a slug. */
const test = suite('rows of own code');
const state = {} as { site: Site };
const COUNT = 620;

test.before(async () => {
  state.site = await boot({
    template: 'blog',
    change(project) {
      const fields = [
        { name: 'title', type: 'text', sortable: true, filterable: true },
        { name: 'slug', type: 'slug' },
      ];
      project.write('config/schema/memo.json', { name: 'memo', singular: 'Memo', plural: 'Memos', fields });
      const role = { slug: 'guest', name: 'guest', permissions: [] };
      const read = { filter: { memo_title: { ne: 'hidden' } } };
      project.write('config/role/guest.json', { ...role, data: { memo: { search: read, detail: read } } });
      const call = { title: 'Memos', access: 'public', open: true, method: 'get', path: '/public/memo/search' };
      project.write('config/rest/memos.json', {
        ...call,
        event: 'system-model-search',
        parameters: { schema: 'memo' },
      });
      project.addController(
        'all',
        `export default function all(app) {
          app.get('/all', async (request, response) => {
            const ids = [];
            for await (const row of app.rows('memo', { sort: '-memo_title', fields: ['memo_id'] })) ids.push(row.memo_id);
            const page = (await app.emit('system-model-search', { schema: 'memo', limit: 10000 })).getResults('rows');
            const faults = [];
            for (const search of [{ offset: 3 }, { filter: { nope: 1 } }])
              try { for await (const _ of app.rows('memo', search)); } catch (error) { faults.push(error.code); }
            response.succeed({ ids, page: page.length, faults });
          });
        }\n`,
      );
    },
  });
  const rows = Array.from({ length: COUNT }, (_, index) => ({
    memo_title: index % 31 === 0 ? 'hidden' : `title ${index % 7}`,
    memo_slug: index < 2 ? 'same' : `slug-${index}`,
  }));
  await state.site.emit('system-model-import', { schema: 'memo', rows });
});
test.after(() => state.site.close());

test('app.rows gives every row once, by the rules of the person who asks', async () => {
  const { results } = (await state.site.get('/all')).json() as {
    results: { ids: number[]; page: number; faults: string[] };
  };
  const shown = COUNT - Math.ceil(COUNT / 31);
  assert.is(results.ids.length, shown);
  assert.is(new Set(results.ids).size, shown);
  assert.is(results.page, shown);
  assert.equal(results.faults, ['ROWS_SEARCH_INVALID', 'ROWS_REFUSED']);
});

test('code asks for 10,000 rows at most, and a request for 100', async () => {
  const { site } = state;
  for (const [limit, status] of [
    [10_000, 200],
    [10_001, 400],
  ] as const)
    assert.is((await site.app.emit('system-model-search', { schema: 'memo', limit })).getStatus(), status);
  assert.is((await site.app.emit('system-model-search', { schema: 'memo', range: 0 })).getStatus(), 200);
  for (const query of ['limit=101', 'range=101', 'range=0', 'limit=0'])
    assert.is((await site.get(`/rest/public/memo/search?${query}`)).status, 400, query);
});

test('the first page links to the next by cursor, and to itself', async () => {
  const answer = await state.site.get('/rest/public/memo/search?limit=2&sort=memo_title');
  const link = String(answer.headers.link);
  assert.match(
    link,
    /^<(\/rest\/public\/memo\/search\?limit=2&sort=memo_title)&after=[\w-]+>; rel="next", <\1>; rel="first"$/,
  );
  const next = await state.site.get(/<([^>]+)>/.exec(link)?.[1] as string);
  const [first, second] = [answer, next].map((page) => (page.json() as { results: { rows: Row[] } }).results.rows);
  assert.is(new Set([...(first ?? []), ...(second ?? [])].map((row) => row.memo_id)).size, 4);
});

test('a slug that is not unique names its first row, in a detail and a change', async () => {
  const { site } = state;
  const found = await site.emit('system-model-detail', { schema: 'memo', memo_slug: 'same' });
  assert.is(found.getResults('memo_id'), 1);
  const changed = await site.emit('system-model-update', { schema: 'memo', memo_slug: 'slug-5', memo_title: 'new' });
  assert.is(changed.getResults('memo_id'), 6);
});

test.run();
