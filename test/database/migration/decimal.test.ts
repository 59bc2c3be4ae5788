import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyMigration } from '../../../src/database/migration.ts';
import type { MigrationPlan, MigrationStep } from '../../../src/database/migration-step.ts';
import { readStructure } from '../../../src/database/read-structure.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { fromStoredDecimal, toStoredDecimal } from '../../../src/database/stored-decimal.ts';
import { readDecimalShape } from '../../../src/model/field/field-kind-decimal.ts';
import type { Field } from '../../../src/model/shape.ts';
import type { SchemaSketch } from '../model.ts';
import { codes, find, kinds, onSite, type Site } from './_world.ts';

const test = suite('database/migration/decimal');

type X = Partial<Field>;
const note = (x: X, more: Partial<SchemaSketch> = {}): SchemaSketch[] => [
  { name: 'note', fields: [{ name: 'x', type: 'text', ...x }], ...more },
];
const DECIMAL = { type: 'decimal', precision: 7, scale: 2 } as const;

const toScale = (x: X): number | undefined =>
  x.type === 'decimal' ? readDecimalShape({ name: 'x', ...x } as Field).scale : undefined;

/** Values as a database stores them. */
const store = (site: Site, x: X, values: readonly unknown[]): Row[] => {
  const scale = toScale(x);
  return values.map((value, index) => {
    const stored = scale === undefined || value === null ? value : toStoredDecimal(value, scale, site.database.dialect);
    assert.is.not(stored, undefined, String(value));
    return { note_id: index + 1, note_x: stored };
  });
};

async function readValues(site: Site, x: X): Promise<unknown[]> {
  const scale = toScale(x);
  const rows = await site.read('note');
  const { dialect } = site.database;
  return rows.map(({ note_x: value }) => (scale === undefined ? value : fromStoredDecimal(value, scale, dialect)));
}

/** A column that changes; each value and what it becomes, and whether an undo gives back each value as it was. */
type Case = readonly [from: X, to: X, pairs: readonly (readonly [unknown, unknown])[]];

const CASES: Readonly<Record<string, Case>> = {
  'number to decimal': [
    { type: 'number' },
    DECIMAL,
    [
      [12, '12.00'],
      [0, '0.00'],
      [-7, '-7.00'],
      [99_999, '99999.00'],
      [null, null],
    ],
  ],
  'number to decimal without a point': [
    { type: 'number' },
    { type: 'decimal', scale: 0 },
    [
      [12, '12'],
      [-1, '-1'],
    ],
  ],
  'number with decimals to decimal': [
    { type: 'number', attributes: { step: '0.01' } },
    DECIMAL,
    [
      [12.5, '12.50'],
      [0.01, '0.01'],
    ],
  ],
  'float to decimal': [
    { type: 'float' },
    DECIMAL,
    [
      [0.1, '0.10'],
      [-0.05, '-0.05'],
      [12.34, '12.34'],
      [3, '3.00'],
      [0, '0.00'],
    ],
  ],
  'float to decimal of all digits': [
    { type: 'float' },
    { type: 'decimal', scale: 15 },
    [
      [0.123456789012345, '0.123456789012345'],
      [1e-15, '0.000000000000001'],
    ],
  ],
  'price to decimal': [
    { type: 'price' },
    { type: 'decimal' },
    [
      [9_999_999_999_999.99, '9999999999999.99'],
      [0.07, '0.07'],
    ],
  ],
  'small to decimal': [
    { type: 'small' },
    DECIMAL,
    [
      [255, '255.00'],
      [0, '0.00'],
    ],
  ],
  'range to decimal': [{ type: 'range' }, DECIMAL, [[50, '50.00']]],
  'text to decimal': [
    { type: 'text' },
    DECIMAL,
    [
      ['12.5', '12.50'],
      [' 7 ', '7.00'],
      ['-0.05', '-0.05'],
      ['0', '0.00'],
      ['1e2', '100.00'],
      ['3.00', '3.00'],
    ],
  ],
  'decimal to number': [
    DECIMAL,
    { type: 'number' },
    [
      ['12.00', 12],
      ['-7.00', -7],
      ['0.00', 0],
      [null, null],
    ],
  ],
  'decimal to float': [
    DECIMAL,
    { type: 'float' },
    [
      ['12.50', 12.5],
      ['-0.05', -0.05],
      ['3.00', 3],
      ['0.00', 0],
    ],
  ],
  'decimal to price': [
    { type: 'decimal' },
    { type: 'price' },
    [
      ['9999999999999.99', 9_999_999_999_999.99],
      ['12.00', 12],
    ],
  ],
  'decimal to text': [
    DECIMAL,
    { type: 'text' },
    [
      ['12.50', '12.50'],
      ['-0.05', '-0.05'],
      ['0.00', '0.00'],
    ],
  ],
  'decimal without a point to text': [
    { type: 'decimal', scale: 0 },
    { type: 'text' },
    [
      ['12', '12'],
      ['0', '0'],
    ],
  ],
  'more digits after the point': [
    DECIMAL,
    { ...DECIMAL, precision: 9, scale: 4 },
    [
      ['12.50', '12.5000'],
      ['-0.05', '-0.0500'],
      ['0.00', '0.0000'],
      ['99999.99', '99999.9900'],
    ],
  ],
  'fewer digits after the point': [
    DECIMAL,
    { ...DECIMAL, scale: 1 },
    [
      ['12.50', '12.5'],
      ['-7.00', '-7.0'],
      ['0.00', '0.0'],
    ],
  ],
  'more digits after the point and fewer before': [
    DECIMAL,
    { ...DECIMAL, scale: 5 },
    [
      ['99.99', '99.99000'],
      ['-0.05', '-0.05000'],
    ],
  ],
  'more digits': [
    DECIMAL,
    { ...DECIMAL, precision: 9 },
    [
      ['99999.99', '99999.99'],
      ['0.00', '0.00'],
    ],
  ],
  'fewer digits': [
    DECIMAL,
    { ...DECIMAL, precision: 4 },
    [
      ['99.99', '99.99'],
      ['0.00', '0.00'],
    ],
  ],
};

for (const [name, [from, to, pairs]] of Object.entries(CASES)) {
  test(`${name}: each value stays the same number, and an undo gives it back`, () =>
    onSite(async (site) => {
      const before = pairs.map(([value]) => value);
      await site.migrate(note(from));
      await site.insert({ note: store(site, from, before) });
      const { plan } = await site.migrate(note(to));
      assert.equal(plan.problems, []);
      assert.equal(kinds(plan.steps), ['alter-column change']);
      assert.equal(
        await readValues(site, to),
        pairs.map(([, value]) => value),
      );
      assert.equal((await site.plan(note(to))).steps, [], 'once');
      await site.insert({ note: store(site, to, [...before.map(() => null), pairs[0]?.[1]]).slice(-1) });
      await site.database.kysely
        .deleteFrom('note')
        .where('note_id', '=', before.length + 1)
        .execute();
      await site.undo();
      assert.equal(await readValues(site, from), before, 'undone');
      assert.equal((await site.plan(note(from))).steps, [], 'undone once');
    }));
}

/** Values that do not fit, and those that remain when their loss is allowed. */
const LOSSES: Readonly<Record<string, Case>> = {
  'float with more digits': [
    { type: 'float' },
    DECIMAL,
    [
      [12.505, null],
      [0.1 + 0.2, null],
      [1e300, null],
      [100_000, null],
      [5.5, '5.50'],
    ],
  ],
  'number with too many digits': [
    { type: 'number' },
    DECIMAL,
    [
      [100_000, null],
      [-100_000, null],
      [5, '5.00'],
    ],
  ],
  'text that is no number': [
    { type: 'text' },
    DECIMAL,
    [
      ['12,5', null],
      ['x', null],
      ['12.505', null],
      ['100000', null],
      ['5.50', '5.50'],
    ],
  ],
  'fewer digits after the point': [
    DECIMAL,
    { ...DECIMAL, scale: 1 },
    [
      ['12.55', null],
      ['5.50', '5.5'],
    ],
  ],
  'fewer digits': [
    DECIMAL,
    { ...DECIMAL, precision: 4 },
    [
      ['100.00', null],
      ['99.99', '99.99'],
    ],
  ],
  'more after and fewer before': [
    DECIMAL,
    { ...DECIMAL, scale: 5 },
    [
      ['100.00', null],
      ['99999.99', null],
      ['99.99', '99.99000'],
    ],
  ],
  'decimal to a whole number': [
    DECIMAL,
    { type: 'number' },
    [
      ['0.50', null],
      ['5.00', 5],
    ],
  ],
  'decimal to a small number': [
    DECIMAL,
    { type: 'small' },
    [
      ['256.00', null],
      ['-1.00', null],
      ['5.00', 5],
    ],
  ],
  'decimal to a price': [
    { type: 'decimal', scale: 3 },
    { type: 'price' },
    [
      ['0.005', null],
      ['5.500', 5.5],
    ],
  ],
};

for (const [name, [from, to, pairs]] of Object.entries(LOSSES)) {
  test(`${name}: the rows are named and nothing is rounded; a loss that is allowed can be undone`, () =>
    onSite(async (site) => {
      const before = pairs.map(([value]) => value);
      const lost = pairs.flatMap(([, value], index) => (value === null ? [index + 1] : []));
      await site.migrate(note(from));
      await site.insert({ note: store(site, from, before) });
      const plan = await site.plan(note(to));
      assert.equal(codes(plan), ['MIGRATION_TYPE_LOSES']);
      assert.equal(find(plan, 'MIGRATION_TYPE_LOSES').rows, lost);
      await site.migrate(note(to)).catch(() => undefined);
      assert.equal(await readValues(site, from), before, 'refused');
      await site.migrate(note(to), { allowLoss: true });
      assert.equal(
        await readValues(site, to),
        pairs.map(([, value]) => value),
      );
      await site.undo();
      assert.equal(await readValues(site, from), before, 'undone');
    }));
}

test('a default and a value for rows that are there are stored in the units of the column', () =>
  onSite(async (site) => {
    const { dialect } = site.database;
    await site.migrate(note({ type: 'text' }));
    await site.insert({ note: [{ note_id: 1, note_x: 'a' }] });
    const full = (y: X): SchemaSketch[] => [
      {
        name: 'note',
        fields: [
          { name: 'x', type: 'text' },
          { name: 'y', ...DECIMAL, ...y },
        ],
      },
    ];
    const readY = async (): Promise<unknown[]> =>
      (await site.read('note')).map(({ note_y: value }) => fromStoredDecimal(value, 2, dialect));
    const wanted = full({ required: true, default: '-12.5' });
    const { plan } = await site.migrate(wanted);
    assert.match(plan.steps.map(({ words }) => words).join(), /with -12\.50 in 1 row/);
    assert.equal((await site.plan(wanted)).steps, []);
    await site.insert({ note: [{ note_id: 2, note_x: 'b' }] });
    assert.equal(await readY(), ['-12.50', '-12.50']);
    const later = full({ required: true, default: 7 });
    const changed = await site.migrate(later);
    assert.match(changed.plan.steps.map(({ words }) => words).join(), /note_y is 7\.00 by default/);
    assert.equal((await site.plan(later)).steps, []);
    await site.insert({ note: [{ note_id: 3, note_x: 'c' }] });
    assert.equal(await readY(), ['-12.50', '-12.50', '7.00']);
    await site.migrate(full({}));
    await site.insert({ note: [{ note_id: 4, note_x: 'd' }] });
    const asked = full({ required: true });
    assert.equal(codes(await site.plan(asked)), ['MIGRATION_ROWS_EMPTY']);
    const filled = await site.migrate(asked, { defaults: new Map([['note.y', '0.5']]) });
    assert.match(filled.plan.steps.map(({ words }) => words).join(), /1 row without a value gets 0\.50/);
    assert.equal(await readY(), ['-12.50', '-12.50', '7.00', '0.50']);
    await site.undo();
    assert.equal(await readY(), ['-12.50', '-12.50', '7.00', null]);
    await rejects(() => site.plan(asked, { defaults: new Map([['note.y', '0.505']]) }), /--default note\.y=0\.505/);
  }));

async function rejects(fn: () => Promise<unknown>, message: RegExp): Promise<void> {
  const error = await fn().then(
    () => undefined,
    (cause: unknown) => cause,
  );
  assert.match(String((error as Error | undefined)?.message), message);
}

test('a renamed column of other digits, with its index and its condition, is converted once', () =>
  onSite(async (site) => {
    const from = note(
      { ...DECIMAL, filterable: true },
      { indexes: [{ columns: ['x'], where: { x: { gt: '1.25' } } }] },
    );
    const to: SchemaSketch[] = [
      {
        name: 'note',
        fields: [{ name: 'z', was: 'x', ...DECIMAL, precision: 9, scale: 3, filterable: true }],
        indexes: [{ columns: ['z'], where: { z: { in: ['12.5', '-0.125'] } } }],
      },
    ];
    await site.migrate(from);
    await site.insert({ note: store(site, DECIMAL, ['12.50', '0.10', null]) });
    await site.migrate(to);
    assert.equal((await site.plan(to)).steps, []);
    const { dialect } = site.database;
    const rows = await site.read('note');
    assert.equal(
      rows.map(({ note_z: value }) => fromStoredDecimal(value, 3, dialect)),
      ['12.500', '0.100', null],
    );
    const table = (await readStructure(site.database)).tables.get('note');
    const texts = [...(table?.indexes.values() ?? [])].flatMap(({ sql }) => (/where/i.test(sql ?? '') ? [sql] : []));
    assert.is(texts.length, 1);
    assert.match(String(texts[0]), dialect === 'sqlite' ? /in \(-125, 12500\)/ : /-?'?0?-?\.?125.*12\.500/);
    await site.undo();
    assert.equal(await readValues(site, DECIMAL), ['12.50', '0.10', null]);
  }));

test('a plan that was applied is not applied again, and one that fails changes nothing', () =>
  onSite(async (site) => {
    const later = { ...DECIMAL, scale: 3 };
    await site.migrate(note(DECIMAL));
    await site.insert({ note: store(site, DECIMAL, ['12.50', '0.05']) });
    const plan = await site.plan(note(later));
    const broken = {
      ...plan,
      steps: [
        ...plan.steps,
        { ...(plan.steps[0] as MigrationStep), sql: ['insert into note (note_id) values (1)'], perform: undefined },
      ],
    } as MigrationPlan;
    await rejects(() => applyMigration(site.database, broken), /The migration failed, and nothing was changed/);
    assert.equal(await readValues(site, DECIMAL), ['12.50', '0.05']);
    await applyMigration(site.database, plan);
    await rejects(() => applyMigration(site.database, plan), /changed since/);
    assert.equal(await readValues(site, later), ['12.500', '0.050']);
  }));

test('a value that comes between plan and migration is converted, too', () =>
  onSite(async (site) => {
    await site.migrate(note({ type: 'number' }));
    const plan = await site.plan(note(DECIMAL));
    await site.insert({ note: [{ note_id: 1, note_x: 5 }] });
    await rejects(() => applyMigration(site.database, plan), /changed since/).catch(async () => {
      // PostgreSQL converts the type itself.
      assert.is(site.database.dialect, 'postgres');
    });
    await site.migrate(note(DECIMAL));
    assert.equal(await readValues(site, DECIMAL), ['5.00']);
  }));

test.run();
