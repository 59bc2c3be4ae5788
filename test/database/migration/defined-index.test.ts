import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate, planMigration } from '../../../src/database/migration.ts';
import type { MigrationStep } from '../../../src/database/migration-step.ts';
import { readStructure } from '../../../src/database/read-structure.ts';
import type { Field, Index } from '../../../src/model/shape.ts';
import type { SchemaSketch } from '../model.ts';
import { onSite, type Site } from './_world.ts';

const test = suite('database/migration/defined-index');

const FIELDS: readonly Field[] = [
  { name: 'published', type: 'switch' },
  { name: 'views', type: 'number' },
  { name: 'status', type: 'text' },
  { name: 'active', type: 'active' },
];
const sketch = (indexes: readonly Index[], fields: readonly Field[] = FIELDS): SchemaSketch => ({
  name: 'article',
  fields,
  indexes,
});
const POPULAR: Index = { columns: ['published', '-views'], where: { published: true } };

const listIndexKinds = (steps: readonly MigrationStep[]): string[] =>
  steps.flatMap(({ kind }) => (kind.includes('index') ? [kind] : []));

async function readIndexes({ database }: Site) {
  const table = (await readStructure(database)).tables.get('article');
  const found = [...(table?.indexes.values() ?? [])].filter(({ name }) => /_[0-9a-f]{8}_index$/.test(name));
  return found.map(({ columns, descending = [], only, where }) => ({
    columns: columns
      .map((name) => (descending.includes(name) ? `-${name}` : name))
      .map((name) => name.replace('article_', '')),
    condition: only ?? where,
  }));
}

test('an index is created with its directions and its condition; a second migration has nothing to do', () =>
  onSite(async (site) => {
    const conditions: NonNullable<Index['where']>[] = [
      { published: true },
      { status: ['live', "it's"] },
      { status: { ne: 'draft' }, views: { between: '5,90' } },
      { views: { null: false } },
      { status: null },
      { active: false },
    ];
    const wanted = sketch(conditions.map((where) => ({ columns: ['published', '-views'], where })));
    await site.migrate([wanted]);
    assert.equal((await site.plan([wanted])).steps, []);
    const found = await readIndexes(site);
    assert.is(found.length, conditions.length);
    assert.ok(found.every(({ condition }) => condition !== undefined));
  }));

test('it begins with active and ends with the key in the direction of its last column', () =>
  onSite(async (site) => {
    await site.migrate([sketch([POPULAR, { columns: ['status', 'views'] }])]);
    const isSqlite = site.database.dialect === 'sqlite';
    const found = (await readIndexes(site)).map(({ columns }) => columns.join());
    assert.equal(found.sort(), [
      'active,published,-views,-id',
      // SQLite adds the key by itself.
      isSqlite ? 'active,status,views' : 'active,status,views,id',
    ]);
  }));

const CHANGES: readonly (readonly [string, Index])[] = [
  ['direction', { ...POPULAR, columns: ['published', 'views'] }],
  ['order', { ...POPULAR, columns: ['-views', 'published'] }],
  ['value', { ...POPULAR, where: { published: false } }],
  ['operator', { ...POPULAR, where: { published: { ne: true } } }],
  ['condition', { columns: POPULAR.columns }],
];

for (const [name, changed] of CHANGES) {
  test(`another ${name} is another index, and an undo brings back the former one`, () =>
    onSite(async (site) => {
      await site.migrate([sketch([POPULAR])]);
      const before = await readIndexes(site);
      const { plan } = await site.migrate([sketch([changed])]);
      assert.equal(listIndexKinds(plan.steps).sort(), ['create-index', 'drop-index']);
      assert.equal((await site.plan([sketch([changed])])).steps, []);
      assert.not.equal(await readIndexes(site), before);
      await site.undo();
      assert.equal(await readIndexes(site), before);
      assert.equal((await site.plan([sketch([POPULAR])])).steps, []);
    }));
}

test('it goes with its definition, and an undo brings it back', () =>
  onSite(async (site) => {
    await site.migrate([sketch([POPULAR])]);
    const before = await readIndexes(site);
    await site.migrate([sketch([])]);
    assert.equal(await readIndexes(site), []);
    await site.undo();
    assert.equal(await readIndexes(site), before);
  }));

test('a renamed field of the condition keeps its rows and its index', () =>
  onSite(async (site) => {
    await site.migrate([sketch([POPULAR])]);
    await site.insert({ article: [{ article_published: 1, article_views: 3 }] });
    const fields = FIELDS.map((field) =>
      field.name === 'published' ? { ...field, name: 'live', was: 'published' } : field,
    );
    const renamed = sketch([{ columns: ['live', '-views'], where: { live: true } }], fields);
    await site.migrate([renamed]);
    assert.equal((await site.plan([renamed])).steps, []);
    assert.equal(
      (await readIndexes(site)).map(({ columns }) => columns.slice(0, 3)),
      [['active', 'live', '-views']],
    );
    assert.is((await site.read('article'))[0]?.article_live, 1);
  }));

test('a table that is rebuilt keeps its index; a field of the condition that changes its type gets another', () =>
  onSite(async (site) => {
    await site.migrate([sketch([POPULAR])]);
    const required = FIELDS.map((field) =>
      field.name === 'status' ? { ...field, required: true, default: 'x' } : field,
    );
    await site.migrate([sketch([POPULAR], required)]);
    assert.equal((await site.plan([sketch([POPULAR], required)])).steps, []);
    assert.is((await readIndexes(site)).length, 1);
    const retyped = FIELDS.map((field): Field => (field.name === 'published' ? { ...field, type: 'text' } : field));
    const wanted = sketch([{ columns: ['published', '-views'], where: { published: 'yes' } }], retyped);
    await site.migrate([wanted], { allowLoss: true });
    assert.equal((await site.plan([wanted])).steps, []);
  }));

test('steps say the columns, their directions and the condition in words', () =>
  onSite(async (site) => {
    await site.migrate([sketch([])]);
    const { steps } = await site.plan([sketch([POPULAR])]);
    const [step] = steps;
    assert.match(
      step?.words ?? '',
      /^Create the index article_published_views_[0-9a-f]{8}_index on article \(article_active, article_published, article_views descending, article_id descending\) for rows with article_published = 1\.$/,
    );
    assert.is(step?.isNeeded, false);
  }));

test('an index of a long name fits, and differs from another of the same start', () =>
  onSite(async (site) => {
    const names = ['a', 'b', 'c'].map((letter) => letter.repeat(40));
    const fields = [...FIELDS, ...names.map((name): Field => ({ name, type: 'text' }))];
    const wanted = sketch([{ columns: names }, { columns: [...names].reverse() }], fields);
    await site.migrate([wanted]);
    assert.equal((await site.plan([wanted])).steps, []);
    const table = (await readStructure(site.database)).tables.get('article');
    const long = [...(table?.indexes.keys() ?? [])].filter((name) => name.length > 50);
    assert.is(long.length, 2);
    assert.ok(long.every((name) => name.length <= 63));
  }));

test('an index that somebody made in SQL stays as it is', () =>
  onSite(async ({ database, tables }) => {
    const wanted = tables(sketch([POPULAR]));
    await migrate(database, wanted);
    await sql`create index mine on article (article_views desc) where article_views > 5`.execute(database.kysely);
    const plan = await planMigration(database, wanted);
    assert.equal(plan.steps, []);
    assert.equal(
      plan.drift.map(({ name }) => name),
      ['mine'],
    );
  }));

test.run();
