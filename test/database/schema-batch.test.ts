import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyMigration } from '../../src/database/migration.ts';
import { groupBatches, isBatchable, isSchemaChange, runBatch } from '../../src/database/schema-batch.ts';
import { onSite } from './migration/_world.ts';
import { PROFILE } from './model.ts';
import { codeOf, withDatabase } from './temporary-database.ts';

const test = suite('database/schema-batch');

test('tells which statements may join a batch, and which text is one', () => {
  const trigger = 'create trigger t after delete on a begin delete from b; end';
  const cases: [text: string, batchable: boolean, change: boolean][] = [
    ['create table a (b text)', true, true],
    [' CREATE unique INDEX a on b (c) ', true, true],
    [trigger, true, true],
    ['create table a (b text);', false, false],
    ['create table a (b text);\ncreate index c on a (b)', false, false],
    ['-- batch\ncreate table a (b text);\ncreate index c on a (b)', false, true],
    [`-- batch\n${trigger};\n${trigger}`, false, true],
    ['-- batch\ncreate table a (b text); insert into a values (1)', false, false],
    ["create table a (b text default ';')", false, false],
    ['create table a (b text); insert into a values (1)', false, false],
    ['create table a (b text); commit', false, false],
    ['select 1', false, false],
    ['', false, false],
  ];
  for (const [text, batchable, change] of cases)
    assert.equal([isBatchable(text), isSchemaChange(text)], [batchable, change], text);
});

test('a batch keeps the order, holds at most 50, and what may not join is alone', () => {
  const items = [...Array.from({ length: 60 }, (_, n) => n), -1, 60, 61];
  const batches = groupBatches(items, (item) => item >= 0);
  assert.equal(batches.flat(), items);
  assert.equal(
    batches.map(({ length }) => length),
    [50, 10, 1, 2],
  );
});

test('runs all statements of a batch', () =>
  withDatabase(async ({ database, trace }) => {
    await runBatch(database, [
      'create table one (a integer)',
      'create table two (b integer)',
      'create index i on two (b)',
    ]);
    assert.is(trace.filter((text) => text.includes('create')).length, 1);
    await database.kysely.insertInto('two').values({ b: 1 }).execute();
    assert.equal(await database.kysely.selectFrom('one').selectAll().execute(), []);
  }));

test('a migration that fails in a batch names the step, and changes nothing', () =>
  onSite(async (site) => {
    const plan = await site.plan([PROFILE]);
    const failing = plan.steps.find(({ kind, table }) => kind === 'create-table' && table === 'profile');
    assert.ok(failing);
    assert.ok(plan.steps.indexOf(failing) > 0);
    const steps = plan.steps.map((step) =>
      step === failing ? { ...step, sql: ['create table profile (a text, a text)'] } : step,
    );
    const error = await applyMigration(site.database, { ...plan, steps }).then(
      () => undefined,
      (fault: Error) => fault,
    );
    assert.match(String(error?.message), failing.words);
    assert.is(await codeOf(Promise.reject(error)), 'MIGRATION_STEP_FAILED');
    assert.ok(
      (await site.plan([PROFILE])).steps.some(({ kind, table }) => kind === 'create-table' && table === 'profile'),
    );
    await site.migrate([PROFILE]);
    assert.equal((await site.plan([PROFILE])).steps, []);
  }));

test.run();
