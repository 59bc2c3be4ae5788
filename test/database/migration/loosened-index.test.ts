import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate, planMigration } from '../../../src/database/migration.ts';
import { isServing } from '../../../src/database/migration-step.ts';
import { readStructure } from '../../../src/database/read-structure.ts';
import type { Table } from '../../../src/database/table.ts';
import type { SchemaSketch } from '../model.ts';
import { onSite } from './_world.ts';

const test = suite('database/migration/loosened-index');

const NOTE: SchemaSketch = {
  name: 'note',
  fields: [
    { name: 'slug', type: 'text', unique: true },
    { name: 'part', type: 'text' },
    { name: 'active', type: 'active' },
  ],
};
/** Tables as the build before wanted them: a unique index of one column counts removed rows. */
const toOld = (tables: readonly Table[]): Table[] =>
  tables.map((table) => ({
    ...table,
    indexes: table.indexes.map(({ only, ...index }) => (index.columns.length > 1 ? { ...index, only } : index)),
  }));
/** How the build before read the condition of an index. */
const OLD_CONDITION = /\)\s*where\s+\(*\s*"?(\w+)"?\s*=\s*1\s*\)*\s*$/i;

test('an index over all rows gives way to one over the active rows: an added step that nothing waits for', () =>
  onSite(async ({ database, tables, insert, read }) => {
    const wanted = tables(NOTE);
    await migrate(database, toOld(wanted));
    await insert({ note: [{ note_slug: 'a', note_active: 0 }] });
    const plan = await planMigration(database, wanted);
    const steps = plan.steps.map(({ kind, class: rank }) => `${kind} ${rank}`);
    assert.equal(steps, ['drop-index add', 'create-index add']);
    assert.ok(isServing(plan), 'a process of this build starts before it');
    assert.ok(plan.steps.every(({ isBreaking }) => isBreaking !== true));
    await migrate(database, wanted);
    assert.equal((await planMigration(database, wanted)).steps, []);
    await insert({
      note: [
        { note_slug: 'a', note_active: 1 },
        { note_slug: 'a', note_active: 0 },
      ],
    });
    assert.is((await read('note')).length, 3);
    let error: unknown;
    await insert({ note: [{ note_slug: 'a', note_active: 1 }] }).catch((thrown) => {
      error = thrown;
    });
    assert.is((error as { code?: string }).code, 'DATABASE_CONSTRAINT');
    assert.equal((error as { detail: { columns: string[] } }).detail.columns, ['note_slug']);
  }));

test('a process of the build before takes the new index for its own', () =>
  onSite(async ({ database, tables }) => {
    await migrate(database, tables(NOTE));
    const index = (await readStructure(database)).tables.get('note')?.indexes.get('note_slug_unique');
    assert.equal([index?.columns, index?.isUnique, index?.only], [['note_slug'], true, 'note_active']);
    assert.not.match(index?.sql ?? '', OLD_CONDITION);
  }));

test('without the active field, the rows that share a value are named; they keep the index as it was', () =>
  onSite(async ({ migrate: go, plan, insert }) => {
    await go([NOTE]);
    await insert({
      note: [
        { note_slug: 'a', note_active: 0 },
        { note_slug: 'a', note_active: 1 },
      ],
    });
    const fields = NOTE.fields.filter(({ name }) => name !== 'active');
    const { problems } = await plan([{ ...NOTE, fields }]);
    assert.ok(problems.some(({ code }) => code === 'MIGRATION_ROWS_SHARED'));
  }));

test.run();
