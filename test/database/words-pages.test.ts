// Rows counted by the pages of the search index are those that FTS5 finds, whatever was written, deleted and merged.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery, sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BitSet } from '../../src/core/bit-set.ts';
import type { Database, Row } from '../../src/database/database.ts';
import { countByPages, toPagesSql } from '../../src/database/words-pages.ts';
import {
  createWordsSql,
  toPrefixTerm,
  toWordsTable,
  type WordTarget,
  writeWords,
} from '../../src/database/words-table.ts';
import { watchWordsSql } from '../../src/database/words-watch.ts';
import { toWords } from '../../src/model/words.ts';
import { openPlaced } from './_where.ts';

const test = suite('database/words-pages');

const TARGET: WordTarget = { table: 'note', primary: 'id', columns: [{ name: 'text', isMarkup: false }] };
const INDEX = toWordsTable('note');
const ROUNDS = 60;
/** Words with common beginnings, long ones, and letters of two and four bytes. */
const WORDS =
  'a an and ant anthem antique reed reeds reedy treadle treadles selvedgeselvedge яблоко ясный 𐐷𐐷𐐷 東京'.split(' ');
const PREFIXES =
  'a an and ant anth antique r reed reeds treadle treadles selvedgesel selvedgeselv я яс 𐐷 𐐷𐐷 東 z'.split(' ');

/** Numbers that look random and are the same in each run. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

interface Place {
  readonly database: Database;
  run(text: string): Promise<Row[]>;
  /** By the pages; undefined if they are not read. */
  count(terms: readonly string[], except?: string): Promise<number | undefined>;
}

async function inPlace(fn: (place: Place) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'treadle-pages-'));
  const database = await openPlaced({ file: 'app.db', root });
  const run = (text: string): Promise<Row[]> => database.run(CompiledQuery.raw(text));
  try {
    await run('create table note (id integer primary key, text text not null)');
    for (const line of [
      ...createWordsSql(TARGET, 'sqlite'),
      ...watchWordsSql({ target: TARGET, others: undefined }, 'sqlite', ''),
    ])
      await run(line);
    await fn({
      database,
      run,
      async count(terms, except = "select '[]'") {
        const few = sql`select null`;
        const pages = toPagesSql({ index: INDEX, terms: sql`${JSON.stringify(terms)}`, few, except: sql.raw(except) });
        return countByPages(await database.run(pages.compile(database.kysely)), terms);
      },
    });
  } finally {
    await database.close();
    await rm(root, { recursive: true, force: true });
  }
}

const toTerms = (words: readonly string[]): string[] => words.map((word) => String(toPrefixTerm(word)));

/** Rows as they should be, written in random groups. */
class Notes {
  readonly texts = new Map<number, string[]>();
  readonly #place: Place;
  readonly #dice: (sides: number) => number;

  constructor(place: Place, dice: (sides: number) => number) {
    this.#place = place;
    this.#dice = dice;
  }

  async write(ids: readonly number[]): Promise<void> {
    const { database } = this.#place;
    const rows = ids.map((id) => ({ id, text: WORDS.filter(() => this.#dice(3) === 0).join(' ') }));
    await database.write(async () => {
      const text = "insert or replace into note select value->>'id', value->>'text' from json_each(?)";
      await database.run(CompiledQuery.raw(text), [JSON.stringify(rows)]);
      await writeWords(database, TARGET, rows);
    });
    for (const { id, text } of rows) this.texts.set(id, toWords(text));
  }

  async remove(ids: readonly number[]): Promise<void> {
    await this.#place.run(`delete from note where id in (${ids.join(', ')})`);
    for (const id of ids) this.texts.delete(id);
  }

  count(prefixes: readonly string[], except: ReadonlySet<number> = new Set()): number {
    const has = (words: readonly string[]): boolean =>
      prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));
    return [...this.texts].filter(([id, words]) => !except.has(id) && has(words)).length;
  }
}

async function checkAll({ count }: Place, notes: Notes, about: string): Promise<void> {
  for (const [index, prefix] of PREFIXES.entries()) {
    const two = [prefix, PREFIXES[(index * 7 + 3) % PREFIXES.length] ?? ''];
    for (const prefixes of [[prefix], two])
      assert.is(await count(toTerms(prefixes)), notes.count(prefixes), `${about}: ${prefixes}`);
  }
  const except = [...notes.texts.keys()].filter((id) => id % 3 === 0);
  const text = `select '${JSON.stringify([...except, 7_000_000, -1, 2 ** 32 + 1, 2 ** 32 + 2])}'`;
  assert.is(await count(toTerms(['a']), text), notes.count(['a'], new Set(except)), about);
}

if (process.env.TREADLE_TEST_POSTGRES === undefined) {
  for (const [seed, pageBytes] of [
    [1, 40],
    [2, 200],
    [3, 4050],
  ] as const) {
    test(`random writes, deletes and merges, with pages of ${pageBytes} bytes`, () =>
      inPlace(async (place) => {
        const dice = createDice(seed);
        const notes = new Notes(place, dice);
        const tell = (command: string, value: number): Promise<Row[]> =>
          place.run(`insert into "${INDEX}" ("${INDEX}", rank) values ('${command}', ${value})`);
        await tell('pgsz', pageBytes);
        await tell('usermerge', 2);
        const pick = (): number[] =>
          Array.from({ length: 1 + dice(40) }, () => 1 + dice(900) * (dice(9) === 0 ? 997 : 1));
        for (let round = 0; round < ROUNDS; round += 1) {
          const kind = dice(6);
          if (kind < 3) await notes.write(pick());
          else if (kind === 3) await notes.write([1 + dice(900)]);
          else if (kind === 4) await notes.remove(pick());
          else await tell('merge', dice(2) === 0 ? 3 : -3);
          if (round % 8 === 7) await checkAll(place, notes, `round ${round}`);
        }
        await place.run(`insert into "${INDEX}" ("${INDEX}") values ('optimize')`);
        await checkAll(place, notes, 'optimized');
      }));
  }

  test('ids of rows that span all pages, from 0 up, are counted', () =>
    inPlace(async (place) => {
      const notes = new Notes(place, createDice(4));
      const ids = [0, 1, 127, 128, 129, 16_383, 16_384, 2_097_151, 2_097_152, 60_000_000, 2 ** 26 - 1];
      await notes.write(ids);
      await checkAll(place, notes, 'written');
      await notes.write(ids);
      await checkAll(place, notes, 'written again');
      await notes.remove([0, 128, 60_000_000]);
      await checkAll(place, notes, 'some deleted');
    }));

  test('what the pages do not tell is left to FTS5', () =>
    inPlace(async (place) => {
      const { count, database, run } = place;
      const write = (id: number): Promise<void> => writeWords(database, TARGET, [{ id, text: 'reed' }]);
      const reed = toTerms(['reed']);
      await write(1);
      assert.is(await count(reed), 1);
      assert.is(await count(reed, 'select null'), undefined, 'too many removed rows');
      await write(2 ** 26);
      assert.is(await count(reed), undefined, 'a high id');
      await run(`delete from "${INDEX}" where rowid = ${2 ** 26}`);
      await write(-5);
      assert.is(await count(reed), undefined, 'a negative id');
      await run(`delete from "${INDEX}" where rowid = -5`);
      await run(`insert into "${INDEX}" ("${INDEX}") values ('optimize')`);
      assert.is(await count(reed), 1);
      await run(`update "${INDEX}_config" set v = 5 where k = 'version'`);
      assert.is(await count(reed), undefined, 'another format');
    }));
}

test('an answer without pages, or with broken ones, counts nothing', () => {
  const whole = [
    { word: -2, segment: 0, page: 0, block: 4 },
    { word: -4, segment: 0, page: 0, block: '[]' },
  ];
  assert.is(countByPages([], ['1a']), undefined);
  assert.is(countByPages(whole, ['1a']), undefined);
  for (const block of [Buffer.alloc(3), Buffer.alloc(40), Buffer.from('00000001ff000001010101', 'hex'), 'text'])
    assert.is(countByPages([...whole, { word: -1, segment: 0, page: 0, block }], ['1a']), undefined);
});

test('a prefix as the index has it', () => {
  assert.is(toPrefixTerm('a'), '1a');
  assert.is(toPrefixTerm('𐐷𐐷'), '2𐐷𐐷');
  assert.is(toPrefixTerm('selvedgeselv'), '<selvedgeselv');
  assert.is(toPrefixTerm('selvedgeselve'), undefined);
  assert.is(toPrefixTerm(''), undefined);
});

test('a set of numbers by bits', () => {
  const set = new BitSet();
  for (const value of [0, 7, 8, 40_000, 40_001, 1_000_000, 8]) set.add(value);
  assert.is(set.size, 6);
  assert.equal([set.has(8), set.has(9), set.has(1_000_000), set.has(2_000_000)], [true, false, true, false]);
  set.delete(7);
  set.delete(9);
  set.delete(3_000_000);
  assert.is(set.size, 5);
  const other = new BitSet();
  for (const value of [8, 40_001, 5]) other.add(value);
  set.intersect(other);
  assert.is(set.size, 2);
});

test.run();
