import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Site } from '../../boot.ts';
import { bootHistory } from './_site.ts';

const test = suite('what a history tells and brings back');
const state = {} as { site: Site; id: number };
type Row = Record<string, unknown>;

const LONG = 'Warp and weft cross in the loom. '.repeat(20);
const DATA = { thing: { search: true, detail: { filter: { thing_name: 'Open' }, read: ['*', '-count'] } } };

test.before(async () => {
  state.site = await bootHistory({
    files: {
      'config/role/reader.json': {
        slug: 'reader',
        name: 'Reader',
        permissions: [{ method: 'all', path: '/admin/history/**' }],
        data: DATA,
      },
    },
  });
  const made = await state.site.emit('system-model-create', {
    schema: 'thing',
    thing_name: 'A',
    thing_count: 1,
    thing_detail: LONG,
  });
  state.id = Number(made.getResults('thing_id'));
  for (const change of [{ thing_name: 'B' }, { thing_count: 2, thing_detail: 'Short' }, { thing_name: 'C' }])
    await state.site.emit('system-model-update', { schema: 'thing', thing_id: state.id, ...change });
});
test.after(() => state.site?.close());

const list = async (stage: Row = {}): Promise<Row[]> =>
  (await state.site.emit('history-search', { schema: 'thing', id: state.id, ...stage })).getResults('rows') as Row[];
const read = async (): Promise<Row> =>
  (await state.site.emit('system-model-detail', { schema: 'thing', thing_id: state.id })).getResults() as Row;

test('lists by row, action, door, time and page', async () => {
  const day = new Date().toISOString().slice(0, 10);
  const CASES: readonly (readonly [Row, number])[] = [
    [{}, 4],
    [{ action: 'update' }, 3],
    [{ action: 'remove' }, 0],
    [{ door: 'system' }, 4],
    [{ door: 'rest' }, 0],
    [{ auth_id: 7 }, 0],
    [{ app_id: 7 }, 0],
    [{ since: day }, 4],
    [{ since: '2100-01-01' }, 0],
    [{ until: day }, 4],
    [{ until: '2020-01-01' }, 0],
    [{ since: '2020-01-01 00:00:00', until: '2100-01-01 00:00:00' }, 4],
    [{ limit: 3 }, 3],
    [{ schema: 'article' }, 0],
  ];
  for (const [stage, count] of CASES) assert.is((await list(stage)).length, count, JSON.stringify(stage));
  const first = await state.site.emit('history-search', { schema: 'thing', id: state.id, limit: 3 });
  assert.is((await list({ before: first.getResults('next') })).length, 1);
});

test('refuses a filter that is none, and says what it may be', async () => {
  for (const [stage, message] of [
    [{ door: 'pag' }, /door must be page.*Did you mean "page"/],
    [{ action: 'x' }, /action must be create/],
    [{ since: 'soon' }, /since must be a day/],
    [{ id: 'x' }, /id must be a number/],
    [{ limit: 101 }, /limit must be a whole number from 1 to 100/],
  ] as const) {
    const answer = await state.site.app.emit('history-search', stage);
    assert.is(answer.getStatus(), 422);
    assert.match(String(answer.getMessage()), message);
  }
});

test('tells long texts from the row and later entries, and the row before and after', async () => {
  const [, second] = await list();
  const detail = await state.site.emit('history-detail', { history_id: second?.history_id });
  assert.equal(detail.getResults('changes'), { thing_count: [1, 2], thing_detail: [LONG, 'Short'] });
  const created = (await list()).at(-1);
  const made = await state.site.emit('history-detail', { history_id: created?.history_id });
  assert.equal(made.getResults('changes', 'thing_detail'), [null, LONG]);
  const versions = await state.site.emit('history-model-versions', { history_id: second?.history_id });
  assert.is(versions.getResults('original', 'thing_name'), 'B');
  assert.is(versions.getResults('original', 'thing_detail'), LONG);
  assert.is(versions.getResults('current', 'thing_count'), 2);
});

test('makes a row what it was, as a change that the history has too', async () => {
  const entries = await list();
  const second = Number(entries[1]?.history_id);
  const update = state.site.app.emit('history-revert', { history_id: second, version: 'after' });
  assert.equal((await update).getResults(), { schema: 'thing', id: state.id });
  assert.is((await read()).thing_name, 'B');
  await state.site.emit('history-revert', { history_id: Number(entries.at(-1)?.history_id), version: 'after' });
  const row = await read();
  assert.equal([row.thing_name, row.thing_count, row.thing_detail], ['A', 1, LONG]);
  assert.is((await list()).length, 6);
  const never = await state.site.app.emit('history-revert', { history_id: Number(entries.at(-1)?.history_id) });
  assert.is(never.getStatus(), 422);
});

test('brings back a row that is gone as a new one, and one that was removed softly', async () => {
  const { site } = state;
  const made = await site.emit('system-model-create', { schema: 'thing', thing_name: 'Gone', thing_count: 5 });
  const thing_id = made.getResults('thing_id');
  await site.emit('system-model-remove', { schema: 'thing', thing_id });
  const [removal] = await list({ id: thing_id, action: 'remove' });
  const reverted = await site.emit('history-revert', { history_id: removal?.history_id });
  const again = await site.emit('system-model-detail', { schema: 'thing', thing_id: reverted.getResults('id') });
  assert.equal([again.getResults('thing_name'), again.getResults('thing_count')], ['Gone', 5]);
  const article_id = (await site.emit('system-model-create', { schema: 'article', article_title: 'Soft' })).getResults(
    'article_id',
  );
  await site.emit('system-model-remove', { schema: 'article', article_id });
  const [soft] = await list({ schema: 'article', id: article_id, action: 'remove' });
  await site.emit('history-revert', { history_id: soft?.history_id });
  assert.is(
    (await site.emit('system-model-detail', { schema: 'article', article_id })).getResults('article_active'),
    1,
  );
});

test('rules hold: hidden rows and columns are hidden here too, and definitions', async () => {
  const { site } = state;
  await site.emit('system-model-create', { schema: 'thing', thing_name: 'Open', thing_count: 3 });
  await site.emit('history-definition', { file: 'config/schema/thing.json', before: '{}', after: '{ }' });
  const reader = await site.as('Rita', ['reader']);
  const page = await reader.get('/admin/history?schema=thing');
  assert.is(page.status, 200);
  assert.is(page.text.match(/<tr><td>/g)?.length, 1);
  const href = /href="(\/admin\/history\/\d+)"/.exec(page.text)?.[1] ?? '';
  const entry = (await reader.get(href)).text;
  assert.match(entry, /Open/);
  assert.not.match(entry, /<th scope="row">Count/);
  const hidden = await list();
  assert.is((await reader.get(`/admin/history/${hidden[0]?.history_id}`)).status, 404);
  assert.not.match((await reader.get('/admin/history')).text, /schema\/thing/);
  const admin = await site.as('Ada', ['admin']);
  assert.match((await admin.get('/admin/history')).text, /schema\/thing/);
  assert.match((await admin.get('/admin/history?schema=schema/thing')).text, /schema\/thing/);
});

test('an administrator reverts by a form, and a post from another site is refused', async () => {
  const { site, id } = state;
  const admin = await site.as('Ada', ['admin']);
  await site.emit('system-model-update', { schema: 'thing', thing_id: id, thing_name: 'Changed' });
  const [entry] = await list();
  const path = `/admin/history/${entry?.history_id}`;
  const page = await admin.get(path);
  assert.match(page.text, /<del>A<\/del>|<td>A<\/td>/);
  const headers = { 'sec-fetch-site': 'cross-site' };
  assert.is((await admin.send('POST', `${path}/revert`, { form: { version: 'before' }, headers })).status, 403);
  const done = await admin.post(`${path}/revert`, { version: 'before' });
  assert.is(done.status, 303, done.text);
  assert.is((await read()).thing_name, 'A');
  assert.is((await admin.get('/admin/history/999999')).status, 404);
});

test.run();
