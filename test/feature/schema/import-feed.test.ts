import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Messages } from '../../../src/core/request/response.ts';
import { systemPasswords } from '../../../src/core/secret/password.ts';
import { type FedRow, RowFeed, type RowFeedOptions } from '../../../src/plan/emit/row-feed.ts';
import { IdSet } from '../../../src/store/write/id-set.ts';
import { type Bench, onBench } from './_bench.ts';

const test = suite('import by feed');

const ACTIVE = { name: 'active', type: 'active' };
const label = (name: string) => ({ singular: name, plural: `${name}s` });
const SCHEMAS = [
  { name: 'tag', ...label('Tag'), fields: [{ name: 'name', type: 'text', unique: true }] },
  {
    name: 'item',
    ...label('Item'),
    fields: [
      { name: 'title', type: 'text', required: true, searchable: true },
      { name: 'code', type: 'text', unique: true },
      { name: 'start', type: 'number' },
      { name: 'end', type: 'number', validation: [{ method: 'column_gte', parameters: 'item_start' }] },
      { name: 'pass', type: 'password', validation: [{ method: 'char_lte', parameters: 20 }] },
      { name: 'key', type: 'uuid' },
      { name: 'address', type: 'ipaddress' },
      ACTIVE,
      { name: 'created', type: 'created' },
      { name: 'updated', type: 'updated' },
    ],
    relations: [
      { schema: 'item', kind: '1:0', name: 'above' },
      { schema: 'item', kind: 'N:N', name: 'peer' },
      { schema: 'tag', kind: 'N:N' },
    ],
  },
];

type Row = Record<string, unknown>;
const on = (fn: (bench: Bench) => Promise<void>) => () => onBench(fn, SCHEMAS);

interface Fed {
  readonly bad: [number, Messages][];
  readonly new: unknown;
  readonly old: unknown;
  readonly message: string | undefined;
}

/** Imports batches of rows; lines are numbered across all of them. */
async function feed(
  { emit }: Bench,
  batches: readonly (readonly unknown[])[],
  more: Partial<RowFeedOptions> & { readonly stage?: Row } = {},
): Promise<Fed> {
  const bad: [number, Messages][] = [];
  let line = 0;
  async function* rows(): AsyncGenerator<FedRow[]> {
    for (const batch of batches) {
      yield batch.map((values) => {
        line += 1;
        return { line, values };
      });
    }
  }
  const { stage, ...options } = more;
  const refuse = ({ line: at }: FedRow, messages: Readonly<Messages>) => void bad.push([at, { ...messages }]);
  const feeding = new RowFeed({ batches: rows(), refuse, ...options });
  const done = await emit('system-model-import', { schema: 'item', rows: feeding, ...stage });
  bad.sort(([a], [b]) => a - b);
  return { bad, new: done.getResults('new'), old: done.getResults('old'), message: done.getMessage() };
}

const all = ({ database }: Bench, table = 'item'): Promise<Row[]> =>
  database.kysely
    .selectFrom(table)
    .selectAll()
    .orderBy(table === 'item' ? 'item_id' : 'tag_id')
    .execute();
const titles = async (bench: Bench): Promise<unknown[]> => (await all(bench)).map((row) => row.item_title);

test(
  'batches are one import: one commit, one word to the hooks, counts in all',
  on(async (bench) => {
    const done = await feed(bench, [[{ title: 'a' }, { title: 'b' }], [{ title: 'c' }]]);
    assert.equal([done.new, done.old, done.bad], [3, 0, []]);
    assert.equal(await titles(bench), ['a', 'b', 'c']);
    assert.equal(bench.committed, [{ event: 'system-model-import', results: { data: [], new: 3, old: 0 } }]);
    const again = await feed(bench, [[{ item_id: 2, title: 'B' }], [{ title: 'd' }]]);
    assert.equal([again.new, again.old], [1, 1]);
    assert.equal(await titles(bench), ['a', 'B', 'c', 'd']);
  }),
);

const TWICE = 'An earlier row has the same value';
const CLASHES: readonly (readonly [name: string, batches: readonly Row[][], bad: [number, Messages][]])[] = [
  [
    'in one batch',
    [
      [
        { title: 'a', code: 'x' },
        { title: 'b', code: 'x' },
      ],
    ],
    [[2, { item_code: 'Row 1 has the same value' }]],
  ],
  ['between batches', [[{ title: 'a', code: 'x' }], [{ title: 'b', code: 'x' }]], [[2, { item_code: TWICE }]]],
  ['by id, between batches', [[{ item_id: 7, title: 'a' }], [{ item_id: 7, title: 'b' }]], [[2, { item_id: TWICE }]]],
  [
    'one row by id and by value',
    [
      [
        { item_id: 1, title: 'a' },
        { code: 'old', title: 'b' },
      ],
    ],
    [[2, { item_id: TWICE }]],
  ],
  ['a value of another row', [[{ item_id: 1, code: 'other' }]], [[1, { item_code: 'Code is already taken' }]]],
  ['a given id that a new row just got', [[{ title: 'a' }], [{ item_id: 3, title: 'b' }]], [[2, { item_id: TWICE }]]],
  [
    'a bad row takes nothing from a good one',
    [
      [
        { title: 't', code: 'x', start: 'no' },
        { title: 'b', code: 'x' },
      ],
    ],
    [[1, { item_start: 'Start must be a whole number' }]],
  ],
];

for (const [name, batches, bad] of CLASHES) {
  test(
    `clash: ${name}`,
    on(async (bench) => {
      await bench.insert('item', { item_title: 'one', item_code: 'old', item_active: 1 });
      await bench.insert('item', { item_title: 'two', item_code: 'other', item_active: 1 });
      const before = await all(bench);
      const done = await feed(bench, batches);
      assert.equal(
        done.bad.map(([line, messages]) => [line, Object.fromEntries(Object.entries(messages).slice(0, 1))]),
        bad,
      );
      assert.match(done.message ?? '', 'not valid');
      assert.equal(await all(bench), before, 'nothing is stored');
      assert.equal(bench.committed, []);
      // PostgreSQL's counter does not go back, so the id differs the second time.
      if (name.includes('just got')) return;
      const skipped = await feed(bench, batches, { skipsBad: true });
      assert.is(skipped.bad.length, bad.length);
      assert.is(Number(skipped.new) + Number(skipped.old), batches.flat().length - bad.length);
    }),
  );
}

test(
  'a trial names what it would do and does nothing',
  on(async (bench) => {
    const done = await feed(bench, [[{ title: 'a' }], [{ title: '' }]], { skipsBad: true, stage: { dry_run: true } });
    assert.equal([done.new, done.bad], [1, [[2, { item_title: 'Title is required' }]]]);
    assert.equal([await titles(bench), bench.committed], [[], []]);
  }),
);

test(
  'a source that fails in the middle takes everything back',
  on(async (bench) => {
    async function* rows(): AsyncGenerator<FedRow[]> {
      yield [{ line: 1, values: { title: 'a' } }];
      throw new Error('the file ends here');
    }
    try {
      await bench.emit('system-model-import', { schema: 'item', rows: new RowFeed({ batches: rows() }) });
      assert.unreachable();
    } catch (error) {
      assert.is((error as Error).message, 'the file ends here');
    }
    assert.equal(await titles(bench), []);
  }),
);

test(
  'rows lead to rows that come before, after, in the same batch and to themselves',
  on(async (bench) => {
    const done = await feed(bench, [
      [
        { item_id: 1, title: 'a', above_id: 3, peer: [2, 4] },
        { item_id: 2, title: 'b', above_id: 1, peer: '1;2' },
      ],
      [
        { item_id: 3, title: 'c', above_id: 3, peer_ids: [] },
        { item_id: 4, title: 'd', above_id: 2 },
      ],
    ]);
    assert.equal(done.bad, []);
    assert.equal(
      (await all(bench)).map((row) => row.above_id),
      [3, 1, 3, 2],
    );
    const links = await bench.database.kysely
      .selectFrom('item_peer')
      .selectAll()
      .orderBy('item_id_1')
      .orderBy('item_id_2')
      .execute();
    assert.equal(
      links.map((row) => [row.item_id_1, row.item_id_2]),
      [
        [1, 2],
        [1, 4],
        [2, 1],
        [2, 2],
      ],
    );
    const lost = [
      [
        { title: 'e', above_id: 99 },
        { title: 'f', peer: [98] },
      ],
      [{ item_id: 1, above_id: 97 }, { title: 'g' }],
    ];
    const bad: [number, Messages][] = [
      [1, { above_id: 'Above 99 does not exist' }],
      [2, { peer: 'Item 98 does not exist' }],
      [3, { above_id: 'Above 97 does not exist' }],
    ];
    assert.equal((await feed(bench, lost)).bad, bad);
    assert.is((await all(bench)).length, 4);
    const skipped = await feed(bench, lost, { skipsBad: true });
    assert.equal([skipped.bad, skipped.new, skipped.old], [bad, 1, 0]);
    assert.equal(await titles(bench), ['a', 'b', 'c', 'd', 'g']);
    assert.is((await all(bench))[0]?.above_id, 3, 'as it was');
  }),
);

test(
  'an N:N is a list of ids: linked for a new row, replaced for one that is there, left where it is not said',
  on(async (bench) => {
    for (const tag_name of ['x', 'y', 'z']) await bench.insert('tag', { tag_name });
    const tags = async () => {
      const rows = await bench.database.kysely.selectFrom('item_tag').selectAll().orderBy('tag_id').execute();
      return rows.map((row) => row.tag_id);
    };
    await feed(bench, [[{ title: 'a', code: 'a', tag: [1, { tag_id: 2 }] }]]);
    assert.equal(await tags(), [1, 2]);
    await feed(bench, [[{ code: 'a', tag_ids: '[2,3]' }]]);
    assert.equal(await tags(), [2, 3]);
    await feed(bench, [[{ code: 'a', title: 'b' }]]);
    assert.equal(await tags(), [2, 3]);
    const bad = await feed(bench, [
      [
        { code: 'a', tag: [9] },
        { title: 'c', tag: 'x' },
      ],
    ]);
    assert.equal(bad.bad, [
      [1, { tag: 'Tag 9 does not exist' }],
      [2, { tag: '"tag" is a list of ids' }],
    ]);
    await feed(bench, [[{ code: 'a', tag: null }]]);
    assert.equal(await tags(), []);
  }),
);

const OWN = {
  title: 'a',
  key: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  address: '192.0.2.1',
  created: '2001-02-03 04:05:06',
  updated: '2002-02-03 04:05:06',
  active: 0,
};

test(
  'what is Treadle’s to set is kept of one’s own data only',
  on(async (bench) => {
    await feed(bench, [[OWN]], { isOwn: true });
    await feed(bench, [[OWN]]);
    const [own, other] = await all(bench);
    assert.equal(
      [own?.item_key, own?.item_address, own?.item_created, own?.item_updated, own?.item_active],
      ['6f9619ff-8b86-4d01-b42d-00c04fc964ff', '192.0.2.1', '2001-02-03 04:05:06', '2002-02-03 04:05:06', 0],
    );
    assert.match(String(other?.item_key), /^[0-9a-f-]{36}$/);
    assert.equal([other?.item_created, other?.item_active], ['2026-01-31 12:00:00', 0]);
    const wrong = await feed(bench, [[{ ...OWN, created: 'yesterday', address: 'x' }]], { isOwn: true });
    assert.equal(Object.keys(wrong.bad[0]?.[1] ?? {}).sort(), ['item_address', 'item_created']);
    await feed(bench, [[{ item_id: 1, updated: '2003-01-01 00:00:00', title: 'b' }]], { isOwn: true });
    assert.equal(
      [(await all(bench))[0]?.item_updated, (await all(bench))[0]?.item_created],
      ['2003-01-01 00:00:00', '2001-02-03 04:05:06'],
    );
  }),
);

// scrypt of "open sesame" with 16 zero bytes of salt, by this program's own parameters.
const HASH = '$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA$';

test(
  'a plain password is hashed; a hash is kept of one’s own data only',
  on(async (bench) => {
    await feed(bench, [[{ title: 'a', pass: 'open sesame' }]]);
    const stored = String((await all(bench))[0]?.item_pass);
    assert.ok(stored.startsWith('$scrypt$') && (await systemPasswords.verify('open sesame', stored)));
    await feed(bench, [[{ title: 'b', pass: stored }]], { isOwn: true });
    assert.is((await all(bench))[1]?.item_pass, stored, 'longer than the rule lets a person choose');
    const refused = await feed(bench, [[{ title: 'c', pass: stored }]]);
    assert.equal(Object.keys(refused.bad[0]?.[1] ?? {}), ['item_pass']);
    const broken = await feed(bench, [[{ title: 'c', pass: HASH }]], { isOwn: true });
    assert.equal(Object.keys(broken.bad[0]?.[1] ?? {}), ['item_pass'], 'a hash without a key is none');
    await feed(bench, [[{ item_id: 1, pass: '' }]]);
    assert.is((await all(bench))[0]?.item_pass, stored, 'an empty one changes nothing');
  }),
);

test(
  'rules that compare columns see what a changed row has already',
  on(async (bench) => {
    await feed(bench, [[{ title: 'a', code: 'a', start: 10, end: 20 }]]);
    const bad = await feed(bench, [[{ code: 'a', end: 5 }]]);
    assert.equal(Object.keys(bad.bad[0]?.[1] ?? {}), ['item_end']);
    assert.equal((await feed(bench, [[{ code: 'a', end: 15 }]])).bad, []);
    assert.equal(Object.keys((await feed(bench, [[{ code: 'a', start: 16 }]])).bad[0]?.[1] ?? {}), ['item_end']);
  }),
);

test(
  'words are found in what was imported, and in what it changed',
  on(async (bench) => {
    const find = async (q: string): Promise<unknown> =>
      (await bench.emit('system-model-search', { schema: 'item', q })).getResults('total');
    await feed(bench, [
      [
        { title: 'amber loom', code: 'a' },
        { title: 'amber reed', code: 'b' },
      ],
    ]);
    assert.equal([await find('amber'), await find('loom')], [2, 1]);
    await feed(bench, [
      [
        { code: 'a', title: 'copper loom' },
        { code: 'b', start: 1 },
      ],
    ]);
    assert.equal([await find('amber'), await find('copper'), await find('reed')], [1, 1, 1]);
  }),
);

test(
  'with isNew a row that is there is a bad one',
  on(async (bench) => {
    await feed(bench, [[{ title: 'a', code: 'a' }]]);
    const done = await feed(bench, [[{ title: 'b', code: 'a' }]], { isNew: true });
    assert.equal(done.bad, [[1, { item_code: 'Code is already taken' }]]);
  }),
);

test(
  'what only the database can refuse is named row by row',
  on(async (bench) => {
    // A constraint that the model does not know simulates a race that another process wins.
    const make = {
      sqlite: 'create unique index own on item (item_start)',
      postgres: 'create unique index own on item (item_start)',
    };
    const { CompiledQuery } = await import('kysely');
    await bench.database.run(CompiledQuery.raw(make[bench.database.dialect]));
    const rows = [
      { title: 'a', start: 1 },
      { title: 'b', start: 1 },
      { title: 'c', start: 2 },
    ];
    const done = await feed(bench, [rows]);
    assert.equal(done.bad, [[2, { item_start: 'Start is already taken' }]]);
    assert.equal(await titles(bench), []);
    const skipped = await feed(bench, [rows], { skipsBad: true });
    assert.equal([skipped.new, await titles(bench)], [2, ['a', 'c']]);
    const changes = [
      { item_id: 1, start: 5 },
      { item_id: 3, start: 5 },
    ];
    const ids = (await all(bench)).map((row) => row.item_id);
    const changed = await feed(bench, [changes.map((row, at) => ({ ...row, item_id: ids[at] }))], { skipsBad: true });
    assert.equal([changed.old, changed.bad], [1, [[2, { item_start: 'Start is already taken' }]]]);
  }),
);

test(
  'the counter goes on behind ids that the rows brought',
  on(async (bench) => {
    await feed(bench, [[{ item_id: 50, title: 'a' }, { title: 'b' }], [{ title: 'c' }]]);
    const made = await bench.emit('system-model-create', { schema: 'item', item_title: 'd' });
    assert.is(made.isError(), false, made.getMessage());
    assert.ok(Number(made.getResults('item_id')) > 50);
    assert.is((await all(bench)).length, 4);
  }),
);

test(
  'ids, rows and keys that are none',
  on(async (bench) => {
    const done = await feed(bench, [
      [{ item_id: 'x', title: 'a' }, 5, null, { title: 'b', titel: 1 }, { title: 'c', above_id: 'x' }],
    ]);
    assert.equal(done.bad, [
      [1, { item_id: 'The id should be a whole number from 1' }],
      [2, { row: 'A row is an object of columns and values' }],
      [3, { row: 'A row is an object of columns and values' }],
      [4, { titel: '"titel" is not a column of item. Did you mean "title"?' }],
      [5, { above_id: 'Above should be valid' }],
    ]);
    const trick = JSON.parse('{"title":"x","__proto__":{"polluted":1},"constructor":1}') as Row;
    assert.is((await feed(bench, [[trick]])).bad.length, 1);
    assert.is(({} as Row).polluted, undefined);
  }),
);

test('a set of ids, close together and far apart', () => {
  const set = new IdSet();
  const ids = [1, 31, 32, 33, 64, 1_000_000, 2 ** 40, 2 ** 52 + 1];
  for (const id of ids) set.add(id);
  for (const id of ids) assert.ok(set.has(id), String(id));
  for (const id of [0, 2, 30, 34, 63, 65, 2 ** 40 + 1, 2 ** 52]) assert.not(set.has(id), String(id));
});

test.run();
