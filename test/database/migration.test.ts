import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log.ts';
import type { Row } from '../../src/database/database.ts';
import { applyMigration, migrate, planMigration } from '../../src/database/migration.ts';
import { isServing, type MigrationPlan, printPlan } from '../../src/database/migration-step.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { SqliteDatabase } from '../../src/database/sqlite/sqlite-database.ts';
import { PROFILE, type SchemaSketch, tablesOf } from './model.ts';
import { codeOf, withDatabase } from './temporary-database.ts';

const test = suite('database/migration');

const COMMENT: SchemaSketch = {
  name: 'comment',
  fields: [{ name: 'detail', type: 'textarea', required: true }],
  relations: [{ schema: 'profile', kind: '1:1' }],
};

async function withEmpty(fn: (database: SqliteDatabase) => Promise<void>): Promise<void> {
  const database = await openDatabase({ url: 'sqlite::memory:', root: '/', log: silentLog, clock: systemClock });
  try {
    await fn(database);
  } finally {
    await database.close();
  }
}

/** A profile and two comments, migrated. */
async function withRows(fn: (database: SqliteDatabase) => Promise<void>): Promise<void> {
  await withEmpty(async (database) => {
    await migrate(database, tablesOf(PROFILE, COMMENT));
    await database.kysely.insertInto('profile').values({ profile_name: 'Ada' }).execute();
    const rows = ['one', 'two'].map((text) => ({ comment_detail: text, profile_id: 1 }));
    await database.kysely.insertInto('comment').values(rows).execute();
    await fn(database);
  });
}

const withField = (...fields: SchemaSketch['fields']): SchemaSketch => ({
  ...COMMENT,
  fields: [...COMMENT.fields, ...fields],
});
const kinds = ({ steps }: MigrationPlan): string[] => steps.map(({ kind, class: kind2 }) => `${kind} ${kind2}`);
const codes = ({ problems }: MigrationPlan): string[] => problems.map(({ code }) => code);
const readAll = async (database: SqliteDatabase, table: string): Promise<Row[]> =>
  database.kysely.selectFrom(table).selectAll().execute();

test('makes everything in an empty database, writes the journal, and then has nothing to do', () =>
  withEmpty(async (database) => {
    const wanted = tablesOf(PROFILE, COMMENT);
    const plan = await planMigration(database, wanted);
    assert.not(isServing(plan));
    assert.ok(plan.steps.every((step) => step.class === 'add'));
    assert.match(printPlan(plan), 'Create the table comment (3 columns).');
    assert.equal((await applyMigration(database, plan, { allowLoss: false })).refused, []);
    const [entry, ...others] = await readAll(database, 'treadle_journal');
    assert.is(others.length, 0);
    assert.match(String(entry?.sql), 'create table "comment"');
    const again = await planMigration(database, wanted);
    assert.equal([again.steps, again.drift, isServing(again)], [[], [], true]);
    await database.kysely.insertInto('profile').values({ profile_name: 'Ada' }).execute();
    const orphan = database.kysely.insertInto('comment').values({ comment_detail: 'x', profile_id: 9 }).execute();
    assert.is(await codeOf(orphan), 'DATABASE_CONSTRAINT');
  }));

test('numbers of removed rows are not given again', () =>
  withRows(async (database) => {
    await database.kysely.deleteFrom('comment').where('comment_id', '=', 2).execute();
    // A change that rebuilds the table must not forget it.
    await migrate(database, tablesOf(PROFILE, { ...COMMENT, fields: [{ name: 'detail', type: 'textarea' }] }));
    const inserted = await database.kysely.insertInto('comment').values({ profile_id: 1 }).executeTakeFirst();
    assert.is(inserted.insertId, 3n);
  }));

test('adds columns, tables and indexes beside rows', () =>
  withRows(async (database) => {
    const wanted = tablesOf(
      PROFILE,
      withField(
        { name: 'rating', type: 'number', filterable: true },
        { name: 'state', type: 'text', required: true, default: "it's new" },
        { name: 'key', type: 'text', unique: true },
      ),
      { name: 'article', fields: [], relations: [{ schema: 'comment', kind: '1:N' }] },
    );
    const { plan, refused } = await migrate(database, wanted);
    assert.equal(refused, []);
    assert.ok(plan.steps.every((step) => step.class === 'add'));
    const [row] = await readAll(database, 'comment');
    assert.equal(row, {
      comment_id: 1,
      comment_detail: 'one',
      profile_id: 1,
      comment_rating: null,
      comment_state: "it's new",
      comment_key: null,
      article_id: null,
    });
    assert.equal((await planMigration(database, wanted)).steps, []);
  }));

test('a required column: added to an empty table, refused where rows have no value for it', () =>
  withRows(async (database) => {
    const wanted = tablesOf(PROFILE, withField({ name: 'mood', type: 'text', required: true }));
    const plan = await planMigration(database, wanted);
    assert.equal([codes(plan), isServing(plan)], [['MIGRATION_COLUMN_REQUIRED'], false]);
    assert.match(plan.problems[0]?.message ?? '', '2 rows');
    assert.is(plan.problems[0]?.file, 'config/schema/comment.json');
    assert.equal((await applyMigration(database, plan)).applied, []);
    await database.kysely.deleteFrom('comment').execute();
    assert.equal((await migrate(database, wanted)).refused, []);
    assert.ok(isServing(await planMigration(database, wanted)));
  }));

test('what no definition names stays, is told, and no longer asks for a value', () =>
  withRows(async (database) => {
    const wanted = tablesOf(PROFILE, { name: 'comment', fields: [{ name: 'text', type: 'textarea' }] });
    const { plan } = await migrate(database, wanted);
    assert.equal(
      plan.drift.map(({ name }) => name),
      ['comment_detail', 'profile_id'],
    );
    await database.kysely.insertInto('comment').values({ comment_text: 'new' }).execute();
    assert.equal(
      (await readAll(database, 'comment')).map((row) => [row.comment_detail, row.profile_id]),
      [
        ['one', 1],
        ['two', 1],
        [null, null],
      ],
    );
    const without = await planMigration(database, tablesOf(PROFILE));
    assert.equal([without.steps, without.drift.map(({ kind, name }) => `${kind} ${name}`)], [[], ['table comment']]);
  }));

test('rebuilding a table that others lead to removes none of them', () =>
  withRows(async (database) => {
    const wanted = tablesOf(
      { name: 'profile', fields: [{ name: 'name', type: 'text', searchable: true, default: 'nobody' }] },
      COMMENT,
    );
    const plan = await planMigration(database, wanted);
    assert.equal(kinds(plan), ['rebuild-table change']);
    await sql`create trigger profile_touched after update on profile begin select 1; end`.execute(database.kysely);
    assert.is(await codeOf(applyMigration(database, plan)), 'MIGRATION_STALE');
    await migrate(database, wanted);
    assert.is((await readAll(database, 'comment')).length, 2);
    assert.is(
      await codeOf(database.kysely.deleteFrom('profile').execute()),
      'DATABASE_CONSTRAINT',
      'keys are on again',
    );
    await database.kysely.insertInto('profile').defaultValues().execute();
    assert.equal(
      (await readAll(database, 'profile')).map((row) => row.profile_name),
      ['Ada', 'nobody'],
    );
    const objects = await sql<{
      name: string;
    }>`select name from sqlite_schema where tbl_name = 'profile' and type <> 'table'`.execute(database.kysely);
    assert.equal(objects.rows.map(({ name }) => name).sort(), ['profile_name_index', 'profile_touched']);
    assert.equal((await planMigration(database, wanted)).steps, []);
  }));

test('what would lose or refuse rows is reported with their number, and nothing is changed', () =>
  withRows(async (database) => {
    await database.kysely.insertInto('profile').values({ profile_name: 'Ada' }).execute();
    await migrate(database, tablesOf(PROFILE, withField({ name: 'rating', type: 'text' })));
    await database.kysely.updateTable('comment').set({ comment_rating: 'good' }).where('comment_id', '=', 1).execute();
    const typed = await planMigration(database, tablesOf(PROFILE, withField({ name: 'rating', type: 'number' })));
    assert.equal(
      [codes(typed), typed.steps[0]?.class, typed.steps[0]?.rowsAtRisk],
      [['MIGRATION_TYPE_LOSES'], 'lose', 1],
    );
    const required = await planMigration(
      database,
      tablesOf(PROFILE, withField({ name: 'rating', type: 'text', required: true })),
    );
    assert.equal(
      [codes(required), required.steps[0]?.rowsAtRisk, isServing(required)],
      [['MIGRATION_ROWS_EMPTY'], 1, true],
    );
    const unique = await planMigration(
      database,
      tablesOf(
        { name: 'profile', fields: [{ name: 'name', type: 'text', required: true, unique: true }] },
        withField({ name: 'rating', type: 'text' }),
      ),
    );
    assert.equal([codes(unique), isServing(unique)], [['MIGRATION_ROWS_SHARED'], false]);
    const before = await readAll(database, 'comment');
    for (const plan of [typed, required])
      assert.equal((await applyMigration(database, plan, { allowLoss: true })).applied, []);
    assert.equal(await readAll(database, 'comment'), before);
  }));

test('a column without values takes another type; required comes once all rows are filled', () =>
  withRows(async (database) => {
    await migrate(database, tablesOf(PROFILE, withField({ name: 'rating', type: 'text' })));
    const wanted = tablesOf(PROFILE, withField({ name: 'rating', type: 'number' }));
    assert.equal((await migrate(database, wanted)).refused, []);
    await database.kysely.updateTable('comment').set({ comment_rating: 5 }).execute();
    const strict = tablesOf(PROFILE, withField({ name: 'rating', type: 'number', required: true, unique: false }));
    assert.equal((await migrate(database, strict)).refused, []);
    const empty = database.kysely.insertInto('comment').values({ comment_detail: 'x', profile_id: 1 }).execute();
    assert.is(await codeOf(empty), 'DATABASE_CONSTRAINT');
    assert.equal(
      (await readAll(database, 'comment')).map((row) => row.comment_rating),
      [5, 5],
    );
  }));

test('a unique index that is no longer asked for goes; one of a person stays', () =>
  withRows(async (database) => {
    await migrate(
      database,
      tablesOf({ name: 'profile', fields: [{ name: 'name', type: 'text', required: true, unique: true }] }, COMMENT),
    );
    await sql`create index mine on profile (profile_name, profile_id)`.execute(database.kysely);
    const { plan } = await migrate(database, tablesOf(PROFILE, COMMENT));
    assert.equal(kinds(plan), ['drop-index change', 'create-index add']);
    assert.equal(
      plan.drift.map(({ name }) => name),
      ['mine'],
    );
    await database.kysely.insertInto('profile').values({ profile_name: 'Ada' }).execute();
  }));

test('a rename is never a loss: it is refused, with its SQL shown', () =>
  withRows(async (database) => {
    const field = await planMigration(
      database,
      tablesOf(PROFILE, { ...COMMENT, fields: [{ name: 'text', was: 'detail', type: 'textarea', required: true }] }),
    );
    assert.equal(
      [codes(field), kinds(field), isServing(field)],
      [['MIGRATION_RENAME_REFUSED'], ['rename-column change'], false],
    );
    assert.equal(field.steps[0]?.sql, ['alter table "comment" rename column "comment_detail" to "comment_text"']);
    const schema = await planMigration(database, tablesOf(PROFILE, { ...COMMENT, name: 'remark', was: 'comment' }));
    assert.equal([codes(schema), schema.drift], [['MIGRATION_RENAME_REFUSED'], []]);
    assert.equal((await applyMigration(database, field)).applied, []);
    const done = tablesOf(PROFILE, {
      ...COMMENT,
      fields: [{ name: 'detail', was: 'before', type: 'textarea', required: true }],
    });
    assert.equal((await planMigration(database, done)).steps, [], 'a "was" that is done is history');
  }));

test('a table of somebody else under the name of a schema is left alone', () =>
  withEmpty(async (database) => {
    await sql`create table profile (name text primary key)`.execute(database.kysely);
    const plan = await planMigration(database, tablesOf(PROFILE));
    assert.equal([codes(plan), isServing(plan)], [['MIGRATION_PRIMARY_DIFFERS'], false]);
  }));

test('on a file, and twice at the same time', () =>
  withDatabase(async ({ database, root }) => {
    const other = await openDatabase({ url: 'sqlite:var/app.db', root, log: silentLog, clock: systemClock });
    const wanted = tablesOf(PROFILE, COMMENT);
    const results = await Promise.all([migrate(database, wanted), migrate(other, wanted)]);
    assert.is(results.filter(({ applied }) => applied.length > 0).length, 1);
    assert.equal((await planMigration(other, wanted)).steps, []);
    await other.close();
  }));

test.run();
