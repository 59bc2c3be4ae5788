import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TreadleError } from '../../../src/core/errors.ts';
import type { MigrationStep } from '../../../src/database/migration-step.ts';
import { readStructure } from '../../../src/database/read-structure.ts';
import type { Field, Relation } from '../../../src/model/shape.ts';
import type { SchemaSketch } from '../model.ts';
import { codes, find, onSite, type Site } from './_world.ts';

const test = suite('database/migration/tree');

const FIELDS: readonly Field[] = [{ name: 'title', type: 'text' }];
const PARENT: Relation = { schema: 'category', kind: '1:0', name: 'parent' };
const sketch = (relations: readonly Relation[], more: Partial<SchemaSketch> = {}): SchemaSketch => ({
  ...{ name: 'category', fields: FIELDS, relations },
  ...more,
});
const FREE = sketch([PARENT]);
const TREE = sketch([{ ...PARENT, tree: true }]);

const listTreeKinds = (steps: readonly MigrationStep[]): string[] =>
  steps.flatMap(({ kind }) => (kind.includes('tree') ? [kind] : []));

const toRow = (id: number, parent: number | null, key = 'parent_id') => ({ category_id: id, [key]: parent });

const move = ({ database }: Site, id: number, parent: number | null): Promise<unknown> =>
  database.kysely.updateTable('category').set({ parent_id: parent }).where('category_id', '=', id).execute();

/** The error of a write. */
async function refusal(work: Promise<unknown>): Promise<TreadleError> {
  const error = await work.then(
    () => undefined,
    (fault: unknown) => fault,
  );
  assert.instance(error, TreadleError);
  return error as TreadleError;
}

const countTriggers = async ({ database }: Site, table = 'category'): Promise<number> =>
  ((await readStructure(database)).tables.get(table)?.triggers ?? []).filter((text) => text.includes('treadle_tree_'))
    .length;
/** Triggers of a tree. */
const ALL = ({ database }: Site): number => (database.dialect === 'sqlite' ? 2 : 3);

test('a row that would be below itself is refused, with the column; a second migration has nothing to do', () =>
  onSite(async (site) => {
    await site.migrate([TREE]);
    assert.equal((await site.plan([TREE])).steps, []);
    await site.insert({ category: [toRow(1, null), toRow(2, 1), toRow(3, 2), toRow(4, null)] });
    for (const [id, parent] of [
      [1, 3],
      [1, 2],
      [2, 2],
    ] as const) {
      const { code, status, message, detail } = await refusal(move(site, id, parent));
      assert.equal([code, status, message], ['DATABASE_CONSTRAINT', 422, 'A row would be below itself (parent_id).']);
      const { kind, columns, table } = detail as { kind: string; columns: string[]; table: string };
      assert.equal({ kind, columns, table }, { kind: 'tree', columns: ['parent_id'], table: 'category' });
    }
    await refusal(site.insert({ category: [toRow(9, 9)] }));
    await refusal(site.insert({ category: [toRow(10, 11), toRow(11, 10)] }));
    await move(site, 3, 4);
    await move(site, 1, 3);
    await move(site, 1, null);
    assert.equal(
      (await site.read('category')).map(({ parent_id }) => parent_id),
      [null, 1, 4, null],
    );
  }));

test('a tree that is added to rows with a cycle is refused with their names, and nothing changes', () =>
  onSite(async (site) => {
    await site.migrate([FREE]);
    await site.insert({
      category: [toRow(1, null), toRow(2, 1), toRow(3, null), toRow(4, 3), toRow(5, 5), toRow(6, 5)],
    });
    await move(site, 3, 4);
    const wanted = sketch([{ ...PARENT, tree: true }], { fields: [...FIELDS, { name: 'detail', type: 'text' }] });
    const { plan, applied } = await site.migrate([wanted]);
    assert.equal([codes(plan), applied], [['MIGRATION_ROWS_CYCLE'], []]);
    const { refusal: problem, rows } = find(plan, 'MIGRATION_ROWS_CYCLE');
    assert.equal(rows, [3, 4, 5]);
    assert.match(
      problem?.message ?? '',
      /^category shall be a tree by parent_id, but 3 rows \(3, 4, 5\) are below themselves\.$/,
    );
    assert.is(problem?.path, 'relations.parent');
    assert.equal((await site.describe()).category, ['category_id', 'category_title', 'parent_id']);
    await move(site, 3, null);
    await move(site, 5, null);
    assert.is((await site.migrate([wanted])).plan.problems.length, 0);
    await refusal(move(site, 3, 4));
  }));

test('it goes with the key in the definition, and comes back with an undo', () =>
  onSite(async (site) => {
    await site.migrate([TREE]);
    await site.insert({ category: [toRow(1, null), toRow(2, 1)] });
    assert.equal(listTreeKinds((await site.migrate([FREE])).applied), ['drop-tree']);
    assert.is(await countTriggers(site), 0);
    await move(site, 1, 2);
    await move(site, 1, null);
    await site.undo();
    assert.is(await countTriggers(site), ALL(site));
    await refusal(move(site, 1, 2));
    assert.equal((await site.plan([TREE])).steps, []);
    await site.undo();
    assert.equal(await site.describe(), {});
  }));

test('an undo of another table leaves it; one that would bring it back over a cycle is refused', () =>
  onSite(async (site) => {
    await site.migrate([TREE]);
    await site.insert({ category: [toRow(1, null), toRow(2, 1)] });
    const other: SchemaSketch = { name: 'product', fields: FIELDS };
    await site.migrate([TREE, other]);
    await site.undo();
    assert.is(await countTriggers(site), ALL(site));
    await site.migrate([FREE]);
    await move(site, 1, 2);
    const { refused, applied } = await site.undo();
    assert.equal([refused.map(({ kind }) => kind), applied], [['create-tree'], []]);
  }));

test('it follows a renamed relation, a renamed schema and a table that is made anew', () =>
  onSite(async (site) => {
    await site.migrate([TREE]);
    await site.insert({ category: [toRow(1, null), toRow(2, 1)] });
    const above = sketch([{ schema: 'category', kind: '1:0', name: 'above', was: 'parent', tree: true }]);
    assert.equal(listTreeKinds((await site.migrate([above])).applied), ['drop-tree', 'create-tree']);
    const to = (id: number, parent: number, table = 'category') =>
      site.database.run(
        sql.raw(`update ${table} set above_id = ${parent} where ${table}_id = ${id}`).compile(site.database.kysely),
      );
    assert.equal(((await refusal(to(1, 2))).detail as { columns: string[] }).columns, ['above_id']);
    const required: SchemaSketch = {
      ...above,
      fields: [{ name: 'title', type: 'text', required: true, default: 'none' }],
    };
    await site.migrate([required], { defaults: new Map([['category.title', 'none']]) });
    assert.is(await countTriggers(site), ALL(site));
    await refusal(to(1, 2));
    const renamed: SchemaSketch = {
      ...required,
      ...{ name: 'topic', was: 'category', relations: [{ schema: 'topic', kind: '1:0', name: 'above', tree: true }] },
    };
    await site.migrate([renamed]);
    assert.is(await countTriggers(site, 'topic'), ALL(site));
    const { detail } = await refusal(to(1, 2, 'topic'));
    assert.equal((detail as { columns: string[]; table: string }).table, 'topic');
    assert.equal((await site.plan([renamed])).steps, []);
  }));

test('a table without its schema is no tree any more', () =>
  onSite(async (site) => {
    await site.migrate([TREE]);
    await site.insert({ category: [toRow(1, null), toRow(2, 1)] });
    await site.migrate([]);
    assert.is(await countTriggers(site), 0);
    await move(site, 1, 2);
  }));

test('the children of a relation to many are a tree by the same rule', () =>
  onSite(async (site) => {
    const many = sketch([{ schema: 'category', kind: '1:N', name: 'children', tree: true }]);
    await site.migrate([many]);
    await site.insert({ category: [toRow(1, null, 'category_children_id'), toRow(2, 1, 'category_children_id')] });
    const back = sql`update category set category_children_id = 2 where category_id = 1`.compile(site.database.kysely);
    assert.equal(((await refusal(site.database.run(back))).detail as { columns: string[] }).columns, [
      'category_children_id',
    ]);
  }));

test('a schema without a tree has no trigger and no step of one', () =>
  onSite(async (site) => {
    assert.equal(listTreeKinds((await site.migrate([FREE])).applied), []);
    assert.is(await countTriggers(site), 0);
  }));

test.run();
