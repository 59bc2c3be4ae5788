import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate, planMigration } from '../../../src/database/migration.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { createTables } from '../../../src/database/table.ts';
import { createSearcher } from '../../../src/store/read/searcher.ts';
import { fillShop, toShop } from './_computed-shop.ts';
import { createNext } from './_decimal.ts';
import { toModel, type World, withWorld } from './_world.ts';

const test = suite('stored computed fields');

const SCHEMAS = ['customer', 'sale', 'line'];
const SEED = 37;
const WRITES = 120;
const stored = toShop({ stored: true });

const withShop = (fn: (world: World) => Promise<void>): Promise<void> =>
  withWorld(
    async (world) => {
      await fillShop(world);
      await fn(world);
    },
    true,
    stored,
  );

/** The computed values of all rows, removed ones too, as a model has them. */
async function readAll({ database }: World, raws: readonly object[]): Promise<Row> {
  const model = toModel(raws);
  const searcher = createSearcher(model);
  const found: Row = {};
  for (const name of SCHEMAS) {
    const schema = model.schemas.get(name);
    const { rows } = await searcher.search(database, name, { limit: 1000, filter: { [`${name}_active`]: 'any' } });
    const names = (schema?.columns ?? []).filter(({ computed }) => computed !== undefined).map((column) => column.name);
    found[name] = (JSON.parse(JSON.stringify(rows)) as Row[]).map((row) => names.map((key) => row[key]));
  }
  return found;
}

/** The columns have what a statement computes. */
async function assertRight(world: World, words: string): Promise<void> {
  assert.equal(await readAll(world, stored), await readAll(world, toShop()), words);
}

type Change = readonly [words: string, change: (world: World) => Promise<unknown>];

const CHANGES: readonly Change[] = [
  [
    'a line changes its cost',
    ({ database: { kysely } }) => kysely.updateTable('line').set({ line_cost: 5 }).where('line_id', '=', 1).execute(),
  ],
  [
    'a line changes its count',
    ({ database: { kysely } }) => kysely.updateTable('line').set({ line_count: 8 }).where('line_id', '=', 2).execute(),
  ],
  [
    'a line is removed softly',
    ({ database: { kysely } }) => kysely.updateTable('line').set({ line_active: 0 }).where('line_id', '=', 2).execute(),
  ],
  [
    'a line comes back',
    ({ database: { kysely } }) => kysely.updateTable('line').set({ line_active: 1 }).where('line_id', '=', 3).execute(),
  ],
  [
    'a line moves',
    ({ database: { kysely } }) => kysely.updateTable('line').set({ sale_id: 3 }).where('line_id', '=', 1).execute(),
  ],
  [
    'a line leaves',
    ({ database: { kysely } }) => kysely.updateTable('line').set({ sale_id: null }).where('line_id', '=', 4).execute(),
  ],
  [
    'lines are deleted',
    ({ database: { kysely } }) => kysely.deleteFrom('line').where('line_id', 'in', [3, 5]).execute(),
  ],
  ['a tag gets points', ({ database: { kysely } }) => kysely.updateTable('tag').set({ tag_points: 40 }).execute()],
  [
    'a tag is linked',
    ({ database: { kysely } }) => kysely.insertInto('sale_tag').values({ sale_id: 2, tag_id: 1 }).execute(),
  ],
  [
    'a tag is unlinked',
    ({ database: { kysely } }) =>
      kysely.deleteFrom('sale_tag').where('sale_id', '=', 1).where('tag_id', '=', 1).execute(),
  ],
  [
    'a tag is deleted with its links',
    ({ database: { kysely } }) => kysely.deleteFrom('tag').where('tag_id', '=', 2).execute(),
  ],
  [
    'a sale changes its tax',
    ({ database: { kysely } }) =>
      kysely.updateTable('sale').set({ sale_tax: 7, sale_note: 'new' }).where('sale_id', '=', 3).execute(),
  ],
  [
    'a sale moves to another customer',
    ({ database: { kysely } }) => kysely.updateTable('sale').set({ customer_id: 2 }).where('sale_id', '=', 1).execute(),
  ],
  [
    'a sale is removed',
    ({ database: { kysely } }) => kysely.updateTable('sale').set({ sale_active: 0 }).where('sale_id', '=', 2).execute(),
  ],
  ['a sale is deleted', ({ database: { kysely } }) => kysely.deleteFrom('sale').where('sale_id', '=', 4).execute()],
  [
    'somebody writes into a counted column',
    ({ database: { kysely } }) => kysely.updateTable('sale').set({ sale_lines: 99 }).execute(),
  ],
  [
    'a sale comes',
    ({ insert }) => insert('sale', { sale_title: 'E', customer_id: 2, sale_active: 1, sale_day: '2026-05-05' }),
  ],
  [
    'lines come',
    ({ insert }) =>
      insert(
        'line',
        { line_cost: 3, line_count: 2, sale_id: 3, line_active: 1 },
        { line_cost: 1, line_count: 1, sale_id: 3, line_active: 0 },
      ),
  ],
];

test('stored values follow every write of the rows that they are computed of', () =>
  withShop(async (world) => {
    await assertRight(world, 'at the start');
    for (const [words, change] of CHANGES) {
      await change(world);
      await assertRight(world, words);
    }
  }));

test('what is written in a transaction is taken back with it', () =>
  withShop(async (world) => {
    const { database } = world;
    const before = await readAll(world, stored);
    await database
      .transaction(async () => {
        await database.kysely.deleteFrom('line').execute();
        throw new Error('No');
      })
      .catch(() => undefined);
    assert.equal(await readAll(world, stored), before);
  }));

test('parallel writes of related rows leave the right values', () =>
  withShop(async (world) => {
    const { database } = world;
    const next = createNext(SEED);
    const draw = (most: number): number => 1 + Math.floor(next() * most);
    const write = async (): Promise<void> => {
      const [kind, sale, line] = [draw(5), draw(4), draw(6)];
      const count = draw(50);
      const { kysely } = database;
      await database.transaction(async () => {
        if (kind === 1) await kysely.updateTable('line').set({ sale_id: sale }).where('line_id', '=', line).execute();
        else if (kind === 2)
          await kysely
            .deleteFrom('line')
            .where('line_id', '=', 6 + draw(20))
            .execute();
        else if (kind === 3)
          await kysely.updateTable('line').set({ line_count: count }).where('sale_id', '=', sale).execute();
        else {
          const row = { line_cost: 2, line_count: count, sale_id: sale, line_active: 1 };
          await kysely.insertInto('line').values(row).execute();
        }
      });
    };
    const outcomes = await Promise.allSettled(Array.from({ length: WRITES }, write));
    // PostgreSQL ends a deadlock by refusing one of the two, whose caller would write again.
    const refused = outcomes.filter(({ status }) => status === 'rejected').length;
    assert.ok(refused < WRITES / 2, `${refused} of ${WRITES} refused`);
    await assertRight(world, `after ${WRITES} parallel writes`);
  }));

const plan = async ({ database }: World, raws: readonly object[]) =>
  planMigration(database, createTables(toModel(raws), [], { dialect: database.dialect }));
const apply = async ({ database }: World, raws: readonly object[]) =>
  migrate(database, createTables(toModel(raws), [], { dialect: database.dialect }));

test('a migration adds, changes, keeps and drops stored columns, and loses nothing', () =>
  withWorld(
    async (world) => {
      await fillShop(world);
      const first = await apply(world, stored);
      assert.equal(first.refused, []);
      await assertRight(world, 'added to rows that are there');
      assert.equal((await plan(world, stored)).steps, []);
      const other = JSON.parse(
        JSON.stringify(stored).replace('net / lines', 'lines + 1').replace("coalesce(city, '?')", 'city'),
      );
      await apply(world, other);
      assert.equal(
        await readAll(world, other),
        await readAll(world, JSON.parse(JSON.stringify(other).replaceAll('"stored":true', '"stored":false'))),
      );
      assert.equal((await plan(world, other)).steps, []);
      // A table that is rebuilt: a field becomes required, and another goes.
      const narrow = JSON.parse(
        JSON.stringify(stored).replace(
          '{"name":"title","type":"text"',
          '{"name":"title","type":"text","required":true',
        ),
      );
      const narrowed = await apply(world, narrow);
      assert.equal(narrowed.refused, []);
      await assertRight(world, 'after a rebuild');
      for (const [words, change] of CHANGES.slice(0, 6)) {
        await change(world);
        await assertRight(world, `after a rebuild, ${words}`);
      }
      const renamed = JSON.parse(
        JSON.stringify(narrow)
          .replace('"name":"cost"', '"name":"price","was":"cost"')
          .replaceAll('cost * count', 'price * count'),
      );
      await apply(world, renamed);
      const plain = JSON.parse(JSON.stringify(renamed).replaceAll('"stored":true', '"stored":false'));
      assert.equal(await readAll(world, renamed), await readAll(world, plain));
      const values = await readAll(world, plain);
      await apply(world, plain);
      assert.equal(await readAll(world, plain), values);
      const left = await plan(world, plain);
      assert.equal(left.steps, []);
      assert.equal(left.drift, []);
    },
    true,
    toShop(),
  ));

test.run();
