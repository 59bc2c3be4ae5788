// Also on PostgreSQL: a decimal is the same text by every way, however the database stores it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site, until } from '../boot.ts';

const test = suite('decimals in the store');

const flags = { filterable: true, sortable: true };
const SCHEMA = {
  name: 'entry',
  singular: 'Entry',
  plural: 'Entries',
  fields: [
    { name: 'number', type: 'decimal', precision: 6, scale: 2, unique: true, ...flags },
    { name: 'amount', type: 'decimal', ...flags, default: '1.5' },
    { name: 'rate', type: 'decimal', precision: 9, scale: 4, ...flags },
    { name: 'kind', type: 'text', searchable: true, ...flags },
    { name: 'active', type: 'active' },
    { name: 'created', type: 'created', sortable: true },
    { name: 'updated', type: 'updated' },
  ],
  unique: [{ columns: ['entry_kind', 'entry_rate'], message: 'This rate is there' }],
  indexes: [{ columns: ['-created'], where: { amount: { gte: '100.5' } } }],
};
const BILL = { ...{ name: 'bill', singular: 'Bill', plural: 'Bills' }, fields: [{ name: 'amount', type: 'decimal' }] };
/** A person has decimals, too. */
const PROFILE_FIELD = { name: 'limit', type: 'decimal', scale: 3, private: false };
const call = (method: string, path: string, action: string, more = {}) => ({
  ...{ title: action, access: 'public', method, path: `/public/entry/${path}`, event: `system-model-${action}` },
  ...{ parameters: { schema: 'entry' }, open: true, ...more },
});
const HOOK = {
  ...{ title: 'Big', description: 'A big entry', event: 'system-model-create', parameters: { schema: 'entry' } },
  ...{ type: 'entry.big', method: 'post', url: 'http://127.0.0.1:9/hook', delivery: 'queued', secretVersion: 1 },
  filter: { entry_amount: { gt: '99.995', in: ['100', 100.5, '100.505', '1e3'] } },
};
const ROLE = {
  ...{ slug: 'clerk', name: 'Clerk', permissions: [] },
  data: {
    bill: {
      search: { filter: { bill_amount: { lte: '$me.profile_limit' } } },
      detail: true,
      update: { filter: { bill_amount: { lt: '0.015' } } },
    },
  },
};
const CODE = `
import type { App } from 'treadle';
export default function own(app: App) {
  app.get('/own', async (request, response) => {
    const rows = [];
    for await (const row of app.rows('entry', { sort: { entry_amount: 'DESC' } })) rows.push(row.entry_amount);
    response.setContent(JSON.stringify(rows));
  });
  app.get('/bills', async (request, response) => {
    const found = await app.emit('system-model-search', { schema: 'bill' });
    response.setContent(JSON.stringify(found.getResults('rows')));
  });
  app.post('/pay/:id', async (request, response) => {
    const found = await app.emit('system-model-update', { schema: 'bill', bill_id: request.getStage('id'), bill_amount: '5' });
    response.setContent(JSON.stringify([found.isError(), found.getResults('bill_amount')]));
  });
  app.after('system-model-create', (request, response) => {
    if (response.getResults('entry_kind') === 'heard') heard.push(response.getResults('entry_amount'));
  });
  const heard: unknown[] = [];
  app.get('/heard', (request, response) => void response.setContent(JSON.stringify(heard)));
}
`;

const world: { site?: Site } = {};
const site = (): Site => world.site as Site;

const start = () =>
  boot({
    files: {
      'config/schema/entry.json': SCHEMA,
      'config/schema/bill.json': BILL,
      'config/rest/create.json': call('post', 'create', 'create'),
      'config/rest/update.json': call('patch', 'update/:entry_id', 'update'),
      'config/rest/detail.json': call('get', 'detail/:entry_id', 'detail'),
      'config/rest/remove.json': call('delete', 'remove/:entry_id', 'remove'),
      'config/rest/restore.json': call('post', 'restore/:entry_id', 'restore'),
      'config/rest/search.json': call('get', 'search', 'search'),
      'config/rest/group.json': call('get', 'group', 'search', { aggregate: ['group', 'sum', 'average'] }),
      'config/webhook/big.json': HOOK,
      'config/role/clerk.json': ROLE,
    },
    change(project) {
      project.edit<{ fields: object[] }>('config/schema/profile.json', ({ fields }) => void fields.push(PROFILE_FIELD));
      project.addController('own', CODE);
    },
  });
test.before(async () => {
  world.site = await start().catch((e: unknown) => {
    console.log(e, JSON.stringify((e as { problems?: unknown }).problems, null, 1));
    throw e;
  });
});
test.after(() => world.site?.close());

type Row = Record<string, unknown>;
const create = (json: Row) => site().send('POST', '/rest/public/entry/create', { json });
async function make(json: Row): Promise<Row> {
  const answer = await create(json);
  assert.is(answer.status, 201, answer.text);
  return answer.json().results;
}
const shown = async (id: unknown): Promise<Row> => (await site().get(`/rest/public/entry/detail/${id}`)).json().results;
const pick = ({ entry_number, entry_amount, entry_rate }: Row): unknown[] => [entry_number, entry_amount, entry_rate];

test('a create answers the text with all digits, a default too; what has more digits is 422', async () => {
  const made = await make({ entry_number: 7, entry_rate: '.5', entry_kind: 'a' });
  assert.equal(pick(made), ['7.00', '1.50', '0.5000']);
  assert.equal(pick(await shown(made.entry_id)), ['7.00', '1.50', '0.5000']);
  for (const json of [
    { entry_number: '1.005' },
    { entry_amount: 0.001 },
    { entry_number: '10000' },
    { entry_rate: 'x' },
  ]) {
    const { status, text } = await create(json);
    assert.is(status, 422, text);
    assert.match(text, Object.keys(json)[0] as never);
  }
});

test('the same number in another form is taken', async () => {
  const made = await make({ entry_number: '8.10', entry_kind: 'b', entry_rate: 1 });
  for (const entry_number of ['8.1', 8.1, '+08.10', '81e-1']) {
    const { status, text } = await create({ entry_number });
    assert.is(status, 409, text);
  }
  const together = await create({ entry_kind: 'b', entry_rate: '1.0000' });
  assert.equal([together.status, together.json().message], [409, 'This rate is there']);
  assert.is((await site().send('DELETE', `/rest/public/entry/remove/${made.entry_id}`)).status, 200);
  const next = await make({ entry_number: '8.1', entry_kind: 'b', entry_rate: 1 });
  const restored = await site().send('POST', `/rest/public/entry/restore/${made.entry_id}`);
  assert.is(restored.status, 409, restored.text);
  assert.match(restored.text, new RegExp(`Entry ${next.entry_id} has the same`));
});

test('an update by its version changes the row once; history has both texts and gives the first back', async () => {
  const { entry_id: id } = await make({ entry_number: '9', entry_amount: '100.50' });
  const { etag } = (await site().get(`/rest/public/entry/detail/${id}`)).headers;
  const send = (json: Row) =>
    site().send('PATCH', `/rest/public/entry/update/${id}`, { json, headers: { 'if-match': String(etag) } });
  const changed = await send({ entry_amount: '99.9' });
  assert.equal([changed.status, changed.json().results.entry_amount], [200, '99.90']);
  assert.is((await send({ entry_amount: '1' })).status, 412);
  assert.is((await shown(id)).entry_amount, '99.90');
  const entries = (await site().rows('treadle_history')).filter((row) => row.subject === 'entry' && row.row_id === id);
  const update = entries.at(-1) as Row;
  assert.match(String(update.entry), /"100\.50"/);
  assert.match(String(update.entry), /"99\.90"/);
  await site().emit('history-revert', { history_id: update.history_id, version: 'before' });
  assert.is((await shown(id)).entry_amount, '100.50');
  const gone = await site().send('DELETE', `/rest/public/entry/remove/${id}`);
  assert.is(gone.json().results.entry_amount, '100.50', gone.text);
});

test('code adds to a decimal exactly', async () => {
  const { entry_id } = await make({ entry_number: '10', entry_amount: '9999999999999.79' });
  const add = (increment: unknown) =>
    site().app.emit('system-model-update', { schema: 'entry', entry_id, entry_amount: { increment } });
  for (const amount of [0.05, '0.05', 0.1, -0.1]) assert.not((await add(amount)).isError(), String(amount));
  assert.is((await shown(entry_id)).entry_amount, '9999999999999.89');
  for (const amount of ['0.001', 0.2, 'x']) assert.ok((await add(amount)).isError(), String(amount));
  assert.is((await shown(entry_id)).entry_amount, '9999999999999.89');
});

test('an import finds rows by a decimal, whatever its form, and names what does not fit', async () => {
  const before = await make({ entry_number: '20.5', entry_amount: 1 });
  site().project.write('rows.csv', 'entry_number,entry_amount\n20.50,2.5\n21,"3.07"\n');
  await site().cli('import', 'entry', 'rows.csv', '--yes');
  assert.equal(pick(await shown(before.entry_id)), ['20.50', '2.50', null]);
  const { rows } = (await site().get('/rest/public/entry/search?filter[entry_number]=21.0')).json().results;
  assert.equal(rows.map(pick), [['21.00', '3.07', null]]);
  site().project.write('bad.ndjson', '{"entry_number":"22"}\n{"entry_number":"22.00"}\n{"entry_amount":"0.001"}\n');
  const error = await site()
    .cli('import', 'entry', 'bad.ndjson', '--yes')
    .then(() => '', String);
  assert.match(error, /same value/);
  assert.match(error, /entry_amount/);
});

test('web hooks compare and carry the text', async () => {
  for (const entry_amount of ['99.99', '100', '100.50', '100.51', '1000'])
    await make({ entry_amount, entry_kind: 'hook' });
  const sent = (await site().rows('treadle_event')).map(({ data }) => JSON.parse(String(data)) as Row);
  assert.equal(
    sent.filter(({ entry_kind }) => entry_kind === 'hook').map(({ entry_amount }) => entry_amount),
    ['100.00', '100.50', '1000.00'],
  );
});

/** A query and the amounts that it finds. */
const QUERIES: readonly (readonly [string, readonly string[]])[] = [
  ['filter[entry_amount]=100', ['100.00']],
  ['filter[entry_amount]=100.000', ['100.00']],
  ['filter[entry_amount]=100.001', []],
  ['filter[entry_amount][gte]=100.5', ['100.50', '100.51', '1000.00']],
  ['filter[entry_amount][gt]=100.505', ['100.51', '1000.00']],
  ['filter[entry_amount][lt]=99.991', ['99.99']],
  ['filter[entry_amount][between]=99.995,100.505', ['100.00', '100.50']],
  ['filter[entry_amount][in]=100,1e3,7.777', ['100.00', '1000.00']],
  ['filter[entry_amount][nin]=100,1e3', ['99.99', '100.50', '100.51']],
  ['filter[entry_amount][lte]=99999999999999999999', ['99.99', '100.00', '100.50', '100.51', '1000.00']],
  ['filter[entry_amount][gt]=99999999999999999999', []],
  ['sort=-entry_amount&limit=2', ['1000.00', '100.51']],
  ['filter[entry_amount][gte]=100.5&sort=-entry_created&limit=9', ['100.50', '100.51', '1000.00']],
];

test('searches, groups, sums and averages by HTTP', async () => {
  for (const [query, amounts] of QUERIES) {
    const answer = await site().get(`/rest/public/entry/search?filter[entry_kind]=hook&${query}`);
    assert.is(answer.status, 200, answer.text);
    const found = answer.json().results.rows.map(({ entry_amount }: Row) => entry_amount);
    assert.equal(
      query.includes('sort=-entry_amount') ? found : found.sort((a: string, b: string) => +a - +b),
      amounts,
      query,
    );
  }
  const group = 'filter[entry_kind]=hook&group=entry_kind&sum=entry_amount&average=entry_amount';
  const { rows } = (await site().get(`/rest/public/entry/group?${group}`)).json().results;
  assert.equal(rows, [{ entry_kind: 'hook', count: 5, total: '1401.00', average: '280.200000' }]);
  const refused = await site().get('/rest/public/entry/search?average=entry_amount');
  assert.is(refused.status, 400, refused.text);
});

test("rules compare with a person's own decimal, for a search and for a write", async () => {
  const clerk = await site().as('Cleo', ['clerk']);
  const account = await site().emit('auth-detail', { auth_slug: 'cleo@example.org' });
  const { profile_id } = account.getResults() as Row;
  await site().emit('system-model-update', { schema: 'profile', profile_id, profile_limit: '100.005' });
  const detail = await site().emit('auth-detail', { auth_slug: 'cleo@example.org' });
  assert.is((detail.getResults() as Row).profile_limit, '100.005');
  const found = await site().emit('auth-search', { q: 'cleo' });
  assert.is((found.getResults('rows') as Row[])[0]?.profile_limit, '100.005');
  const ids: unknown[] = [];
  for (const bill_amount of ['100.01', '100.00', '0.01', '0.02', null]) {
    const made = await site().emit('system-model-create', { schema: 'bill', bill_amount });
    ids.push(made.getResults('bill_id'));
  }
  const list = JSON.parse((await clerk.get('/bills')).text) as Row[];
  assert.equal(
    list.map(({ bill_amount }) => bill_amount),
    ['100.00', '0.01', '0.02'],
  );
  assert.equal(JSON.parse((await clerk.post(`/pay/${ids[3]}`, {})).text)[0], true, 'beyond the rule');
  // The rule holds for the row before, and for the row after.
  assert.equal(JSON.parse((await clerk.post(`/pay/${ids[2]}`, {})).text)[0], true, 'out of reach');
});

test('own code reads texts: app.rows, listeners', async () => {
  await make({ entry_kind: 'heard', entry_amount: '0.1' });
  const rows = JSON.parse((await site().get('/own')).text) as string[];
  assert.is(rows[0], '9999999999999.89');
  assert.ok(
    rows.every((text) => /^-?\d+\.\d\d$/.test(text)),
    rows.join(),
  );
  const heard = await until(async () => {
    const list = JSON.parse((await site().get('/heard')).text) as unknown[];
    return list.length > 0 ? list : undefined;
  });
  assert.equal(heard, ['0.10']);
});

test.run();
