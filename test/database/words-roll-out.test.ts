// A field becomes searchable, or no longer is, while servers of the version before go on writing. Every version finds the
// rows that its own fields have, whoever wrote them; and every version may start.
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../src/database/database.ts';
import { migrate, planMigration } from '../../src/database/migration.ts';
import { isServing } from '../../src/database/migration-step.ts';
import type { Row } from '../../src/database/row-statement.ts';
import { createTables } from '../../src/database/table.ts';
import { fillWords } from '../../src/database/words/fill.ts';
import { unwatchWordsSql } from '../../src/database/words/watch.ts';
import {
  createWordsSql,
  describeWords,
  dropWordsSql,
  getWordTarget,
  toDueTable,
  toWordsTable,
  type WordTarget,
  writeWords,
} from '../../src/database/words/word-table.ts';
import type { Model } from '../../src/model/model.ts';
import { toRowWords, toWords } from '../../src/model/split-words.ts';
import { createSearcher } from '../../src/store/read/searcher.ts';
import { toModel } from '../store/read/_world.ts';
import { openPlaced } from './_where.ts';

const test = suite('words roll-out');

/** The schema with these of its fields searchable. */
const toNotes = (...searchable: readonly string[]): Model =>
  toModel([
    {
      name: 'note',
      singular: 'Note',
      plural: 'Notes',
      fields: ['title', 'text'].map((name) => ({
        ...{ name, type: name === 'text' ? 'markdown' : 'text' },
        searchable: searchable.includes(name),
      })),
    },
  ]);

const targetOf = (model: Model): WordTarget => {
  const schema = model.schemas.get('note');
  assert.ok(schema);
  return getWordTarget(schema);
};
const INDEX = toWordsTable('note');
const tablesOf = (model: Model, { dialect }: Database) => createTables(model, [], { dialect });

/** Writes words as releases did that knew nothing of rows without words. */
async function writeFormer({ kysely, dialect }: Database, { primary, columns }: WordTarget, rows: readonly Row[]) {
  if (columns.length === 0) return;
  for (const row of rows) {
    const [id, words] = [Number(row[primary]), toRowWords(columns, row)];
    const query =
      dialect === 'sqlite'
        ? sql`insert or replace into ${sql.table(INDEX)} (rowid, words) values (${id}, ${words.join(' ')})`
        : sql`insert into ${sql.table(INDEX)} (id, words) values (${id}, array_to_tsvector(array(select jsonb_array_elements_text(cast(${JSON.stringify(words)} as jsonb)))))
            on conflict (id) do update set words = excluded.words`;
    await query.execute(kysely);
  }
}

type WriteWords = (database: Database, target: WordTarget, rows: readonly Row[]) => Promise<void>;

/** Who writes to the table, and what he does for the index. */
const WRITERS: Readonly<Record<string, { readonly of: 'old' | 'new'; readonly write: WriteWords }>> = {
  'a program that writes rows alone': { of: 'old', write: async () => {} },
  'a server of a former release': { of: 'old', write: writeFormer },
  'a server of the definitions before': { of: 'old', write: writeWords },
  'a server of the definitions after': { of: 'new', write: writeWords },
};

const CHANGES: readonly (readonly [before: readonly string[], after: readonly string[]])[] = [
  [[], ['title']],
  [['title'], ['title', 'text']],
  [['title'], ['text']],
  [['title', 'text'], ['title']],
  [['title'], []],
];

const WORDS = ['wool', 'linen', 'zebra', 'silk', 'jute', 'hemp', 'felt', 'wo'];

class RollOut {
  readonly database: Database;
  readonly models: Readonly<Record<'old' | 'new', Model>>;

  constructor(database: Database, [before, after]: (typeof CHANGES)[number]) {
    this.database = database;
    this.models = { old: toNotes(...before), new: toNotes(...after) };
  }

  async write(writer: keyof typeof WRITERS, change: (database: Database) => Promise<readonly Row[]>): Promise<void> {
    const { of, write } = WRITERS[writer] as (typeof WRITERS)[string];
    await this.database.write(async () => {
      await write(this.database, targetOf(this.models[of]), await change(this.database));
    });
  }

  insert(writer: string, row: Row): Promise<void> {
    return this.write(writer, ({ kysely }) => kysely.insertInto('note').values(row).returningAll().execute());
  }

  update(writer: string, id: number, row: Row): Promise<void> {
    return this.write(writer, ({ kysely }) =>
      kysely.updateTable('note').set(row).where('note_id', '=', id).returningAll().execute(),
    );
  }

  /** Each version finds what its own fields have. */
  async check(told: string): Promise<void> {
    const rows = await this.database.kysely.selectFrom('note').selectAll().orderBy('note_id').execute();
    for (const [which, model] of Object.entries(this.models)) {
      const { columns } = targetOf(model);
      for (const q of [...WORDS, 'wool linen']) {
        const has = (row: Row): boolean =>
          toWords(q).every((word) => toRowWords(columns, row).some((other) => other.startsWith(word)));
        const expected = columns.length === 0 ? [] : rows.filter(has).map(({ note_id }) => Number(note_id));
        const found = await createSearcher(model).search(this.database, 'note', { q, limit: 100 });
        const ids = found.rows.map(({ note_id }) => Number(note_id));
        assert.equal([ids, found.total], [expected, expected.length], `${told}: ${which} version, q=${q}`);
      }
    }
  }

  async isReady(which: 'old' | 'new'): Promise<boolean> {
    return isServing(await planMigration(this.database, tablesOf(this.models[which], this.database)));
  }

  async countDue(): Promise<number> {
    const query = sql<{ n: number }>`select count(*) as n from ${sql.table(toDueTable(INDEX))}`;
    return Number((await query.execute(this.database.kysely)).rows[0]?.n);
  }
}

/** Makes the index be one that a former release built: without what notes the rows whose words lack. */
async function makeFormer({ database, models }: RollOut): Promise<void> {
  const target = targetOf(models.old);
  const lines = [
    'create table treadle_words (name text primary key not null, columns text not null, version integer not null)',
    `insert into treadle_words (name, columns, version) values ('${INDEX}', '${describeWords(target)}', 1)`,
    ...unwatchWordsSql(INDEX, database.dialect),
    'delete from treadle_words_state',
  ];
  if (target.columns.length > 0) for (const line of lines) await sql.raw(line).execute(database.kysely);
}

async function onRollOut(
  change: (typeof CHANGES)[number],
  isFormer: boolean,
  fn: (site: RollOut) => Promise<void>,
): Promise<void> {
  const database = await openPlaced();
  try {
    const site = new RollOut(database, change);
    await migrate(database, tablesOf(site.models.old, database));
    if (isFormer) await makeFormer(site);
    const before = isFormer ? 'a server of a former release' : 'a server of the definitions before';
    for (const [index, title] of ['wool', 'linen', 'silk', 'jute', 'wool linen'].entries())
      await site.insert(before, { note_title: title, note_text: WORDS[7 - index] });
    const told = await readTold(database);
    await migrate(database, tablesOf(site.models.new, database));
    assert.equal(await readTold(database), told, 'a former release may start');
    await fn(site);
  } finally {
    await database.close();
  }
}

/** What a former release reads of the index. */
async function readTold({ kysely }: Database): Promise<Row[]> {
  const rows = await kysely
    .selectFrom('treadle_words')
    .selectAll()
    .execute()
    .catch(() => []);
  return rows.map((row) => ({ ...row }));
}

/** A former release knows an index that it made, and can write to no other. */
const BUILDS = CHANGES.flatMap((change) => [true, false].map((isFormer) => [change, isFormer] as const)).filter(
  ([[, after], isFormer]) => !isFormer || after.length > 0,
);

for (const [change, isFormer] of BUILDS) {
  const [before, after] = change.map((fields) => fields.join(' and ') || 'nothing');
  const made = isFormer ? ', built by a former release' : '';
  test(`${before} becomes ${after}${made}: each version finds the rows of every writer`, () =>
    onRollOut(change, isFormer, async (site) => {
      await site.check('after the migration');
      for (const writer of Object.keys(WRITERS)) {
        if (!isFormer && writer === 'a server of a former release') continue;
        await site.insert(writer, { note_title: 'zebra', note_text: 'felt of wool' });
        await site.check(`${writer} inserts`);
        await site.insert(writer, { note_title: null, note_text: null });
        await site.update(writer, 2, { note_title: 'hemp', note_text: 'jute' });
        await site.update(writer, 3, { note_text: 'wool linen' });
        await site.check(`${writer} updates`);
        await site.database.kysely.deleteFrom('note').where('note_title', '=', 'zebra').execute();
        await site.insert(writer, { note_id: 6, note_title: 'silk', note_text: '<b>zebra</b>' });
        await site.update('a server of the definitions after', 2, { note_title: 'linen' });
        await site.check(`${writer} removes, and takes an id again`);
        await site.database.kysely.deleteFrom('note').where('note_id', '=', 6).execute();
        assert.equal([await site.isReady('old'), await site.isReady('new')], [true, true], 'both are ready');
      }
      if (after !== 'nothing') {
        await fillWords(site.database, targetOf(site.models.new), Date.now());
        assert.is(await site.countDue(), 0);
        await site.check('when all have their words');
      }
      // The way back, and forth again.
      for (const which of ['old', 'new'] as const) {
        await migrate(site.database, tablesOf(site.models[which], site.database));
        await site.check(`migrated to the ${which} version`);
        assert.equal([await site.isReady('old'), await site.isReady('new')], [true, true], 'both are ready');
      }
    }));
}

/** Makes the index as a former release does where nothing tells it how the index was made. */
async function makeAgain({ database, models }: RollOut): Promise<void> {
  const target = targetOf(models.old);
  const { dialect, kysely } = database;
  const lines = [...dropWordsSql(INDEX, dialect), ...createWordsSql(target, dialect)];
  for (const line of lines) await sql.raw(line).execute(kysely);
  await writeFormer(database, target, await kysely.selectFrom('note').selectAll().execute());
}

for (const change of CHANGES.filter(([before, after]) => before.length > 0 && after.length > 0))
  test(`${change.join(' becomes ')}: a former release makes the index again, and all are ready and find their rows`, () =>
    onRollOut(change, false, async (site) => {
      await makeAgain(site);
      await site.check('afterwards');
      for (const writer of Object.keys(WRITERS)) {
        await site.insert(writer, { note_title: 'zebra', note_text: 'felt of wool' });
        await site.update(writer, 2, { note_title: 'hemp', note_text: 'jute' });
        await site.check(writer);
      }
      assert.is(await site.isReady('new'), true);
      await migrate(site.database, tablesOf(site.models.new, site.database));
      await fillWords(site.database, targetOf(site.models.new), Date.now());
      await site.check('once it is built');
      assert.is(await site.countDue(), 0);
      assert.equal(
        (await planMigration(site.database, tablesOf(site.models.new, site.database))).steps.map(({ words }) => words),
        [],
      );
    }));

test('a former release renames an indexed column, and is refused no write', () =>
  onRollOut([['title'], ['title', 'text']], false, async (site) => {
    const { kysely } = site.database;
    await sql.raw('alter table note rename column note_text to note_body').execute(kysely);
    await kysely.updateTable('note').set({ note_title: 'zebra', note_body: 'felt' }).execute();
    await kysely.insertInto('note').values({ note_title: 'hemp', note_body: 'silk' }).execute();
    const rows = await kysely.selectFrom('note').selectAll().execute();
    assert.equal([...new Set(rows.map(({ note_body }) => note_body))], ['felt', 'silk']);
  }));

test('an index that no field needs stays for a day, so that a former release is refused no write', () =>
  onRollOut([['title'], []], true, async (site) => {
    await site.insert('a server of a former release', { note_title: 'zebra' });
    const later = { now: Date.now() + 2 * 86_400_000 };
    const { applied } = await migrate(site.database, tablesOf(site.models.new, site.database), later);
    assert.equal(
      applied.map(({ words }) => words),
      ['Drop the unused search index of note.'],
    );
    await site.insert('a program that writes rows alone', { note_title: 'zebra' });
  }));

test('a search adds the words that lack, and others do not wait for them', () =>
  onRollOut([['title'], ['title', 'text']], false, async (site) => {
    await site.insert('a program that writes rows alone', { note_title: 'wool', note_text: 'zebra' });
    assert.is(await site.countDue(), 1);
    await createSearcher(site.models.new).search(site.database, 'note', { q: 'zebra' });
    for (let tries = 0; (await site.countDue()) > 0; tries += 1) assert.ok(tries < 1000, 'it is filled at last');
    await site.check('afterwards');
  }));

test('an interrupted build is gone on with, and answers are right meanwhile', () =>
  onRollOut([['title'], ['title', 'text']], false, async (site) => {
    const { kysely } = site.database;
    for (const through of [Number.MIN_SAFE_INTEGER, 2, 4]) {
      await kysely.updateTable('treadle_words_state').set({ through }).execute();
      await site.check(`through ${through}`);
      assert.is(await site.isReady('new'), true);
      await kysely.updateTable('treadle_words_state').set({ through }).execute();
      const { applied } = await migrate(site.database, tablesOf(site.models.new, site.database));
      assert.equal(
        applied.map(({ words }) => words),
        ['Add the missing words to the search index of note.'],
      );
      await site.check('after it');
    }
  }));

test.run();
