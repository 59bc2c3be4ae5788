import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Site } from '../../boot.ts';
import { bootHistory } from './_site.ts';

type Row = Record<string, unknown>;
const test = suite('what a history tells under rules');
const state = {} as { site: Site };

const field = (name: string, more: Row = {}): Row => ({ name, type: 'text', filterable: true, ...more });
const TICKET = {
  name: 'ticket',
  singular: 'Ticket',
  plural: 'Tickets',
  fields: [
    field('title'),
    { name: 'body', type: 'textarea' },
    field('group', { was: 'team' }),
    field('code'),
    { name: 'note', type: 'textarea' },
    { name: 'size', type: 'computed', expression: 'length(title)', stored: true, filterable: true },
  ],
  relations: [{ schema: 'label', kind: 'N:N' }],
};
const LABEL = { name: 'label', singular: 'Label', plural: 'Labels', fields: [field('word')] };

const history = [{ method: 'all', path: '/admin/history/**' }];
const role = (slug: string, data: Row): Record<string, unknown> => ({
  [`config/role/${slug}.json`]: { slug, name: slug, permissions: history, data },
});

test.before(async () => {
  state.site = await bootHistory({
    files: {
      'config/schema/ticket.json': TICKET,
      'config/schema/label.json': LABEL,
      ...role('blue', {
        ticket: { detail: { filter: { ticket_group: 'blue' } } },
        label: { detail: { filter: { label_word: 'seen' } } },
      }),
      // Two roles rule the schema: whoever has both sees the code of blue tickets only.
      ...role('title', { ticket: { detail: { read: ['title'] } } }),
      ...role('short', { ticket: { detail: { filter: { ticket_size: { lt: 6 } } } } }),
      ...role('blind', { label: { detail: true } }),
      ...role('plain', { profile: { detail: { read: ['profile_id'] } } }),
    },
  });
});
test.after(() => state.site?.close());

const emit = async (event: string, stage: Row): Promise<Row> =>
  (await state.site.emit(event as never, stage as never)).getResults() as Row;
const make = (values: Row): Promise<Row> => emit('system-model-create', { schema: 'ticket', ...values });
const update = (id: unknown, values: Row): Promise<Row> =>
  emit('system-model-update', { schema: 'ticket', ticket_id: id, ...values });
const list = async (id: unknown): Promise<Row[]> =>
  (await emit('history-search', { schema: 'ticket', id })).rows as Row[];

const LONG = 'crimson secret '.repeat(40);

test('a row that moved to a person keeps the texts of its time before', async () => {
  const { ticket_id: id } = await make({ ticket_title: 'one', ticket_body: LONG, ticket_group: 'red' });
  await update(id, { ticket_body: 'crimson words' });
  await update(id, { ticket_group: 'blue', ticket_body: 'for blue' });
  await update(id, { ticket_title: 'two' });
  const blue = await state.site.as('Bo', ['blue']);
  const page = (await blue.get(`/admin/history?schema=ticket&id=${id}`)).text;
  assert.is(page.match(/<tr><td>/g)?.length, 2);
  const shown: string[] = [];
  for (const { history_id: entry } of await list(id)) {
    const answer = await blue.get(`/admin/history/${entry}`);
    shown.push(String(answer.status));
    assert.not.match(answer.text, /crimson|secret|>red</);
  }
  assert.equal(shown, ['200', '200', '404', '404']);
});

test('a version is judged by the computed values that it had, and shows none', async () => {
  const { ticket_id: id } = await make({ ticket_title: 'long crimson title', ticket_group: 'red' });
  await update(id, { ticket_title: 'short' });
  await update(id, { ticket_title: 'tiny' });
  const sam = await state.site.as('Sam', ['short']);
  const entries = await list(id);
  const shown: string[] = [];
  for (const { history_id: entry } of entries) {
    const answer = await sam.get(`/admin/history/${entry}`);
    shown.push(String(answer.status));
    assert.not.match(answer.text, /crimson/);
  }
  assert.equal(shown, ['200', '200', '404']);
  const { original, current } = await emit('history-model-versions', { history_id: entries[0]?.history_id });
  for (const row of [original, current]) assert.is(Object.hasOwn(row as Row, 'ticket_size'), false);
});

test('a page names no column that a person may not read in that row', async () => {
  const { ticket_id: red } = await make({ ticket_title: 'a', ticket_code: 'RED', ticket_group: 'red' });
  const { ticket_id: blue } = await make({ ticket_title: 'a', ticket_code: 'BLUE', ticket_group: 'blue' });
  for (const id of [red, blue]) await update(id, { ticket_code: 'next', ticket_title: 'b' });
  const person = await state.site.as('Tim', ['title', 'blue']);
  for (const [id, isShown] of [
    [red, false],
    [blue, true],
  ] as const) {
    const page = (await person.get(`/admin/history?schema=ticket&id=${id}`)).text;
    assert.is(/<td data-label="Fields">[^<]*Code/.test(page), isShown, String(id));
    for (const { history_id: entry } of await list(id)) {
      const { text, status } = await person.get(`/admin/history/${entry}`);
      assert.is(status, 200);
      assert.is(/>Code<|>RED<|>BLUE</.test(text), isShown, `${id} ${entry}`);
    }
  }
});

test('a column that was renamed counts by the values that it had under its former name', async () => {
  const { ticket_id: id } = await make({ ticket_title: 'x', ticket_body: 'was red', ticket_group: 'red' });
  await update(id, { ticket_group: 'blue', ticket_body: 'is blue' });
  const { kysely } = state.site.app.services.database;
  for (const entry of await state.site.rows('treadle_history')) {
    const text = typeof entry.entry === 'string' ? entry.entry : JSON.stringify(entry.entry);
    await kysely
      .updateTable('treadle_history')
      .set({ entry: text.replaceAll('"ticket_group"', '"ticket_team"') })
      .where('history_id', '=', entry.history_id as number)
      .execute();
  }
  const blue = await state.site.as('Bea', ['blue']);
  const [moved, made] = await list(id);
  assert.is((await blue.get(`/admin/history/${made?.history_id}`)).status, 404);
  assert.not.match((await blue.get(`/admin/history/${moved?.history_id}`)).text, /was red/);
  const named = await state.site.as('Tom', ['title']);
  assert.not.match((await named.get(`/admin/history/${made?.history_id}`)).text, /ticket_team|was red/);
});

test('a change of the row without an entry shows no version that may have been hidden', async () => {
  const { ticket_id: id } = await make({ ticket_title: 'x', ticket_body: 'of red', ticket_group: 'red' });
  const { kysely } = state.site.app.services.database;
  await kysely
    .updateTable('ticket')
    .set({ ticket_group: 'blue' })
    .where('ticket_id', '=', id as number)
    .execute();
  const blue = await state.site.as('Bix', ['blue']);
  const [made] = await list(id);
  assert.is((await blue.get(`/admin/history/${made?.history_id}`)).status, 404);
});

test('a removed row shows its entries to whom it showed, and nobody makes it what they may not see', async () => {
  const { ticket_id: id } = await make({ ticket_title: 'x', ticket_group: 'red', ticket_body: 'r' });
  await update(id, { ticket_group: 'blue' });
  await emit('system-model-remove', { schema: 'ticket', ticket_id: id });
  const blue = await state.site.as('Ben', ['blue']);
  const statuses = [];
  for (const { history_id: entry } of await list(id)) statuses.push((await blue.get(`/admin/history/${entry}`)).status);
  assert.equal(statuses, [200, 200, 404]);
});

test('a link names no row that a person may not see', async () => {
  const { ticket_id: id } = await make({ ticket_title: 'x', ticket_group: 'blue' });
  for (const word of ['seen', 'hidden']) {
    const { label_id } = await emit('system-model-create', { schema: 'label', label_word: word });
    await emit('system-relation-link', { schema1: 'ticket', schema2: 'label', ticket_id: id, label_id });
  }
  const blue = await state.site.as('Bob', ['blue']);
  const page = (await blue.get(`/admin/history?schema=ticket&id=${id}&action=link`)).text;
  assert.equal(page.match(/Label \d+/g), ['Label 1']);
});

test('the person of a search says nothing of who has an account', async () => {
  const plain = await state.site.as('Pia', ['plain']);
  await state.site.as('Vic', []);
  const ask = async (email: string): Promise<string> => {
    const { status, text } = await plain.get(`/admin/history?person=${encodeURIComponent(email)}`);
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main'));
    return `${status} ${main.replaceAll(email, '')}`;
  };
  assert.is(await ask('vic@example.org'), await ask('vix@example.org'));
  const admin = await state.site.as('Ada', ['admin']);
  assert.is((await admin.get('/admin/history?person=vic@example.org')).status, 200);
  assert.match((await admin.get('/admin/history?person=vix@example.org')).text, /There is no account vix@example.org/);
});

test.run();
