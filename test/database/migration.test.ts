import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import type { Database, SystemTable } from '../../src/database/database.ts';
import { applyMigration, migrate, planMigration } from '../../src/database/migration.ts';
import { isBlocked, isServing } from '../../src/database/migration-step.ts';
import { openDatabase } from '../../src/database/open.ts';
import { readStructure } from '../../src/database/read-structure.ts';
import { createSystemTable, type Table } from '../../src/database/table.ts';
import { toWordTarget, type WordTarget, writeWords } from '../../src/database/words/word-table.ts';
import { createSearcher } from '../../src/store/read/searcher.ts';
import { only, placeDatabase } from './_where.ts';
import { undoMigration } from './migration/_undo.ts';
import { codes, find, kinds, onSite, type Site } from './migration/_world.ts';
import { PROFILE, type SchemaSketch, toModel } from './model.ts';
import { codeOf } from './temporary-database.ts';

const test = suite('database/migration');

const COMMENT: SchemaSketch = {
  name: 'comment',
  fields: [{ name: 'detail', type: 'textarea', required: true }],
  relations: [{ schema: 'profile', kind: '1:1' }],
};
const BLOG = [PROFILE, COMMENT];

/** A profile and two comments, migrated. */
const withRows = (fn: (site: Site) => Promise<void>): Promise<void> =>
  onSite(async (site) => {
    await site.migrate(BLOG);
    await site.insert({ profile: [{ profile_name: 'Ada' }] });
    await site.insert({ comment: ['one', 'two'].map((text) => ({ comment_detail: text, profile_id: 1 })) });
    await fn(site);
  });

const withField = (...fields: SchemaSketch['fields']): SchemaSketch => ({
  ...COMMENT,
  fields: [...COMMENT.fields, ...fields],
});
const words = (steps: readonly { readonly words: string }[]): string[] => steps.map((step) => step.words);
const run = (database: Database, text: string) => sql.raw(text).execute(database.kysely);

test('makes everything in an empty database, writes the journal, and then has nothing to do', () =>
  onSite(async (site) => {
    const plan = await site.plan(BLOG);
    assert.not(isServing(plan));
    assert.ok(plan.steps.every((step) => step.class === 'add'));
    assert.ok(plan.steps.some(({ words }) => words === 'Create the table comment (3 columns).'));
    assert.equal((await applyMigration(site.database, plan)).refused, []);
    const [entry, ...others] = await site.read('treadle_journal');
    assert.is(others.length, 0);
    assert.match(String(entry?.sql), 'create table "comment"');
    assert.ok(JSON.parse(String(entry?.steps)).length >= 5);
    const again = await site.plan(BLOG);
    assert.equal([again.steps, again.drift, isServing(again)], [[], [], true]);
    await site.insert({ profile: [{ profile_name: 'Ada' }] });
    const orphan = site.insert({ comment: [{ comment_detail: 'x', profile_id: 9 }] });
    assert.is(await codeOf(orphan), 'DATABASE_CONSTRAINT');
  }));

test('numbers of removed rows are not given again, after a rebuild and after a way back', () =>
  withRows(async (site) => {
    const { kysely } = site.database;
    const insert = async (row: Record<string, unknown>) =>
      Number((await kysely.insertInto('comment').values(row).returning('comment_id').executeTakeFirst())?.comment_id);
    await kysely.deleteFrom('comment').where('comment_id', '=', 2).execute();
    await site.migrate([PROFILE, { ...COMMENT, fields: [{ name: 'detail', type: 'textarea' }] }]);
    assert.is(await insert({ profile_id: 1 }), 3);
    await kysely.deleteFrom('comment').where('comment_id', '=', 3).execute();
    await site.migrate([PROFILE], { allowLoss: true });
    await site.undo();
    assert.is(await insert({ profile_id: 1 }), 4);
  }));

test('what would refuse rows is told with their number and keys, and nothing is changed', () =>
  withRows(async (site) => {
    await site.insert({ profile: [{ profile_name: 'Ada' }] });
    await site.migrate([PROFILE, withField({ name: 'rating', type: 'text' })]);
    await site.database.kysely
      .updateTable('comment')
      .set({ comment_rating: 'good' })
      .where('comment_id', '=', 1)
      .execute();
    const cases: [readonly SchemaSketch[], string, number, readonly number[], boolean][] = [
      [[PROFILE, withField({ name: 'rating', type: 'number' })], 'MIGRATION_TYPE_LOSES', 1, [1], true],
      [[PROFILE, withField({ name: 'rating', type: 'date' })], 'MIGRATION_TYPE_LOSES', 1, [1], true],
      [
        [PROFILE, withField({ name: 'rating', type: 'select', options: [{ key: 'a', value: 'A' }] })],
        'MIGRATION_TYPE_LOSES',
        1,
        [1],
        true,
      ],
      [[PROFILE, withField({ name: 'rating', type: 'text', required: true })], 'MIGRATION_ROWS_EMPTY', 1, [2], false],
      [
        [{ name: 'profile', fields: [{ name: 'name', type: 'text', required: true, unique: true }] }, COMMENT],
        'MIGRATION_ROWS_SHARED',
        2,
        [1, 2],
        true,
      ],
      [
        [PROFILE, withField({ name: 'rating', type: 'text' }, { name: 'mood', type: 'text', required: true })],
        'MIGRATION_COLUMN_REQUIRED',
        2,
        [],
        true,
      ],
      [
        [
          PROFILE,
          {
            ...withField({ name: 'rating', type: 'text' }),
            relations: [
              { schema: 'profile', kind: '1:1' },
              { schema: 'profile', kind: '1:1', name: 'editor' },
            ],
          },
        ],
        'MIGRATION_COLUMN_REQUIRED',
        2,
        [],
        true,
      ],
    ];
    const before = [await site.read('comment'), await site.describe()];
    for (const [sketches, code, rows, ids, isNeeded] of cases) {
      const plan = await site.plan(sketches);
      const step = find(plan, code);
      assert.equal([step.rowsAtRisk, step.rows ?? [], step.isNeeded], [rows, ids, isNeeded], code);
      assert.is(isBlocked(plan), isNeeded);
      assert.match(step.refusal?.hint ?? '', /./);
      if (!isNeeded) continue;
      assert.equal((await applyMigration(site.database, plan)).applied, [], 'not even what could be');
      assert.equal([await site.read('comment'), await site.describe()], before);
    }
  }));

test('a value for this once must be one that the field takes', () =>
  withRows(async (site) => {
    const wanted = [PROFILE, withField({ name: 'rank', type: 'number', required: true })];
    const give = (key: string, value: string) => site.plan(wanted, { defaults: new Map([[key, value]]) });
    assert.is(find(await site.plan(wanted), 'MIGRATION_COLUMN_REQUIRED').asks, 'comment.rank');
    assert.is(await codeOf(give('comment.rank', 'high')), 'MIGRATION_DEFAULT_INVALID');
    assert.not(isBlocked(await give('comment.comment_rank', '3')));
    const related = [
      PROFILE,
      { ...COMMENT, relations: [...(COMMENT.relations ?? []), { schema: 'profile', kind: '1:1', name: 'editor' }] },
    ] as const;
    const lead = (value: string) => site.plan(related, { defaults: new Map([['comment.editor', value]]) });
    assert.is(await codeOf(lead('9')), 'MIGRATION_DEFAULT_INVALID');
    assert.is(await codeOf(lead('Ada')), 'MIGRATION_DEFAULT_INVALID');
    assert.not(isBlocked(await lead('1')));
  }));

test('what no definition names stays, is counted, asks for no value and holds no row of another table', () =>
  withRows(async (site) => {
    const { plan } = await site.migrate([PROFILE, { name: 'comment', fields: [{ name: 'text', type: 'textarea' }] }]);
    assert.equal(
      plan.steps
        .filter(({ refusal }) => refusal)
        .map(({ kind, column, rowsAtRisk, isNeeded }) => [kind, column, rowsAtRisk, isNeeded]),
      [
        ['drop-column', 'comment_detail', 2, false],
        ['drop-column', 'profile_id', 2, false],
      ],
    );
    await site.insert({ comment: [{ comment_text: 'new' }] });
    await site.database.kysely.deleteFrom('profile').execute();
    assert.equal(
      (await site.read('comment')).map((row) => [row.comment_detail, row.profile_id]),
      [
        ['one', 1],
        ['two', 1],
        [null, null],
      ],
    );
    const without = await site.plan([PROFILE]);
    assert.equal(codes(without), ['MIGRATION_TABLE_LEFT']);
    // Renamed back, everything is as before; rows with a missing reference are named.
    const back = await site.plan([PROFILE, { ...COMMENT, fields: [{ name: 'detail', type: 'textarea' }] }]);
    assert.equal(find(back, 'MIGRATION_ROWS_ORPHANED').rows, [1, 2]);
  }));

test('what Treadle did not make is never dropped', () =>
  withRows(async (site) => {
    await run(site.database, 'create table mine (id integer primary key, profile_id integer)');
    await run(site.database, 'alter table comment add column extra integer');
    await run(site.database, 'create index mine_index on comment (extra)');
    const { plan } = await site.migrate([PROFILE, { ...COMMENT, fields: [{ name: 'detail', type: 'textarea' }] }], {
      allowLoss: true,
    });
    assert.equal(plan.drift.map(({ kind, name }) => `${kind} ${name}`).sort(), [
      'column extra',
      'index mine_index',
      'table mine',
    ]);
    const shape = await site.describe();
    assert.ok(shape.mine && shape.comment?.includes('extra'));
    assert.ok((await readStructure(site.database)).tables.get('comment')?.indexes.has('mine_index'));
  }));

only(
  'sqlite',
  'database/migration',
  test,
)('a rebuild keeps triggers and indexes of a person, also where names change', () =>
  withRows(async (site) => {
    const { database } = site;
    await run(database, 'create table heard (text text)');
    await run(
      database,
      'create trigger comment_heard after update on comment begin insert into heard select new.comment_detail from profile limit 1; end',
    );
    await run(database, "create index part on comment (comment_detail) where comment_detail <> ''");
    await site.migrate([
      PROFILE,
      { ...COMMENT, name: 'remark', was: 'comment', fields: [{ name: 'text', was: 'detail', type: 'textarea' }] },
    ]);
    await database.kysely.updateTable('remark').set({ remark_text: 'heard' }).where('remark_id', '=', 1).execute();
    assert.equal(await site.read('heard'), [{ text: 'heard' }]);
    const { rows } = await sql`select sql from sqlite_schema where name = 'part'`.execute(database.kysely);
    assert.match(String((rows[0] as { sql: string }).sql), 'remark_text');
  }),
);

test('rebuilding a table that others reference removes none of them; a plan for another structure is stale', () =>
  withRows(async (site) => {
    const wanted = [{ name: 'profile', fields: [{ name: 'name', type: 'text', default: 'nobody' }] }, COMMENT] as const;
    const plan = await site.plan(wanted);
    await run(site.database, 'create table other (id integer)');
    assert.is(await codeOf(applyMigration(site.database, plan)), 'MIGRATION_STALE');
    await site.migrate(wanted);
    assert.is((await site.read('comment')).length, 2);
    assert.is(await codeOf(site.database.kysely.deleteFrom('profile').execute()), 'DATABASE_CONSTRAINT');
  }));

test('rows that conflict only while the migration runs undo all of it, and are named', () =>
  withRows(async (site) => {
    await site.migrate([PROFILE, withField({ name: 'rank', type: 'text' })]);
    const write = (id: number, text: string) =>
      site.database.kysely.updateTable('comment').set({ comment_rank: text }).where('comment_id', '=', id).execute();
    await write(1, '7');
    await write(2, '08');
    const wanted = [PROFILE, withField({ name: 'rank', type: 'number', unique: true }, { name: 'new', type: 'text' })];
    const plan = await site.plan(wanted);
    // Both are 7 as numbers, which an index of the texts could not detect.
    await write(2, '07');
    const before = [await site.read('comment'), await site.describe(), await site.read('treadle_journal')];
    assert.is(await codeOf(applyMigration(site.database, plan)), 'MIGRATION_STEP_FAILED');
    assert.equal([await site.read('comment'), await site.describe(), await site.read('treadle_journal')], before);
    assert.equal(find(await site.plan(wanted), 'MIGRATION_ROWS_SHARED').rows, [1, 2], 'the plan names them now');
  }));

test('a value that was written after the plan was made is looked at again', () =>
  withRows(async (site) => {
    await site.migrate([PROFILE, withField({ name: 'rank', type: 'text' })]);
    const plan = await site.plan([PROFILE, withField({ name: 'rank', type: 'number' })]);
    await site.database.kysely
      .updateTable('comment')
      .set({ comment_rank: 'many' })
      .where('comment_id', '=', 1)
      .execute();
    assert.is(await codeOf(applyMigration(site.database, plan)), 'MIGRATION_STALE');
    assert.is((await site.read('comment'))[0]?.comment_rank, 'many');
  }));

test('a rename onto a name that holds rows says so; what was done is history', () =>
  withRows(async (site) => {
    await site.migrate([PROFILE, withField({ name: 'text', type: 'textarea' })]);
    await site.database.kysely.updateTable('comment').set({ comment_text: 'other' }).execute();
    const renamed = [
      PROFILE,
      { ...COMMENT, fields: [{ name: 'text', was: 'detail', type: 'textarea', required: true }] },
    ] as const;
    const step = find(await site.plan(renamed), 'MIGRATION_RENAME_TAKEN');
    assert.equal([step.class, step.rowsAtRisk, step.isNeeded], ['lose', 2, true]);
    await site.migrate(renamed, { allowLoss: true });
    assert.equal(
      (await site.read('comment')).map((row) => row.comment_text),
      ['one', 'two'],
    );
    assert.equal((await site.plan(renamed)).steps, []);
    await site.database.kysely.updateTable('comment').set({ comment_text: 'edited' }).execute();
    assert.equal((await site.plan(renamed)).steps, [], 'done once, it is not done again');
  }));

test('goes back step by step, keeps what was changed since, and can go on from there', () =>
  withRows(async (site) => {
    const steps = [
      [PROFILE, withField({ name: 'rank', type: 'text' })],
      [PROFILE, withField({ name: 'rank', type: 'number' })],
      [PROFILE, COMMENT],
    ] as const;
    const { kysely } = site.database;
    await site.migrate(steps[0]);
    await kysely.updateTable('comment').set({ comment_rank: '07' }).execute();
    await site.migrate(steps[1]);
    await kysely.updateTable('comment').set({ comment_rank: 8 }).where('comment_id', '=', 2).execute();
    await site.migrate(steps[2], { allowLoss: true });
    await site.insert({ comment: [{ comment_detail: 'three', profile_id: 1 }] });
    await site.undo();
    assert.equal(
      (await site.read('comment')).map((row) => row.comment_rank),
      [7, 8, null],
    );
    await site.undo();
    assert.equal(
      (await site.read('comment')).map((row) => row.comment_rank),
      ['07', '8', null],
    );
    const refused = await site.undo();
    assert.equal([refused.applied, refused.refused.map(({ rowsAtRisk }) => rowsAtRisk)], [[], [2]]);
    await site.undo({ allowLoss: true });
    assert.equal(Object.keys((await site.read('comment'))[0] ?? {}), ['comment_detail', 'comment_id', 'profile_id']);
    for (const step of steps.slice(0, 2)) assert.equal((await site.migrate(step)).refused, []);
    assert.equal(
      (await site.read('treadle_journal')).map(({ undoes }) => undoes),
      [null, null, null, null, 4, 3, 2, null, null],
    );
  }));

test('the first migration goes back too; then there is nothing to take back', () =>
  onSite(async (site) => {
    await site.migrate(BLOG);
    await site.undo();
    assert.equal(await site.describe(), {});
    assert.is(await codeOf(site.undo()), 'MIGRATION_UNDO_NONE');
    await site.migrate(BLOG);
    assert.equal(Object.keys(await site.describe()).sort(), ['comment', 'profile']);
  }));

const FORMER_JOURNAL: SystemTable = {
  name: 'treadle_journal',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'at', type: 'integer', isRequired: true },
    { name: 'words', type: 'text', isRequired: true },
    { name: 'sql', type: 'text', isRequired: true },
    { name: 'checksum', type: 'text', isRequired: true },
  ],
};

test("a database of Treadle's former version goes on, and what it made may go", () =>
  onSite(async (site) => {
    const { database } = site;
    await site.migrate(BLOG);
    await site.insert({ profile: [{ profile_name: 'Ada' }] });
    const [entry] = await site.read('treadle_journal');
    await run(database, 'drop table treadle_journal');
    await run(database, 'drop table treadle_table');
    const former = createSystemTable(FORMER_JOURNAL, database.dialect);
    const [create] = (await planMigration(database, [former])).steps.filter(({ table }) => table === 'treadle_journal');
    const columns = FORMER_JOURNAL.columns.map(({ name }) => name);
    await run(database, (create?.sql[0] ?? '').replace(/, "steps" .*$/, ')'));
    await database.kysely
      .insertInto('treadle_journal')
      .values(Object.fromEntries(columns.filter((name) => name !== 'id').map((name) => [name, entry?.[name]])))
      .execute();
    assert.ok(isServing(await site.plan(BLOG)) === false, 'its own tables lack something');
    const { applied } = await site.migrate(BLOG);
    assert.equal([...new Set(applied.map(({ table }) => table))].sort(), ['treadle_journal', 'treadle_table']);
    assert.equal((await site.plan(BLOG)).steps, []);
    assert.is(await codeOf(site.undo()), 'MIGRATION_UNDO_UNKNOWN');
    const dropped = await site.migrate([PROFILE], { allowLoss: true });
    assert.equal(kinds(dropped.applied), ['drop-table lose']);
    await site.undo();
    assert.ok((await site.describe()).comment);
  }));

test("Treadle's own tables are renamed and change their columns in the same way", () =>
  onSite(async ({ database }) => {
    const wants = (table: SystemTable) => [createSystemTable(table, database.dialect)];
    const old: SystemTable = {
      name: 'treadle_old',
      columns: [
        { name: 'id', type: 'id' },
        { name: 'text', type: 'text' },
        { name: 'size', type: 'text' },
      ],
    };
    await migrate(database, wants(old));
    await database.kysely.insertInto('treadle_old').values({ text: 'x', size: '5' }).execute();
    await migrate(
      database,
      wants({
        name: 'treadle_new',
        was: 'treadle_old',
        columns: [
          { name: 'id', type: 'id' },
          { name: 'title', was: 'text', type: 'text', isRequired: true },
          { name: 'size', type: 'integer', isRequired: true, default: 1 },
          { name: 'more', type: 'json', isRequired: true, default: '{}' },
        ],
      }),
    );
    assert.equal(await database.kysely.selectFrom('treadle_new').selectAll().execute(), [
      { id: 1, title: 'x', size: 5, more: '{}' },
    ]);
    assert.is(await codeOf(undoMigration(database)), 'MIGRATION_UNDO_NONE');
  }));

test('a table of somebody else under the name of a schema is left alone', () =>
  onSite(async (site) => {
    await run(site.database, 'create table profile (name text primary key)');
    const plan = await site.plan([PROFILE]);
    assert.equal([codes(plan), isServing(plan)], [['MIGRATION_PRIMARY_DIFFERS'], false]);
    assert.equal((await applyMigration(site.database, plan)).applied, []);
  }));

test('a dry plan writes nothing, however much it looks at', () =>
  withRows(async (site) => {
    const before = (await readStructure(site.database)).checksum;
    const rows = [await site.read('treadle_journal'), await site.read('treadle_table'), await site.read('comment')];
    await site.plan([{ ...COMMENT, name: 'remark', was: 'comment', relations: [] }], { allowLoss: true });
    assert.is((await readStructure(site.database)).checksum, before);
    assert.equal(
      [await site.read('treadle_journal'), await site.read('treadle_table'), await site.read('comment')],
      rows,
    );
  }));

test('many rows are converted in batches, and go back', () =>
  onSite(async (site) => {
    const sketch = (type: 'text' | 'number'): SchemaSketch[] => [{ name: 'note', fields: [{ name: 'x', type }] }];
    await site.migrate(sketch('text'));
    const count = 3500;
    for (let from = 0; from < count; from += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => ({ note_x: ` ${from + index}` }));
      await site.insert({ note: rows });
    }
    await site.migrate(sketch('number'));
    const sum = async (): Promise<number> =>
      (await site.read('note')).reduce((total, row) => total + Number(row.note_x), 0);
    assert.is(await sum(), (count * (count - 1)) / 2);
    await site.undo();
    assert.is((await site.read('note')).filter(({ note_x: text }) => String(text).startsWith(' ')).length, count);
  }));

/** Ids of the rows that have this word. */
async function findWord(
  { database }: Site,
  sketches: readonly SchemaSketch[],
  name: string,
  q: string,
): Promise<unknown[]> {
  const { rows } = await createSearcher(toModel(...sketches)).search(database, name, { q });
  return rows.map((row) => row[`${name}_id`]);
}

test('the words of a row are found after two names were exchanged and values were read again', () =>
  onSite(async (site) => {
    const sketch = (name: string, field: string, more: Partial<SchemaSketch['fields'][0]> = {}): SchemaSketch => ({
      name,
      fields: [{ name: field, type: 'text', searchable: true, ...more }],
    });
    const before = [sketch('cat', 'name'), sketch('dog', 'name')];
    const target = (table: string) => toWordTarget(site.tables(...before).find(({ name }) => name === table) as Table);
    await site.migrate(before);
    for (const [table, text] of [
      ['cat', 'Tom Old'],
      ['dog', 'Rex'],
    ] as const) {
      const row = { [`${table}_id`]: 1, [`${table}_name`]: text };
      await site.insert({ [table]: [row] });
      await writeWords(site.database, target(table) as WordTarget, [row]);
    }
    assert.equal(await findWord(site, before, 'cat', 'old'), [1]);
    const after = [
      { ...sketch('dog', 'name'), was: 'cat' },
      { ...sketch('cat', 'name'), was: 'dog' },
    ];
    await site.migrate(after);
    assert.equal(await findWord(site, after, 'dog', 'old'), [1]);
    assert.equal([await findWord(site, after, 'cat', 'rex'), await findWord(site, after, 'cat', 'old')], [[1], []]);
    await site.undo();
    assert.equal([await findWord(site, before, 'cat', 'old'), await findWord(site, before, 'dog', 'old')], [[1], []]);
    const read = [sketch('cat', 'name', { type: 'slug' }), sketch('dog', 'name')];
    await site.migrate(read);
    assert.equal((await site.read('cat'))[0]?.cat_name, 'tom-old');
    assert.equal(await findWord(site, read, 'cat', 'tom-old'), [1]);
  }));

test('on a file or a server, and twice at the same time: one does it, the other finds it done', async () => {
  const { mkdtemp, rm } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const root = await mkdtemp(join(tmpdir(), 'treadle-migration-'));
  const place = await placeDatabase('app.db');
  const open = () => openDatabase({ url: place.url, root, log: silentLog, clock: systemClock });
  const both = [await open(), await open()];
  try {
    await onBoth(both);
  } finally {
    for (const database of both) await database.close();
    await place.remove();
    await rm(root, { recursive: true, force: true });
  }
});

async function onBoth([one, other]: readonly Database[]): Promise<void> {
  assert.ok(one && other);
  const { tablesFor } = await import('./model.ts');
  const wanted = tablesFor(one.dialect, ...BLOG);
  const results = await Promise.all([migrate(one, wanted), migrate(other, wanted)]);
  assert.is(results.filter(({ applied }) => applied.length > 0).length, 1);
  assert.equal(words((await planMigration(other, wanted)).steps), []);
}

test.run();
