import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TreadleError } from '../../../src/core/errors.ts';
import { readStructure } from '../../../src/database/read-structure.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import type { Exclude, Field } from '../../../src/model/shape.ts';
import type { SchemaSketch } from '../model.ts';
import { find, onSite, type Site } from './_world.ts';

const test = suite('database/migration/exclude');

const FIELDS: readonly Field[] = [
  { name: 'from', type: 'date' },
  { name: 'until', type: 'date' },
  { name: 'place', type: 'text' },
  { name: 'note', type: 'text' },
  { name: 'active', type: 'active' },
];
const RULE: Exclude = { columns: ['place'], range: ['from', 'until'] };
const sketch = (exclude: readonly Exclude[], fields: readonly Field[] = FIELDS, more: object = {}): SchemaSketch => ({
  ...{ name: 'slot', fields, ...more },
  ...(exclude.length === 0 ? {} : { exclude }),
});
const withField = (name: string, keys: Partial<Field>): Field[] =>
  FIELDS.map((field) => (field.name === name ? { ...field, ...keys } : field));

const slot = (slot_id: number, from: unknown, until: unknown, more: Row = {}): Row => ({
  ...{ slot_id, slot_from: from, slot_until: until, slot_place: 'a', slot_active: 1 },
  ...more,
});
const ONE = slot(1, '2026-01-01', '2026-01-05');
const OVER = slot(90, '2026-01-04', '2026-01-06');

/** What refuses a row: the kind of its constraint; undefined if it is stored. It is gone again. */
async function findRefusal({ database }: Site, row: Row, table = 'slot'): Promise<unknown> {
  class Undo extends Error {}
  try {
    await database.write(async () => {
      await database.kysely.insertInto(table).values(row).execute();
      throw new Undo();
    });
  } catch (error) {
    return error instanceof Undo ? undefined : ((error as TreadleError).detail as { kind?: unknown }).kind;
  }
}

const listRules = async ({ database }: Site, table = 'slot'): Promise<string[]> =>
  [...((await readStructure(database)).tables.get(table)?.indexes.values() ?? [])]
    .flatMap(({ name, isExclusion }) => (isExclusion === undefined ? [] : [name]))
    .sort();

test('a rule is made with its table; a second migration has nothing to do', () =>
  onSite(async (site) => {
    const rules: Exclude[] = [RULE, { range: ['slot_from', 'until'] }];
    await site.migrate([sketch(rules)]);
    assert.equal((await site.plan([sketch(rules)])).steps, []);
    assert.is((await listRules(site)).length, 2);
    await site.insert({ slot: [ONE] });
    assert.is(await findRefusal(site, OVER), 'exclude');
    assert.is(await findRefusal(site, slot(91, '2026-02-02', '2026-02-01')), 'check');
    assert.is(await findRefusal(site, { ...OVER, slot_active: 0 }), undefined);
    assert.is(await findRefusal(site, slot(91, '2026-02-02', '2026-02-01', { slot_active: 0 })), undefined);
  }));

test('a schema without rules has none of their objects', () =>
  onSite(async (site) => {
    await site.migrate([sketch([])]);
    const table = (await readStructure(site.database)).tables.get('slot');
    assert.equal(table?.triggers, []);
    assert.equal([...(table?.indexes.keys() ?? [])], ['slot_active_index']);
  }));

test('rows of one statement see each other, new ones and changed ones', () =>
  onSite(async (site) => {
    await site.migrate([sketch([RULE])]);
    const rows = [ONE, slot(2, '2026-01-05', '2026-01-09')];
    await site.insert({ slot: rows });
    const { kysely } = site.database;
    const refused = async (work: Promise<unknown>): Promise<string | undefined> =>
      work.then(
        () => undefined,
        (error: TreadleError) => error.message,
      );
    const text = 'The period of another row overlaps.';
    const third = slot(3, '2027-01-01', null);
    assert.is(await refused(site.insert({ slot: [third, { ...third, slot_id: 4 }] })), text);
    assert.is(await refused(kysely.updateTable('slot').set({ slot_from: null }).execute()), text);
    assert.is(await refused(kysely.updateTable('slot').set({ slot_place: 'b' }).execute()), undefined);
    assert.is((await site.read('slot')).length, 2);
  }));

const CHANGES: readonly (readonly [string, SchemaSketch])[] = [
  ['other columns', sketch([{ range: ['from', 'until'] }])],
  [
    'another type',
    sketch(
      [RULE],
      [...withField('from', { type: 'datetime' })].map((field) =>
        field.name === 'until' ? { ...field, type: 'datetime' } : field,
      ),
    ),
  ],
  ['a required start', sketch([RULE], withField('from', { required: true }))],
  [
    'a renamed field',
    sketch(
      [{ ...RULE, range: ['begin', 'until'] }],
      FIELDS.map((field) => (field.name === 'from' ? { ...field, name: 'begin', was: 'from' } : field)),
    ),
  ],
  ['another type of another field', sketch([RULE], withField('note', { type: 'number' }))],
  [
    'no active field',
    sketch(
      [RULE],
      FIELDS.filter(({ name }) => name !== 'active'),
    ),
  ],
];

for (const [name, changed] of CHANGES) {
  test(`with ${name} the rule stays a rule, and an undo brings back the former one`, () =>
    onSite(async (site) => {
      await site.migrate([sketch([RULE])]);
      await site.insert({ slot: [ONE] });
      const before = await listRules(site);
      await site.migrate([changed]);
      assert.equal(
        (await site.plan([changed])).steps.filter(({ refusal }) => !refusal),
        [],
      );
      assert.is((await listRules(site)).length, 1);
      const [start, active] = [name.includes('renamed') ? 'slot_begin' : 'slot_from', 'slot_active'];
      const {
        slot_from,
        [active]: live,
        ...rest
      } = name === 'another type' ? slot(90, '2026-01-04 00:00:00', null) : OVER;
      assert.is(
        await findRefusal(site, {
          ...rest,
          [start]: slot_from,
          ...(name.includes('active') ? {} : { [active]: live }),
        }),
        'exclude',
      );
      await site.undo();
      assert.equal(await listRules(site), before);
      assert.is(await findRefusal(site, OVER), 'exclude');
    }));
}

test('a renamed schema takes its rule along', () =>
  onSite(async (site) => {
    await site.migrate([sketch([RULE])]);
    await site.insert({ slot: [ONE] });
    const renamed = sketch([RULE], FIELDS, { name: 'visit', was: 'slot' });
    await site.migrate([renamed]);
    assert.equal((await site.plan([renamed])).steps, []);
    const row = Object.fromEntries(Object.entries(OVER).map(([key, value]) => [key.replace('slot', 'visit'), value]));
    assert.is(await findRefusal(site, row, 'visit'), 'exclude');
    await site.undo();
    assert.is(await findRefusal(site, OVER), 'exclude');
  }));

test('a rule that goes takes all of it with it, and an undo brings it back', () =>
  onSite(async (site) => {
    await site.migrate([sketch([RULE])]);
    await site.insert({ slot: [ONE] });
    const { plan } = await site.migrate([sketch([])]);
    assert.equal(
      plan.steps.map(({ kind, isNeeded }) => [kind, isNeeded]),
      [['drop-index', true]],
    );
    assert.is(await findRefusal(site, OVER), undefined);
    assert.is(await findRefusal(site, slot(91, '2026-02-02', '2026-02-01')), undefined);
    assert.equal((await readStructure(site.database)).tables.get('slot')?.triggers, []);
    await site.undo();
    assert.is(await findRefusal(site, OVER), 'exclude');
    assert.is(await findRefusal(site, slot(91, '2026-02-02', '2026-02-01')), 'check');
  }));

/** Rows, and how the migration that adds the rule names what is in its way. */
const REFUSED: readonly (readonly [string, readonly Row[], string, string | undefined])[] = [
  [
    'touching, empty, removed and unplaced rows',
    [
      ONE,
      slot(2, '2026-01-05', '2026-01-09'),
      slot(3, '2026-01-03', '2026-01-03'),
      slot(4, null, null, { slot_active: 0 }),
      slot(5, null, null, { slot_place: null }),
      slot(6, null, null, { slot_place: 'b' }),
      slot(7, null, '2026-01-01'),
      slot(8, '2026-01-09', null),
    ],
    '',
    undefined,
  ],
  [
    'two rows',
    [ONE, slot(2, '2026-01-05', '2026-01-09'), slot(3, '2026-01-04', '2026-01-05')],
    'MIGRATION_ROWS_OVERLAP',
    'Rows of slot may not overlap from slot_from to slot_until, but these do: 1 and 3.',
  ],
  [
    'a row in the way of later ones',
    [slot(1, '2026-01-01', null), slot(2, '2026-01-05', '2026-01-09'), slot(3, '2026-02-04', '2026-03-05')],
    'MIGRATION_ROWS_OVERLAP',
    'Rows of slot may not overlap from slot_from to slot_until, but these do: 1 and 2, 1 and 3.',
  ],
  [
    'many rows',
    Array.from({ length: 9 }, (_, index) => slot(index + 1, null, '2026-01-09')),
    'MIGRATION_ROWS_OVERLAP',
    'Rows of slot may not overlap from slot_from to slot_until, but these do: 1 and 2, 1 and 3, 1 and 4, 1 and 5, 1 and 6, and 3 more rows.',
  ],
  [
    'a row that ends early',
    [ONE, slot(2, '2026-01-09', '2026-01-05')],
    'MIGRATION_ROWS_REVERSED',
    'slot_until must not come before slot_from, but it does in 1 row (2) of slot.',
  ],
];

for (const [name, rows, code, message] of REFUSED) {
  test(`a new rule and ${name}`, () =>
    onSite(async (site) => {
      await site.migrate([sketch([])]);
      await site.insert({ slot: rows });
      const plan = await site.plan([sketch([RULE])]);
      if (message === undefined) {
        await site.migrate([sketch([RULE])]);
        assert.is((await listRules(site)).length, 1);
        return;
      }
      assert.is(find(plan, code).refusal?.message, message);
      assert.is((await site.migrate([sketch([RULE])])).applied.length, 0);
      assert.equal(await listRules(site), []);
    }));
}

test('rows that overlap only once they are converted are refused, and nothing is changed', () =>
  onSite(async (site) => {
    const texts = FIELDS.map((field): Field => (field.type === 'date' ? { ...field, type: 'text' } : field));
    await site.migrate([sketch([], texts)]);
    await site.insert({ slot: [slot(1, '2026-01-01T00:00', '2026-01-05'), slot(2, '2026-01-04', '2026-01-06')] });
    const before = await site.read('slot');
    const error = await site.migrate([sketch([RULE])]).then(
      () => undefined,
      (thrown: TreadleError) => thrown,
    );
    assert.is(error?.code, 'MIGRATION_ROWS_OVERLAP');
    assert.match(error?.message ?? '', /these do: 1 and 2\. Nothing was changed\.$/);
    assert.equal(await site.read('slot'), before);
  }));

test('a rule whose objects somebody dropped in part is made again', () =>
  onSite(async (site) => {
    await site.migrate([sketch([RULE])]);
    const [name = ''] = await listRules(site);
    const { database } = site;
    await (database.dialect === 'sqlite'
      ? sql`drop trigger ${sql.ref(`treadle_exclude_${name}_update`)}`.execute(database.kysely)
      : sql`alter table slot drop constraint ${sql.ref(name)}`.execute(database.kysely));
    await site.migrate([sketch([RULE])]);
    assert.equal(await listRules(site), [name]);
    await site.insert({ slot: [ONE] });
    assert.is(await findRefusal(site, OVER), 'exclude');
  }));

test.run();
