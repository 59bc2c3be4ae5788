import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAccess, SYSTEM } from '../../../src/core/access.ts';
import { RowFeed } from '../../../src/plan/emit/row-feed.ts';
import { type Bench, onBench } from './_bench.ts';

const test = suite('removed rows');

const ACTIVE = { name: 'active', type: 'active' };
const TIMES = [
  { name: 'created', type: 'created' },
  { name: 'updated', type: 'updated' },
];
const schema = (name: string, fields: readonly unknown[], more: object = {}) => ({
  name,
  singular: name[0]?.toUpperCase() + name.slice(1),
  plural: `${name[0]?.toUpperCase()}${name.slice(1)}s`,
  fields,
  ...more,
});

const SCHEMAS = [
  schema(
    'person',
    [
      { name: 'mail', type: 'email', unique: true },
      { name: 'name', type: 'text' },
      { name: 'born', type: 'date' },
      ACTIVE,
    ],
    {
      unique: [{ columns: ['person_name', 'person_born'] }],
      relations: [{ schema: 'person', kind: '1:0', name: 'boss' }],
    },
  ),
  schema('note', [{ name: 'text', type: 'text' }, ACTIVE, ...TIMES], {
    relations: [
      { schema: 'person', kind: '1:1' },
      { schema: 'person', kind: '1:0', name: 'reviewer' },
      { schema: 'person', kind: 'N:N', name: 'fan' },
    ],
  }),
  schema('team', [{ name: 'name', type: 'text' }, ACTIVE], { relations: [{ schema: 'note', kind: '1:N' }] }),
];

type Row = Record<string, unknown>;
const on = (fn: (bench: Bench) => Promise<void>) => () => onBench(fn, SCHEMAS);
const make = async ({ emit }: Bench, name: string, values: Row): Promise<number> => {
  const made = await emit('system-model-create', { schema: name, ...values });
  assert.is(made.isError(), false, JSON.stringify([name, made.getMessage(), made.getValidation()]));
  return Number(made.getResults(`${name}_id`));
};
const remove = async ({ emit }: Bench, name: string, id: number): Promise<void> =>
  assert.not((await emit('system-model-remove', { schema: name, [`${name}_id`]: id })).isError());
const read = (bench: Bench, table: string): Promise<Row[]> =>
  bench.database.kysely.selectFrom(table).selectAll().orderBy(`${table}_id`).execute();
const ANN = { person_mail: 'ann@example.org', person_name: 'Ann', person_born: '2000-01-31' };

test(
  'a removed row lets its unique values go, of one column and of several, and comes back only while they are free',
  on(async (bench) => {
    const { emit } = bench;
    const first = await make(bench, 'person', ANN);
    const taken = await emit('system-model-create', { schema: 'person', ...ANN, person_name: 'Other' });
    assert.is(taken.getValidation('person_mail'), 'Mail is already taken');
    await remove(bench, 'person', first);
    const second = await make(bench, 'person', ANN);
    const restore = (access?: Parameters<Bench['emit']>[2]) =>
      emit('system-model-restore', { schema: 'person', person_id: first }, access);
    const held = await restore();
    assert.is(held.getStatus(), 409);
    const [mail, rule] = [
      `Person ${second} has the same Mail now`,
      `Another Person has the same name and born (Person ${second})`,
    ];
    assert.is(held.getMessage(), `Person ${first} cannot be restored: ${mail}; ${rule}.`);
    assert.equal(held.getValidation(), { person_mail: mail, person_name: rule, person_born: rule });
    const blind = {
      ...createAccess({ kind: 'page' }),
      grant: (_: string, action: string) => (action === 'restore' ? {} : undefined),
    };
    assert.is(
      (await restore(blind)).getMessage(),
      `Person ${first} cannot be restored: another row has the same Mail now; Another Person has the same name and born.`,
    );
    const update = { schema: 'person', person_id: second, person_mail: 'new@example.org' };
    assert.not((await emit('system-model-update', update)).isError());
    const together = await restore();
    assert.is(together.getMessage(), `Person ${first} cannot be restored: ${rule}.`);
    assert.equal(Object.keys(together.getValidation() as Row), ['person_name', 'person_born']);
    await remove(bench, 'person', second);
    assert.not((await restore()).isError());
    const active = (await read(bench, 'person')).map(({ person_active }) => Number(person_active));
    assert.equal(active, [1, 0]);
  }),
);

test(
  'a unique value means the active row, else the newest removed one',
  on(async (bench) => {
    const { emit } = bench;
    const [old, newer] = [await make(bench, 'person', ANN), 2];
    await remove(bench, 'person', old);
    assert.is(await make(bench, 'person', ANN), newer);
    const stage = { schema: 'person', person_mail: ANN.person_mail };
    const any = { ...stage, filter: { person_active: 'any' } };
    assert.is((await emit('system-model-detail', stage)).getResults('person_id'), newer);
    assert.is((await emit('system-model-detail', any)).getResults('person_id'), newer);
    await remove(bench, 'person', newer);
    assert.is((await emit('system-model-detail', stage)).getStatus(), 404);
    assert.is((await emit('system-model-detail', any)).getResults('person_id'), newer);
    // No active row has the value: the newest removed one is changed, and stays removed.
    const rows = [{ mail: ANN.person_mail, name: 'Imported' }];
    const changed = await emit('system-model-import', { schema: 'person', rows });
    assert.equal([changed.getResults('new'), changed.getResults('old')], [0, 1]);
    const told = await emit('system-model-import', { schema: 'person', rows: [{ ...rows[0], active: 1 }] });
    assert.not(told.isError());
    const stored = (await read(bench, 'person')).map(({ person_name, person_active }) => [
      person_name,
      Number(person_active),
    ]);
    assert.equal(stored, [
      ['Ann', 0],
      ['Imported', 1],
    ]);
    const third = await emit('system-model-import', { schema: 'person', rows: [{ ...rows[0], name: 'Again' }] });
    assert.is(Number(third.getResults('data', '0', 'row', 'person_id')), newer);
  }),
);

test(
  'an import takes rows that were removed beside an active one with their values',
  on(async (bench) => {
    const copy = [
      { person_id: 1, ...ANN, person_active: 0 },
      { person_id: 2, ...ANN, person_active: 0 },
      { person_id: 3, ...ANN, person_active: 1 },
    ];
    const take = (rows: readonly Row[]) => bench.emit('system-model-import', { schema: 'person', rows });
    for (const counts of [
      [3, 0],
      [0, 3],
    ]) {
      const done = await take(copy);
      assert.equal([done.getResults('new'), done.getResults('old')], counts, JSON.stringify(done.getValidation()));
    }
    const second = await take([{ person_id: 2, ...ANN, person_active: 1 }]);
    assert.is(second.getValidation('0', 'person_mail'), 'Mail is already taken');
    assert.not((await take([{ person_id: 2, ...ANN }])).isError(), 'it stays removed');
    const twice = await take([{ ...ANN, person_id: 8 }]);
    assert.is(twice.getValidation('0', 'person_mail'), 'Mail is already taken');
  }),
);

test(
  'before the database has the new index, a taken value names the removed row to those who may see it',
  on(async (bench) => {
    const { emit, database } = bench;
    await sql`drop index person_mail_unique`.execute(database.kysely);
    await sql`create unique index person_mail_unique on person (person_mail)`.execute(database.kysely);
    await remove(bench, 'person', await make(bench, 'person', ANN));
    const stage = { schema: 'person', person_mail: ANN.person_mail };
    const told = ' by Person 1, which is removed: run treadle migrate to free it';
    for (const [access, more] of [
      [SYSTEM, told],
      [createAccess({ kind: 'page', roles: ['admin'] }), told],
      [createAccess({ kind: 'page', roles: ['editor'] }), ''],
      [createAccess({ kind: 'public' }), ''],
    ] as const) {
      const taken = await emit('system-model-create', stage, access);
      assert.equal([taken.getStatus(), taken.getValidation('person_mail')], [409, `Mail is already taken${more}`]);
    }
  }),
);

interface World extends Bench {
  readonly active: number;
  readonly removed: number;
  readonly note: number;
}
const NOTE = { note_text: 'x' };
const stored = (rows: unknown, more: Row = {}) => ({ schema: 'note', rows, ...more });

/** Ways in to a link, with the key of the message; `id` is that of the named person. */
const WAYS: Readonly<Record<string, readonly [key: string, name: (world: World, id: number) => Promise<unknown>]>> = {
  create: ['person_id', ({ emit }, id) => emit('system-model-create', { schema: 'note', ...NOTE, person_id: id })],
  'create, by one statement': [
    'person_id',
    ({ emit, commits }, id) => {
      commits.isHeard = false;
      return emit('system-model-create', { schema: 'note', ...NOTE, person_id: id });
    },
  ],
  'create, 1:0': [
    'reviewer_id',
    ({ emit, active }, id) =>
      emit('system-model-create', { schema: 'note', ...NOTE, person_id: active, reviewer_id: id }),
  ],
  'create within a table': [
    'boss_id',
    ({ emit }, id) => emit('system-model-create', { schema: 'person', person_name: 'New', boss_id: id }),
  ],
  update: [
    'person_id',
    ({ emit, note }, id) => emit('system-model-update', { schema: 'note', note_id: note, person_id: id }),
  ],
  'update, by one statement': [
    'person_id',
    ({ emit, note, commits }, id) => {
      commits.isHeard = false;
      return emit('system-model-update', { schema: 'note', note_id: note, person_id: id });
    },
  ],
  'update of the same table': [
    'boss_id',
    ({ emit, active }, id) => emit('system-model-update', { schema: 'person', person_id: active, boss_id: id }),
  ],
  import: ['person_id', ({ emit }, id) => emit('system-model-import', stored([{ text: 'x', person_id: id }]))],
  'import of a change': [
    'person_id',
    ({ emit, note }, id) => emit('system-model-import', stored([{ note_id: note, person_id: id }])),
  ],
  'import of a list': [
    'fan',
    ({ emit, active }, id) => emit('system-model-import', stored([{ text: 'x', person_id: active, fan: [id] }])),
  ],
  'import within a table': [
    'boss_id',
    ({ emit }, id) => emit('system-model-import', { schema: 'person', rows: [{ name: 'New', boss_id: id }] }),
  ],
  link: [
    'person_id',
    ({ emit, note }, id) =>
      emit('system-relation-link', {
        schema1: 'note',
        schema2: 'person',
        relation: 'fan',
        note_id: note,
        person_id: id,
      }),
  ],
  unlink: [
    'person_id',
    ({ emit, note }, id) =>
      emit('system-relation-unlink', {
        schema1: 'note',
        schema2: 'person',
        relation: 'fan',
        note_id: note,
        person_id: id,
      }),
  ],
};

const flatten = (value: unknown, id: number): string =>
  JSON.stringify(value).replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '#');

for (const [name, [key, act]] of Object.entries(WAYS)) {
  test(
    `a removed row is named by no new link, and refused as a missing one: ${name}`,
    on(async (bench) => {
      const active = await make(bench, 'person', ANN);
      const removed = await make(bench, 'person', { person_name: 'Gone' });
      const note = await make(bench, 'note', { ...NOTE, person_id: active });
      await remove(bench, 'person', removed);
      const world = { ...bench, active, removed, note };
      const before = JSON.stringify([await read(bench, 'note'), await read(bench, 'person')]);
      const answer = async (id: number): Promise<string> => {
        const response = (await act(world, id)) as Awaited<ReturnType<Bench['emit']>>;
        return flatten([response.getStatus(), response.getMessage(), response.getValidation()], id);
      };
      const [gone, missing] = [await answer(removed), await answer(99_999)];
      assert.is(gone, missing);
      assert.match(gone, key);
      assert.match(gone, 'does not exist');
      assert.is(JSON.stringify([await read(bench, 'note'), await read(bench, 'person')]), before);
    }),
  );
}

test(
  'what is linked stays linked: a change that sends the same ids again is taken',
  on(async (bench) => {
    const { emit } = bench;
    const [gone, other] = [await make(bench, 'person', ANN), await make(bench, 'person', { person_name: 'Other' })];
    const note = await make(bench, 'note', { ...NOTE, person_id: gone, reviewer_id: gone });
    const link = { schema1: 'note', schema2: 'person', relation: 'fan', note_id: note };
    for (const id of [gone, other])
      assert.not((await emit('system-relation-link', { ...link, person_id: id })).isError());
    await remove(bench, 'person', gone);
    const same = { schema: 'note', note_id: note, note_text: 'y', person_id: gone, reviewer_id: String(gone) };
    const updated = await emit('system-model-update', same);
    assert.not(updated.isError(), updated.getMessage());
    const row = { note_id: note, person_id: gone, reviewer_id: gone };
    for (const fan of [[other], [other, gone]]) {
      const again = await emit('system-model-import', stored([{ ...row, fan }]));
      assert.not(again.isError(), JSON.stringify(again.getValidation()));
      const linked = await bench.database.kysely
        .selectFrom('note_fan')
        .select('person_id')
        .orderBy('person_id')
        .execute();
      assert.equal(
        linked.map(({ person_id }) => Number(person_id)),
        [gone, other],
      );
    }
  }),
);

test(
  'a full copy keeps its links to removed rows; a row that is no copy, and one that a person sends, does not',
  on(async (bench) => {
    const { emit } = bench;
    const gone = await make(bench, 'person', ANN);
    await remove(bench, 'person', gone);
    const copy = {
      note_id: 7,
      note_text: 'x',
      note_active: 1,
      note_created: '2026-01-31 11:00:00',
      note_updated: '2026-01-31 11:00:00',
      person_id: gone,
      reviewer_id: gone,
      fan: [gone],
    };
    const faults: string[] = [];
    const feed = (values: Row, isOwn = true) => {
      async function* batches() {
        yield [{ line: 1, values }];
      }
      const refuse = (_: unknown, messages: object): void => void faults.push(...Object.keys(messages));
      return emit('system-model-import', stored(new RowFeed({ batches: batches(), isOwn, refuse })));
    };
    for (const [values, isOwn] of [
      [copy, false],
      [{ ...copy, note_id: undefined }, true],
      [{ ...copy, note_created: null }, true],
    ] as const) {
      assert.ok((await feed(values, isOwn)).isError());
      assert.equal(faults.splice(0), ['person_id', 'reviewer_id', 'fan']);
    }
    const done = await feed(copy);
    assert.not(done.isError(), JSON.stringify(faults));
    assert.is(Number((await read(bench, 'note'))[0]?.person_id), gone);
  }),
);

test.run();
