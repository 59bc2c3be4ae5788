import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ApplyOptions, applyMigration, migrate, planMigration } from '../../../src/database/migration.ts';
import { isApplicable, isBlocked } from '../../../src/database/migration-step.ts';
import type { SchemaSketch } from '../model.ts';
import { type Rows, readRows, readSite, wants, withSite, wordsOf } from './_site.ts';

const test = suite('database/migration/refusal');

interface Case {
  readonly before: readonly SchemaSketch[];
  readonly rows: Rows;
  readonly after: readonly SchemaSketch[];
  readonly options?: ApplyOptions;
  /** `class: words` of each step, or the code of its refusal. */
  readonly words: readonly string[];
  /** Undefined if nothing is done, and all rows stay unchanged. */
  readonly becomes?: Rows;
}

const TITLE = { name: 'title', type: 'text' } as const;
const NOTE = { name: 'note', type: 'text' } as const;
const MORE = { name: 'more', type: 'text' } as const;
const PERSON: SchemaSketch = { name: 'person', fields: [{ name: 'name', type: 'text' }] };
const post = (...fields: SchemaSketch['fields']): SchemaSketch => ({ name: 'post', fields });
const toPosts = (...titles: (string | null)[]) =>
  titles.map((title, index) => ({ post_id: index + 1, post_title: title }));
const NOTED = [
  { post_id: 1, post_title: 'a', post_note: 'n' },
  { post_id: 2, post_title: 'b', post_note: 'm' },
];
const PERSONS = [
  { person_id: 7, person_name: 'Ada' },
  { person_id: 9, person_name: 'Bob' },
];

const CASES: Readonly<Record<string, Case>> = {
  'a type that not every value fits': {
    before: [post(TITLE)],
    rows: { post: toPosts('5', 'five', '6', 'six') },
    after: [post({ name: 'title', type: 'number' }, MORE)],
    words: [
      'add: Add the column post_more (text) to post.',
      'MIGRATION_TYPE_LOSES: In post, post_title becomes number instead of text. 2 rows (2, 4) of post have a post_title that does not fit: it must be a whole number.',
    ],
  },
  'a type with unique, if values that differ become equal': {
    before: [post(TITLE)],
    rows: { post: toPosts('5', '05', '6', null, null) },
    after: [post({ name: 'title', type: 'number', unique: true })],
    words: [
      'change: In post, post_title becomes number instead of text (3 rows read as it); former values are kept in treadle_copy_1.',
      'MIGRATION_ROWS_SHARED: Create the unique index post_title_unique on post (post_title). post_title must be unique, but 2 rows (1, 2) of post share a value once it is converted.',
    ],
  },
  'a type of a field that was unique, if values become equal': {
    before: [post({ ...TITLE, unique: true })],
    rows: { post: toPosts('5', '05', '6') },
    after: [post({ name: 'title', type: 'number', unique: true })],
    words: [
      'change: In post, post_title becomes number instead of text (3 rows read as it); former values are kept in treadle_copy_1.',
      'MIGRATION_ROWS_SHARED: Create the unique index post_title_unique on post (post_title). post_title must be unique, but 2 rows (1, 2) of post share a value once it is converted.',
    ],
  },
  'a type with required, if values become empty': {
    before: [post(TITLE)],
    rows: { post: toPosts('5', '  ', '6') },
    after: [post({ name: 'title', type: 'number', required: true })],
    words: [
      'MIGRATION_ROWS_EMPTY: In post, post_title must not be empty. The field is required, but post_title is empty in 1 row (2) of post.',
    ],
  },
  'a type with required, unique and a default that a row has': {
    before: [post(TITLE)],
    rows: { post: toPosts('05', null, '6') },
    after: [post({ name: 'title', type: 'number', required: true, unique: true, default: 5 })],
    words: [
      'change: In post, post_title becomes number instead of text (2 rows read as it); former values are kept in treadle_copy_1.',
      'change: In post, post_title must not be empty: 1 row without a value gets 5; which they were is kept in treadle_copy_2.',
      'change: In post, post_title is 5 by default.',
      'MIGRATION_ROWS_SHARED: Create the unique index post_title_unique on post (post_title). post_title must be unique, but 2 rows (1, 2) of post share a value once it is converted.',
    ],
  },
  'a required field without a value for some rows, which is left open': {
    before: [post(TITLE)],
    rows: { post: toPosts('a', null, null) },
    after: [post({ ...TITLE, required: true }, MORE)],
    words: [
      'add: Add the column post_more (text) to post.',
      'MIGRATION_ROWS_EMPTY: In post, post_title must not be empty. The field is required, but post_title is empty in 2 rows (2, 3) of post.',
    ],
    becomes: { post: toPosts('a', null, null).map((row) => ({ ...row, post_more: null })) },
  },
  'a new field that is required and has no default': {
    before: [post(TITLE)],
    rows: { post: toPosts('a', 'b') },
    after: [post(TITLE, { name: 'mood', type: 'text', required: true })],
    words: [
      'MIGRATION_COLUMN_REQUIRED: Add the column post_mood (text) to post. post_mood is required and new, but post has 2 rows without a value for it.',
    ],
  },
  'a unique field whose values are shared': {
    before: [post(TITLE)],
    rows: { post: toPosts('a', 'b', 'a') },
    after: [post({ ...TITLE, unique: true })],
    words: [
      'MIGRATION_ROWS_SHARED: Create the unique index post_title_unique on post (post_title). post_title must be unique, but 2 rows (1, 3) of post share a value.',
    ],
  },
  'a field that becomes required and unique at once, with one default for several rows': {
    before: [post(TITLE)],
    rows: { post: toPosts('a', null, null) },
    after: [post({ ...TITLE, required: true, unique: true, default: 'x' })],
    words: [
      'change: In post, post_title is x by default.',
      'add: Create the unique index post_title_unique on post (post_title).',
      'MIGRATION_ROWS_SHARED: In post, post_title must not be empty. post_title is required and unique, so 2 rows (2, 3) of post without a value cannot share one.',
    ],
    becomes: { post: toPosts('a', null, null) },
  },
  'a new name that another field has, where both hold values': {
    before: [post(TITLE, NOTE)],
    rows: { post: NOTED },
    after: [post({ name: 'note', was: 'title', type: 'text' })],
    words: [
      'MIGRATION_RENAME_TAKEN: Rename the column post_title to post_note, replacing what has that name. Both post_title (2 values) and post_note (2 values) exist, so post_title cannot become post_note.',
      'MIGRATION_COLUMN_LEFT: Drop the column post_title of post, with 2 values. The column post.post_title without a field stays, with 2 values.',
    ],
  },
  'what no definition names any more, which stays': {
    before: [post(TITLE, NOTE), PERSON],
    rows: { post: NOTED, person: PERSONS },
    after: [post(TITLE)],
    words: [
      'MIGRATION_COLUMN_LEFT: Drop the column post_note of post, with 2 values. The column post.post_note without a field stays, with 2 values.',
      'MIGRATION_TABLE_LEFT: Drop the table person, with 2 rows. The table person without a schema stays, with 2 rows.',
    ],
    becomes: { post: NOTED, person: PERSONS },
  },
  'nothing, where a loss is allowed: what goes is kept in copies': {
    before: [post(TITLE, NOTE), PERSON],
    rows: { post: NOTED, person: PERSONS },
    after: [post(TITLE)],
    options: { allowLoss: true },
    words: [
      'lose: Drop the column post_note of post, with 2 values that are kept in treadle_copy_1.',
      'lose: Drop the table person, with 2 rows that are kept in treadle_copy_2.',
    ],
    becomes: {
      post: toPosts('a', 'b'),
      treadle_copy_1: [
        { key_1: 1, former: 'n' },
        { key_1: 2, former: 'm' },
      ],
      treadle_copy_2: PERSONS,
    },
  },
};

for (const [title, { before, rows, after, options = {}, words, becomes }] of Object.entries(CASES)) {
  test(`refuses ${title}`, () =>
    withSite(before, rows, async (database) => {
      const site = await readSite(database);
      const wanted = wants(database, ...after);
      const plan = await planMigration(database, wanted, options);
      assert.equal(wordsOf(plan), words);
      assert.equal(await readSite(database), site, 'planning changes nothing');
      assert.is(isBlocked(plan), becomes === undefined);
      const { applied } = await applyMigration(database, plan, options);
      if (becomes === undefined) assert.equal([applied, await readSite(database)], [[], site]);
      for (const [table, list] of Object.entries(becomes ?? {}))
        assert.equal(await readRows(database, table), list, table);
      const again = await planMigration(database, wanted, options);
      assert.equal(
        wordsOf({ ...again, steps: again.steps.filter(isApplicable) }).length,
        becomes === undefined ? words.filter((text) => /^[a-z]/.test(text)).length : 0,
      );
    }));
}

/** What somebody writes after the plan was made and before it is applied, to a table that is to hold numbers. */
const LATE: readonly {
  readonly title: string;
  readonly stored: readonly string[];
  readonly written: string;
  /** What a new plan then gives; undefined if it is refused. */
  readonly becomes?: readonly number[];
}[] = [
  { title: 'a value that does not fit, where a copy is kept', stored: ['05', '7'], written: 'seven' },
  { title: 'a value that does not fit, where none is kept', stored: ['5', '7'], written: 'seven' },
  { title: 'a value to keep, where none was', stored: ['5', '7'], written: '007', becomes: [5, 7, 7] },
];

for (const { title, stored, written, becomes } of LATE)
  test(`applies nothing of a plan after somebody wrote ${title}`, () =>
    withSite([post(TITLE)], { post: toPosts(...stored) }, async (database) => {
      const wanted = wants(database, post({ name: 'title', type: 'number' }, MORE));
      const plan = await planMigration(database, wanted);
      assert.is(isBlocked(plan), false);
      await database.kysely.insertInto('post').values({ post_id: 3, post_title: written }).execute();
      const site = await readSite(database);
      const failure = await applyMigration(database, plan).catch((error: unknown) => error);
      assert.is((failure as { code?: string }).code, 'MIGRATION_STALE');
      assert.equal(await readSite(database), site, 'nothing is applied');
      const again = await migrate(database, wanted);
      const titles = async () => (await readRows(database, 'post')).map((row) => row.post_title);
      if (becomes !== undefined) {
        assert.equal(await titles(), becomes);
        return;
      }
      assert.equal(
        again.plan.problems.map(({ code }) => code),
        ['MIGRATION_TYPE_LOSES'],
      );
      assert.equal(await readSite(database), site);
      await migrate(database, wanted, { allowLoss: true });
      assert.equal(await titles(), [...stored.map(Number), null]);
    }));

test.run();
