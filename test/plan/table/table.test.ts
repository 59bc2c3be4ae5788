// Also on PostgreSQL: it refuses an empty list, and its numbers end earlier.
// What holds for each of Treadle's own tables: of its columns and filters come its search, its list in the admin section and its command.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toRowLines } from '../../../src/cli/own-table.ts';
import { asSystem } from '../../../src/core/access.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { textColumn } from '../../../src/plan/table/column.ts';
import { listTableColumns } from '../../../src/plan/table/list.ts';
import type { OwnTable } from '../../../src/plan/table/own-table.ts';
import { table } from '../../../src/plan/table/table.ts';
import { boot, type Site } from '../../boot.ts';

const test = suite("plan/table: each of Treadle's own tables");

/** More than a page of any table. */
const ROWS = 120;
const NOW = 1_800_000_000;

const toDelivery = (number: number): Row => ({ event_id: `msg_${number}`, receiver: 'r' });

/** A row of each table, by the table that it is written to. */
const SEEDS: Readonly<Record<string, (number: number) => readonly (readonly [table: string, row: Row])[]>> = {
  job: (number) => [
    ['treadle_own_job', { name: `job ${number}`, state: 'done', most_attempts: 1, queued_at: NOW, due_at: NOW }],
  ],
  mail: (number) => [
    ['treadle_mail', { template: `mail ${number}`, state: 'kept', created_at: NOW, expires_at: NOW + 9 }],
  ],
  'webhook-delivery': (number) => [
    ['treadle_event', { event_id: `msg_${number}`, hook: 'none', type: 'x.made', data: '{}', created_at: NOW }],
    ['treadle_delivery', { ...toDelivery(number), hook: 'none', url: 'u', state: 'failed', created_at: NOW }],
  ],
  session: (number) => {
    const shared = { app_id: 1, auth_id: 1, profile_id: 1, scopes: '[]', created_at: NOW };
    const token = { ...shared, token_hash: `hash ${number}`, kind: 'access', grant_id: number, expires_at: NOW * 2 };
    return [
      ['treadle_grant', shared],
      ['treadle_token', token],
    ];
  },
  history: (number) => [
    [
      'treadle_history',
      {
        subject: 'article',
        row_id: number,
        created_at: NOW,
        entry: JSON.stringify({ action: 'create', door: 'system' }),
      },
    ],
  ],
};

/** Pages of the admin section that list a table by its columns. */
const PAGES: Readonly<Record<string, string>> = {
  job: '/admin/job/search',
  mail: '/admin/mail/search',
  'webhook-delivery': '/admin/delivery/search',
  session: '/admin/session/search',
};

const state: { site: Site } = { site: undefined as unknown as Site };
const listTables = (): OwnTable[] => [...state.site.app.plan.ownTables.values()];

async function search(own: OwnTable, stage: Row): Promise<Response> {
  const request = new Request().setStage(stage);
  const response = new Response(request);
  const { app } = state.site;
  await asSystem(() => app.context.emit(own.search, request, response));
  return response;
}

test.before(async () => {
  const app = { title: 'Reader', clientId: 'reader', redirectUris: [], scopes: [] };
  state.site = await boot({ files: { 'config/app/reader.json': app } });
  await state.site.as('admin', ['admin']);
  const { database } = state.site.app.services;
  for (const seed of Object.values(SEEDS))
    await database.write(async () => {
      for (let number = 1; number <= ROWS; number += 1)
        for (const [into, row] of seed(number)) await database.kysely.insertInto(into).values(row).execute();
    });
});

test.after(() => state.site.close());

test('there is a row of each in this test', () => {
  assert.equal(
    listTables()
      .map(({ name }) => name)
      .sort(),
    Object.keys(SEEDS).sort(),
  );
});

/** A value that a filter takes, and one that finds nothing or is refused. */
function toSample(own: OwnTable, column: string): string {
  const { kind = 'text', states = {} } = own.columns[column] ?? {};
  if (own.name === 'history' && column === 'door') return 'system';
  if (own.name === 'history' && column === 'action') return 'create';
  return { state: Object.keys(states)[0] ?? '', number: '1', time: '2026-01-31', text: 'x' }[kind];
}

test('a filter that is null is refused; only deliveries take it as none, as they always did', async () => {
  for (const own of listTables())
    for (const key of Object.keys(own.filters)) {
      const answer = await search(own, { [key]: null });
      assert.is(answer.isError(), own.name !== 'webhook-delivery', `${own.name} ${key}`);
      if (answer.isError()) assert.is(answer.getStatus(), own.name === 'session' ? answer.getStatus() : 422);
    }
});

test('a search takes each of its filters, and refuses any other', async () => {
  for (const own of listTables()) {
    for (const [key, { column }] of Object.entries(own.filters)) {
      const answer = await search(own, { [key]: toSample(own, column) });
      assert.is(answer.getStatus(), 200, `${own.search} ${key}: ${answer.getMessage()}`);
    }
    const refused = await search(own, { colour: 'red' });
    assert.is(refused.getStatus(), 400, own.search);
    assert.ok(own.columns[own.key], `${own.name} has no column ${own.key}`);
    for (const { column } of Object.values(own.filters)) assert.ok(own.columns[column], `${own.name} ${column}`);
  }
});

test('a list without entries finds nothing, and an id beyond any nothing or everything, on each database', async () => {
  for (const own of listTables())
    for (const [key, { operator }] of Object.entries(own.filters)) {
      const values = operator === 'in' ? [[]] : [9_007_199_254_740_991, '99999999999', '1e300', ['x'], {}];
      for (const value of values) {
        const answer = await search(own, { [key]: value });
        assert.ok(answer.getStatus() < 500, `${own.search} ${key}: ${answer.getMessage()}`);
        if (operator === 'in') assert.equal(answer.getResults('rows'), [], own.search);
      }
    }
});

test('a search pages through all rows and gives none twice', async () => {
  for (const own of listTables()) {
    const ids: unknown[] = [];
    for (let before: unknown = ''; before !== null; ) {
      const answer = await search(own, { before });
      const rows = answer.getResults<readonly Row[]>('rows');
      assert.ok(rows.length > 0, own.name);
      ids.push(...rows.map((row) => row[own.key]));
      before = answer.getResults('next');
    }
    assert.ok(ids.length >= ROWS, `${own.name} has ${ids.length}`);
    assert.is(new Set(ids).size, ids.length, own.name);
    assert.equal(
      ids,
      [...ids].sort((one, other) => Number(other) - Number(one)),
      own.name,
    );
  }
});

test('the page of the admin section shows the columns, and its filter form the filters', async () => {
  const admin = await state.site.as('admin');
  for (const [name, path] of Object.entries(PAGES)) {
    const own = state.site.app.plan.ownTables.get(name) as OwnTable;
    const { text } = await admin.get(path);
    for (const [, { label }] of listTableColumns(own, 'page'))
      assert.match(text, `<th scope="col">${label}</th>`, `${path} ${label}`);
    const offered = Object.values(own.filters).filter(
      ({ column, label }) => (label ?? own.columns[column]?.label) && column !== own.key,
    );
    for (const { column } of offered) assert.match(text, `<option value="${column}">`, `${path} ${column}`);
    assert.ok(offered.length > 0, path);
  }
});

test('the filter form leads to the address that has each filter by its key', async () => {
  const admin = await state.site.as('admin');
  const where = (index: number, name: string, op: string, value: string, list = ''): string =>
    `where[${index}][name]=${name}&where[${index}][op]=${op}&where[${index}][value]${list}=${value}`;
  for (const [form, target] of [
    [
      `/admin/job/search?form=1&${where(0, 'state', 'in', 'failed', '[]')}&where[0][value][]=done`,
      'state=failed%2Cdone',
    ],
    [`/admin/mail/search?form=1&${where(0, 'state', 'eq', 'sent')}&add=state`, 'state=sent&add=state'],
    [`/admin/delivery/search?form=1&${where(0, 'created_at', 'lt', '2026-01-31')}`, 'until=2026-01-31'],
    [`/admin/session/search?form=1&${where(0, 'auth_id', 'eq', '1')}`, 'auth_id=1'],
    [`/admin/job/search?form=1&${where(0, 'data', 'eq', 'x')}`, ''],
    [
      `/admin/job/search?form=1&${where(0, 'state', 'in', 'failed')}&${where(1, 'state', 'in', 'done')}`,
      'state=failed%2Cdone',
    ],
    [`/admin/job/search?form=1&${where(0, 'name', 'eq', 'a,b')}&${where(1, 'name', 'eq', 'c,c')}`, 'name=c%2Cc'],
  ] as const) {
    const answer = await admin.get(form);
    assert.is(answer.status, 303, form);
    assert.is(answer.location, [form.split('?')[0], target].filter((part) => part !== '').join('?'));
  }
  const added = await admin.get('/admin/job/search?state=failed&add=name');
  assert.match(added.text, 'Filter (2)');
  assert.match(added.text, '<option value="failed" selected>');
});

test('a filter that an address has twice, or that the form does not show, neither widens nor narrows the list unseen', async () => {
  const admin = await state.site.as('admin');
  assert.match((await admin.get('/admin/job/search?state=done&state=failed')).text, 'Filter (1)');
  assert.match((await admin.get('/admin/job/search?state[]=failed')).text, 'Filter (1)');
  for (const key of ['receiver', 'delivery_id', 'after'])
    assert.not.match((await admin.get(`/admin/delivery/search?${key}=99999`)).text, 'No delivery matches', key);
});

test('a new column in one place is in the answer, on the page and in the command', async () => {
  const { app } = state.site;
  const jobs = app.plan.ownTables.get('job') as OwnTable;
  const columns = { ...jobs.columns, waits: textColumn('pending_key', { label: 'Waits as' }) };
  const search = { description: '', kind: 'silent', stage: () => ({}), results: '' } as const;
  const wider = table({ ...jobs, columns }, { search });
  const request = new Request();
  const response = new Response(request);
  await asSystem(async () => {
    await wider.events[0]?.listen(app.context)(request, response, { event: wider.search } as never);
  });
  const rows = response.getResults<readonly Row[]>('rows');
  assert.is(rows[0]?.waits, null);
  const tables = app.plan.ownTables as Map<string, OwnTable>;
  tables.set('job', wider);
  try {
    const { text } = await (await state.site.as('admin')).get('/admin/job/search');
    assert.match(text, '<th scope="col">Waits as</th>');
    assert.match(
      toRowLines(app, 'job', [{ ...rows[0], waits: 'turn' }], { hasHead: true }).join('\n'),
      /waits as[\s\S]*turn/,
    );
  } finally {
    tables.set('job', jobs);
  }
});

test.run();
