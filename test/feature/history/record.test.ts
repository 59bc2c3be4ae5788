import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import { boot, type Site } from '../../boot.ts';
import { DIALECT } from '../../database/_where.ts';
import { bootHistory, readEntries, readNew, type Told } from './_site.ts';

const test = suite('what a history records');
const state = {} as { site: Site };
test.before(async () => {
  state.site = await bootHistory();
});
test.after(() => state.site?.close());

const make = async (name: string, more: object = {}): Promise<number> =>
  Number(
    (await state.site.emit('system-model-create', { schema: 'thing', thing_name: name, ...more })).getResults(
      'thing_id',
    ),
  );
const brief = ({ subject, action, row, changes, details }: Told) => ({ subject, action, row, changes, details });
const LONG = 'A long text. '.repeat(40);

test('a row that is removed by one statement is kept as it was created, in every type', async () => {
  const { site } = state;
  const row = {
    kind_text: 'Loom',
    kind_integer: 7,
    kind_float: 0.1,
    kind_price: 12.5,
    kind_step: 0.01,
    kind_on: true,
    kind_date: '2026-01-02',
    kind_moment: '2026-01-02 03:04:05',
    kind_time: '03:04:05',
    kind_tags: ['x', 'y'],
    kind_facts: { a: [1, { b: null }] },
    kind_uuid: '7f7c7a52-6b43-4b0e-9d2e-8c1f9d3f2a10',
  };
  const [made] = await readNew(site, () => site.emit('system-model-create', { schema: 'kind', ...row }));
  const changes = Object.entries((made?.changes ?? {}) as Record<string, unknown[]>).map(([name, [, is]]) => [
    name,
    [is, null],
  ]);
  assert.ok(changes.length >= Object.keys(row).length);
  const stage = { schema: 'kind', kind_id: made?.row };
  const told = await readNew(site, () => site.emit('system-model-remove', stage));
  assert.equal(told.map(brief), [
    { subject: 'kind', action: 'remove', row: made?.row, changes: Object.fromEntries(changes), details: undefined },
  ]);
});

test('each kind of change, field by field, before and after', async () => {
  const { site } = state;
  const made = await readNew(site, () =>
    make('Loom', { thing_count: 1, thing_facts: { a: 1 }, thing_pin: 'secret-pin-1' }),
  );
  const id = Number(made[0]?.row);
  const changes = { thing_name: [null, 'Loom'], thing_count: [null, 1], thing_facts: [null, { a: 1 }] };
  assert.equal(made.map(brief), [{ subject: 'thing', action: 'create', row: id, changes, details: undefined }]);
  const CASES: readonly (readonly [string, object, readonly unknown[]])[] = [
    ['system-model-update', { thing_count: 2 }, [['update', { thing_count: [1, 2] }]]],
    ['system-model-update', { thing_count: 2, thing_name: 'Loom' }, []],
    [
      'system-model-update',
      { thing_facts: { a: 1, b: [2] } },
      [['update', { thing_facts: [{ a: 1 }, { a: 1, b: [2] }] }]],
    ],
    ['system-model-update', { thing_count: null }, [['update', { thing_count: [2, null] }]]],
    ['system-model-update', { thing_pin: 'secret-pin-2' }, [['update', { thing_pin: [] }]]],
    ['system-model-update', { thing_detail: LONG }, [['update', { thing_detail: [null] }]]],
    ['system-model-update', { thing_detail: 'Short' }, [['update', { thing_detail: [LONG, 'Short'] }]]],
    [
      'system-model-remove',
      {},
      [
        [
          'remove',
          { thing_name: ['Loom', null], thing_detail: ['Short', null], thing_facts: [{ a: 1, b: [2] }, null] },
        ],
      ],
    ],
  ];
  for (const [event, stage, expected] of CASES) {
    const told = await readNew(site, () => site.emit(event, { schema: 'thing', thing_id: id, ...stage }));
    assert.equal(
      told.map(({ action, changes: found }) => [action, found]),
      expected,
      JSON.stringify(stage).slice(0, 80),
    );
  }
  assert.not.match(JSON.stringify(await readEntries(site)), /secret-pin|scrypt/);
});

// On PostgreSQL the entry is made before the statement that writes the row.
test('an entry has the values as a detail gives them, whatever their type', async () => {
  const { site } = state;
  const detail = async (id: unknown) =>
    (await site.emit('system-model-detail', { schema: 'kind', kind_id: id })).getResults() as Record<string, unknown>;
  const first = {
    kind_text: 'Loom',
    kind_detail: '<p>Warp <script>x</script></p>',
    kind_integer: '12',
    kind_float: 0.1,
    kind_price: '10.50',
    kind_step: '2.10',
    kind_on: true,
    kind_date: '2026-01-02',
    kind_moment: '2026-01-02 03:04:05',
    kind_time: '03:04',
    kind_tags: ['x', 'y'],
    kind_facts: { longer: 1, b: 1e2 },
  };
  let id: unknown;
  const [made] = await readNew(site, async () => {
    id = (await site.emit('system-model-create', { schema: 'kind', ...first })).getResults('kind_id');
  });
  const before = await detail(id);
  const { kind_id: _, ...values } = before;
  const toPairs = ([name, value]: [string, unknown]) => [name, [null, value]];
  assert.equal(made?.changes, Object.fromEntries(Object.entries(values).map(toPairs)));
  assert.is(values.kind_level, 3);
  const CHANGES: readonly object[] = [
    { kind_text: 'Heddle', kind_integer: 7, kind_float: '1e3', kind_on: false, kind_moment: '2026-01-02 03:04:06' },
    { kind_facts: { b: 100, longer: 2 }, kind_tags: null, kind_time: '04:05', kind_level: null },
  ];
  for (const stage of CHANGES) {
    const was = await detail(id);
    const [told] = await readNew(site, () =>
      site.emit('system-model-update', { schema: 'kind', kind_id: id, ...stage }),
    );
    const is = await detail(id);
    assert.equal(told?.changes, Object.fromEntries(Object.keys(stage).map((name) => [name, [was[name], is[name]]])));
  }
  // What is sent again in another form is no change; PostgreSQL stores no order of keys.
  const again = {
    kind_float: '1000',
    kind_facts: DIALECT === 'postgres' ? { longer: 2, b: 1e2 } : { b: 1e2, longer: 2 },
    kind_moment: '2026-01-02T03:04:06',
    kind_on: '0',
  };
  const told = await readNew(site, () => site.emit('system-model-update', { schema: 'kind', kind_id: id, ...again }));
  assert.equal(
    told.map(({ changes }) => changes),
    [],
  );
});

test('soft removal and restoring', async () => {
  const { site } = state;
  const made = await site.emit('system-model-create', { schema: 'article', article_title: 'T' });
  const stage = { schema: 'article', article_id: made.getResults('article_id') };
  const told = await readNew(site, async () => {
    await site.emit('system-model-remove', stage);
    await site.emit('system-model-restore', stage);
  });
  assert.equal(
    told.map(({ action, changes }) => [action, changes]),
    [
      ['remove', { article_active: [1, 0] }],
      ['restore', { article_active: [0, 1] }],
    ],
  );
});

test('a link is told at both rows, and linking again is not', async () => {
  const { site } = state;
  const article = (await site.emit('system-model-create', { schema: 'article', article_title: 'T' })).getResults(
    'article_id',
  );
  const thing = await make('Linked');
  const stage = { schema1: 'thing', schema2: 'article', thing_id: thing, article_id: article };
  const told = await readNew(site, async () => {
    await site.emit('system-relation-link', stage);
    await site.emit('system-relation-link', stage);
    await site.emit('system-relation-unlink', stage);
    await site.emit('system-relation-link', stage);
    await site.emit('system-relation-unlink-all', { schema1: 'thing', schema2: 'article', thing_id: thing });
  });
  const [at, of] = [
    { relation: 'article', schema: 'article', id: article },
    { relation: 'article', schema: 'thing', id: thing },
  ];
  assert.equal(
    told.map(({ subject, action, details }) => [subject, action, details]),
    [
      ['thing', 'link', at],
      ['article', 'link', of],
      ['thing', 'unlink', at],
      ['article', 'unlink', of],
      ['thing', 'link', at],
      ['article', 'link', of],
      ['thing', 'unlink', { relation: 'article', schema: 'article', removed: 1 }],
    ],
  );
});

test('requests whose rows share a commit are told apart', async () => {
  const { site } = state;
  const names = Array.from({ length: 12 }, (_, n) => `Shared ${n}`);
  const told = await readNew(site, () =>
    Promise.all(
      names.map((name) =>
        site.send('POST', '/rest/public/thing', {
          json: { thing_name: name },
          headers: { 'x-request-id': name.replace(' ', '-') },
        }),
      ),
    ),
  );
  assert.equal(
    told.map(({ request, changes = {} }) => [request, changes.thing_name]).sort(),
    names.map((name) => [name.replace(' ', '-'), [null, name]]).sort(),
  );
});

test('who, from where and by which door', async () => {
  const { site } = state;
  const headers = { 'x-request-id': 'my-request-7' };
  const [byRest] = await readNew(site, async () => {
    const answer = await site.send('POST', '/rest/public/thing', { json: { thing_name: 'Rest' }, headers });
    assert.is(answer.status, 201, answer.text);
  });
  const told = ({ door, source, address, request, person }: Told) => ({ door, source, address, request, person });
  const source = 'POST /rest/public/thing';
  assert.equal(told(byRest as Told), {
    door: 'rest',
    source,
    address: '127.0.0.1',
    request: 'my-request-7',
    person: null,
  });
  const ada = await site.as('Ada', ['admin']);
  const article = Number(
    (await site.emit('system-model-create', { schema: 'article', article_title: 'T' })).getResults('article_id'),
  );
  const byPage = await readNew(site, () => ada.post(`/article/${article}`, { comment_detail: 'Fine' }));
  assert.equal(
    byPage.map(({ subject, action, door, person }) => [subject, action, door, typeof person]),
    [['comment', 'create', 'page', 'number']],
  );
  const [bySystem] = await readNew(site, () => make('System'));
  assert.equal(told(bySystem as Told), {
    door: 'system',
    source: undefined,
    address: undefined,
    request: undefined,
    person: null,
  });
});

test('what is rolled back leaves no entry, and a batch leaves one for each row', async () => {
  const { site } = state;
  const { database } = site.app.services;
  const failed = await readNew(site, async () => {
    await database
      .transaction(async () => {
        await make('Rolled back');
        throw new Error('undone');
      })
      .catch(() => undefined);
    await site.app.emit('system-model-create', { schema: 'thing', thing_name: 'System' });
    const broken = [
      { action: 'create', values: { thing_name: 'Batch 0' } },
      { action: 'remove', id: 999_999 },
    ];
    assert.is((await site.send('POST', '/rest/public/thing/batch', { json: { operations: broken } })).status, 404);
  });
  assert.equal(failed, []);
  const operations = ['a', 'b', 'c'].map((name) => ({ action: 'create', values: { thing_name: `Batch ${name}` } }));
  const told = await readNew(site, () => site.send('POST', '/rest/public/thing/batch', { json: { operations } }));
  assert.equal(
    told.map(({ action, door }) => [action, door]),
    [
      ['create', 'rest'],
      ['create', 'rest'],
      ['create', 'rest'],
    ],
  );
});

/** Makes the database refuse each entry that has a word. */
const REFUSE =
  DIALECT === 'postgres'
    ? "alter table treadle_history add constraint refused check (entry::text not like '%refused%') not valid"
    : "create trigger refused before insert on treadle_history when new.entry like '%refused%' begin select raise(abort, 'refused'); end";

test('a row whose entry cannot be written is not written, and no entry is without its row', async () => {
  const site = await bootHistory();
  try {
    const { database } = site.app.services;
    const write = (event: string, stage: object): Promise<unknown> => site.emit(event, { schema: 'thing', ...stage });
    const create = (name: string): Promise<unknown> => write('system-model-create', { thing_name: name });
    for (const name of ['Kept 1', 'Kept 2', 'Kept 3']) await create(name);
    await database.run(CompiledQuery.raw(REFUSE));
    const names = (rows: readonly Row[]): unknown[] => rows.map(({ thing_name: name }) => name).sort();
    const before = names(await site.rows('thing'));
    // Those that share the commit on SQLite fail with it.
    const made = await Promise.allSettled([create('A'), create('B'), create('refused C'), create('D')]);
    assert.is(made[2]?.status, 'rejected');
    const update = (id: number, name: string) => write('system-model-update', { thing_id: id, thing_name: name });
    const changed = await Promise.allSettled([update(1, 'Changed'), update(2, 'refused'), update(3, 'Changed, too')]);
    assert.is(changed[1]?.status, 'rejected');
    const done = ['A', 'B', 'refused C', 'D'].filter((_, index) => made[index]?.status === 'fulfilled');
    const now = ['Changed', 'refused', 'Changed, too'].map((name, index) =>
      changed[index]?.status === 'fulfilled' ? name : `Kept ${index + 1}`,
    );
    assert.equal(names(await site.rows('thing')), [...before.slice(3), ...now, ...done].sort());
    await create('After');
    const told = (await readEntries(site)).map(({ row, changes = {} }) => [row, (changes.thing_name as unknown[])[1]]);
    const stored = await site.rows('thing');
    for (const { thing_id: id, thing_name: name } of stored)
      assert.equal(told.filter(([row]) => row === id).at(-1), [id, name]);
    assert.is(told.length, stored.length + changed.filter(({ status }) => status === 'fulfilled').length);
  } finally {
    await site.close();
  }
});

test('changes of one row at once form a chain: each begins where the one before ended', async () => {
  const { site } = state;
  const id = await make('Race', { thing_count: 0 });
  const counts = Array.from({ length: 12 }, (_, index) => index + 1);
  const told = await readNew(site, () =>
    Promise.all(
      counts.map((count) => site.emit('system-model-update', { schema: 'thing', thing_id: id, thing_count: count })),
    ),
  );
  assert.is(told.length, counts.length);
  const pairs = told.map(({ changes }) => changes?.thing_count as readonly [number, number]);
  // PostgreSQL numbers entries before they commit, so the chain is followed by value.
  let at = 0;
  for (const _ of counts) at = pairs.find(([before]) => before === at)?.[1] ?? Number.NaN;
  const row = await site.emit('system-model-detail', { schema: 'thing', thing_id: id });
  assert.is(at, row.getResults('thing_count'));
});

test('an import is one entry with counts, and one for each of its first rows', async () => {
  const { site } = state;
  await make('Import 0', { thing_count: 7 });
  const rows = Array.from({ length: 1200 }, (_, index) => ({ name: `Import ${index}`, count: index }));
  const told = await readNew(site, () => site.emit('system-model-import', { schema: 'thing', rows }));
  assert.is(told.length, 1001);
  assert.equal(brief(told.at(-1) as Told), {
    subject: 'thing',
    action: 'import',
    row: null,
    changes: undefined,
    details: { created: 1199, updated: 1, rows: 1000 },
  });
  assert.is(
    told.filter(({ action }) => action === 'create').length + told.filter(({ action }) => action === 'update').length,
    1000,
  );
  const again = await readNew(site, () =>
    site.emit('system-model-import', {
      schema: 'thing',
      rows: [
        { name: 'Import 0', count: 8 },
        { name: 'New', count: 1 },
      ],
    }),
  );
  assert.equal(
    again.map(({ action, changes }) => [action, changes]),
    [
      ['create', { thing_name: [null, 'New'], thing_count: [null, 1] }],
      ['update', { thing_count: [0, 8] }],
      ['import', undefined],
    ],
  );
  assert.equal(
    await readNew(site, () => site.emit('system-model-import', { schema: 'thing', rows, dry_run: true })),
    [],
  );
});

test('a command is a door', async () => {
  const { site } = state;
  site.project.write('rows.json', [{ name: 'By command' }]);
  const told = await readNew(site, async () => {
    await site.cli('import', 'thing', 'rows.json', '--yes');
  });
  assert.equal(
    told.map(({ action, door, source }) => [action, door, source]),
    [
      ['create', 'command', 'import'],
      ['import', 'command', 'import'],
    ],
  );
});

test('a schema with "history": false keeps none, and nor does a project with 0 days', async () => {
  const { site } = state;
  const none = await readNew(site, () => site.emit('system-model-create', { schema: 'plain', plain_name: 'A' }));
  assert.equal(none, []);
  const other = await boot({ settings: { history: { days: 0 } } });
  try {
    assert.equal(
      await readNew(other, () => other.emit('system-model-create', { schema: 'article', article_title: 'T' })),
      [],
    );
  } finally {
    await other.close();
  }
});

test.run();
