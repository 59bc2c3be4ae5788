import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../src/database/database.ts';
import { migrate, planMigration } from '../../../src/database/migration.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { createTables, type Table } from '../../../src/database/table.ts';
import { getWordTarget, toWordsTable, writeWords } from '../../../src/database/words/word-table.ts';
import type { Model } from '../../../src/model/model.ts';
import { toWords } from '../../../src/model/split-words.ts';
import { createSearcher } from '../../../src/store/read/searcher.ts';
import { toModel } from '../../store/read/_world.ts';
import { openPlaced } from '../_where.ts';

const test = suite('words index');

type Raw = Readonly<Record<string, unknown>>;
const field = (name: string, more: Raw = {}): Raw => ({ name, type: 'text', searchable: true, ...more });
const schema = (name: string, fields: readonly Raw[], more: Raw = {}): Raw => ({
  ...{ name, singular: 'Thing', plural: 'Things', fields, ...more },
});
const NOTE = [field('title'), field('text', { type: 'markdown' })];

interface Place {
  readonly database: Database;
  /** Migrates the database to these schemas; returns the steps for words, in words. */
  become(...raws: readonly Raw[]): Promise<string[]>;
  /** As `become`, after some days. */
  becomeLater(days: number, ...raws: readonly Raw[]): Promise<string[]>;
  insert(name: string, ...rows: Row[]): Promise<void>;
  /** Ids of the rows that `q` finds. */
  find(name: string, q: unknown): Promise<number[]>;
  count(name: string): Promise<number>;
  tables(): readonly Table[];
}

async function inPlace(fn: (place: Place) => Promise<void>): Promise<void> {
  const database = await openPlaced();
  let model: Model = toModel([]);
  const { dialect, kysely } = database;
  const tables = () => createTables(model, [], { dialect });
  const becomeLater: Place['becomeLater'] = async (days, ...raws) => {
    model = toModel(raws);
    const { applied, refused } = await migrate(database, tables(), { now: Date.now() + days * 86_400_000 });
    assert.equal(
      refused.map(({ words }) => words),
      [],
    );
    return applied.filter(({ kind }) => kind === 'build-words').map(({ words }) => words);
  };
  try {
    await fn({
      database,
      tables,
      becomeLater,
      become: (...raws) => becomeLater(0, ...raws),
      async insert(name, ...rows) {
        const found = model.schemas.get(name);
        assert.ok(found);
        await database.write(async () => {
          const inserted = await kysely.insertInto(found.table).values(rows).returningAll().execute();
          await writeWords(database, getWordTarget(found), inserted);
        });
      },
      async find(name, q) {
        const { rows, total } = await createSearcher(model).search(database, name, { q, limit: 100 });
        if (rows.length < 100) assert.is(total, rows.length);
        return rows.map((row) => Number(row[`${name.replaceAll('-', '_')}_id`]));
      },
      async count(name) {
        const row = await kysely
          .selectFrom(toWordsTable(name))
          .select((build) => build.fn.countAll().as('n'))
          // Not the row that marks the index.
          .where(sql<boolean>`${sql.ref(database.dialect === 'sqlite' ? 'rowid' : 'id')} > 0`)
          .executeTakeFirst();
        return Number(row?.n);
      },
    });
  } finally {
    await database.close();
  }
}

const TEXTS = [
  'Old wool and Node.js',
  'Crème brûlée in Straßburg',
  '東京都に住んでいます',
  '🎉 party at Øresund 🎉',
  'snake_case, kebab-case; C++ "quoted" \'single\' (brackets) * AND OR NOT NEAR',
  'İstanbul ΛΌΓΟΣ ёлка مُحَمَّد हिन्दी',
  '<script>alert(1)</script> wool &amp; linen',
  `${'long'.repeat(30)} 100% 3.14 a\\b a'b a:b a|b a&b a!b <-> :*`,
  '',
  '!!!',
  'wool',
];
const ASKED = [
  ...['wool', 'WOO', 'ool', 'old wool', 'wool linen', 'node', 'js', 'Node.js', 'creme', 'BRÛLÉE', 'strass', 'ßburg'],
  ...[
    '東京',
    '京都',
    '都',
    '東',
    '住んで',
    'んです',
    '🎉',
    '🎉 party',
    'oresund',
    'ØRE',
    'snake',
    'case kebab',
    'and',
    'not',
  ],
  ...[
    '"wool"',
    "wool' OR 1=1 --",
    'wool* AND',
    'words:wool',
    '^wool',
    'wool:*',
    '(wool)',
    'wool & !linen',
    '-wool',
    'near',
  ],
  ...[
    'istanbul',
    'λογος',
    'ЕЛКА',
    'محمد',
    'हिन्दी',
    'हि',
    'script',
    'alert',
    'amp',
    'long'.repeat(30),
    'long'.repeat(16),
  ],
  ...['100%', '3.14', '1', 'a', 'b', 'c++', '!!!', '', '   ', '%', '_', '\\', 'a\\b', '\ud800', 'zzz', 'x'.repeat(400)],
];

test('finds the same rows on both databases: those of which each word is the beginning of one', () =>
  inPlace(async ({ become, insert, find }) => {
    await become(schema('note', NOTE));
    await insert('note', ...TEXTS.map((text) => ({ note_title: text })));
    for (const q of ASKED) {
      const words = toWords(q);
      const has = (text: string): boolean =>
        words.every((word) => toWords(text).some((other) => other.startsWith(word.slice(0, 64))));
      const isNothing = q === '';
      const expected = TEXTS.flatMap((text, index) =>
        isNothing || (words.length > 0 && has(text)) ? [index + 1] : [],
      );
      assert.equal(await find('note', q), expected, JSON.stringify(q));
    }
    assert.equal(await find('note', ['old', 'wool']), [1], 'a list is all of them');
  }));

test('is built from any number of existing rows', () =>
  inPlace(async ({ become, database, find, tables, count }) => {
    const plain = [field('title', { searchable: false }), field('text', { type: 'markdown', searchable: false })];
    assert.equal(await become(schema('note', plain)), []);
    const rows = Array.from({ length: 450 }, (_, index) => ({
      note_title: `number ${index} ${index % 10 === 0 ? 'tenth' : ''}`,
      note_text: index === 7 ? 'the <b>se</b>venth' : null,
    }));
    for (let start = 0; start < rows.length; start += 50) {
      await database.kysely
        .insertInto('note')
        .values(rows.slice(start, start + 50))
        .execute();
    }
    assert.equal(await become(schema('note', NOTE)), ['Build the search index of note (note_title, note_text).']);
    assert.is((await find('note', 'tenth')).length, 45);
    assert.equal(await find('note', 'sevent'), [8]);
    assert.is(await count('note'), 450);
    const { steps, drift } = await planMigration(database, tables());
    assert.equal([steps, drift], [[], []], 'nothing is left to do, and nothing is too much');
  }));

test('follows its columns: more, fewer, others, none', () =>
  inPlace(async ({ become, becomeLater, insert, find, database }) => {
    await become(schema('note', NOTE));
    await insert('note', { note_title: 'wool', note_text: 'linen' });
    const hidden = field('text', { type: 'markdown', searchable: false });
    assert.match((await become(schema('note', [field('title'), hidden])))[0] ?? '', 'Rebuild');
    assert.equal([await find('note', 'wool'), await find('note', 'linen')], [[1], []]);
    assert.match((await become(schema('note', NOTE)))[0] ?? '', 'Rebuild');
    assert.equal(await find('note', 'linen'), [1]);
    const none = [field('title', { searchable: false }), hidden];
    assert.match((await become(schema('note', none)))[0] ?? '', 'Leave the search index of note unused');
    assert.equal(await find('note', 'wool'), [], 'nothing is searchable');
    assert.equal(await become(schema('note', none)), [], 'servers of the version before may still write to it');
    assert.match((await become(schema('note', NOTE)))[0] ?? '', 'Add the missing words');
    assert.equal(await find('note', 'wool'), [1]);
    await become(schema('note', none));
    assert.equal(await becomeLater(0.9, schema('note', none)), []);
    assert.match((await becomeLater(1.1, schema('note', none)))[0] ?? '', 'Drop the unused search index of note');
    await database.kysely.deleteFrom('note').execute();
    assert.match((await become(schema('note', NOTE)))[0] ?? '', 'Build the search index');
    assert.equal(await become(schema('note', NOTE)), []);
  }));

test('is built again where words are made otherwise, or where nothing tells how they were made', () =>
  inPlace(async ({ become, database, find }) => {
    const note = schema('note', NOTE);
    await become(note);
    await database.kysely.insertInto('note').values({ note_title: 'wool' }).execute();
    const stale: readonly Row[] = [{ version: 0 }, { columns: 'note_title', seal: 'other' }];
    for (const set of stale) {
      await database.kysely.updateTable('treadle_words_state').set(set).execute();
      assert.match((await become(note))[0] ?? '', 'Rebuild', JSON.stringify(set));
      assert.equal(await find('note', 'wool'), [1]);
      assert.equal(await become(note), []);
    }
    await database.kysely.deleteFrom('treadle_words_state').execute();
    assert.match((await become(note))[0] ?? '', 'Rebuild');
    assert.equal(await become(note), []);
    assert.equal(await find('note', 'wool'), [1]);
  }));

test('forgets rows that were removed in any way', () =>
  inPlace(async ({ become, insert, database, count, find }) => {
    const owner = schema('owner', [field('name')], {
      relations: [{ schema: 'note', kind: '1:N', onRemove: 'cascade' }],
    });
    await become(owner, schema('note', NOTE));
    await insert('owner', { owner_name: 'Ann' }, { owner_name: 'Bob' });
    await insert('note', { note_title: 'a', owner_id: 1 }, { note_title: 'b', owner_id: 1 }, { note_title: 'c' });
    const { kysely } = database;
    await kysely.deleteFrom('owner').where('owner_id', '=', 1).execute();
    assert.equal([await count('owner'), await count('note')], [1, 1]);
    assert.equal(await find('note', 'c'), [3]);
    await kysely.deleteFrom('note').execute();
    assert.is(await count('note'), 0);
  }));

test('goes with a table, and with columns, that are renamed', () =>
  inPlace(async ({ become, insert, find, database, count }) => {
    await become(schema('note', NOTE));
    await insert('note', { note_title: 'wool' }, { note_title: 'linen' });
    const renamed = [field('name', { was: 'title' }), NOTE[1] as Raw];
    assert.equal(await become(schema('note', renamed)), ['Record the renamed columns of the search index of note.']);
    assert.equal(await find('note', 'wool'), [1]);
    const memo = schema('memo', [field('name'), NOTE[1] as Raw], { was: 'note' });
    assert.equal(await become(memo), ['Rename the search index of note to that of memo.']);
    assert.equal(await find('memo', 'linen'), [2]);
    await database.kysely.deleteFrom('memo').where('memo_id', '=', 1).execute();
    assert.is(await count('memo'), 1, 'and still forgets what is gone');
    const both = [schema('memo', [field('name'), NOTE[1] as Raw]), schema('note', NOTE)];
    assert.equal(await become(...both), ['Build the search index of note (note_title, note_text).']);
    assert.equal(await become(...both), []);
  }));

test('takes any name of a schema, also one that SQLite would use for another', () =>
  inPlace(async ({ become, insert, find }) => {
    const names = ['x', 'x-data', 'x-idx', 'x-docsize', 'x-config', `l${'o'.repeat(40)}ng`];
    await become(...names.map((name) => schema(name, [field('t')])));
    for (const name of names) {
      await insert(name, { [`${name.replaceAll('-', '_')}_t`]: `of ${name}` });
      assert.equal(await find(name, 'of'), [1], name);
    }
    assert.is(new Set(names.map(toWordsTable)).size, names.length);
    for (const name of [...names, 'n'.repeat(63)]) assert.ok(`${toWordsTable(name)}_gone`.length <= 63, name);
    assert.is.not(toWordsTable(`${'n'.repeat(62)}a`), toWordsTable(`${'n'.repeat(62)}b`));
  }));

test('takes texts of any length', () =>
  inPlace(async ({ become, insert, find }) => {
    await become(schema('note', NOTE));
    const many = Array.from({ length: 30_000 }, (_, index) => `ж${'щ'.repeat(40)}${index}`).join(' ');
    await insert('note', { note_title: 'x'.repeat(100_000), note_text: many }, { note_text: 'y '.repeat(500_000) });
    assert.equal(await find('note', 'x'.repeat(300)), [1]);
    assert.equal(await find('note', `ж${'щ'.repeat(40)}5`), [1]);
    assert.equal(await find('note', 'y'), [2]);
  }));

test.run();
