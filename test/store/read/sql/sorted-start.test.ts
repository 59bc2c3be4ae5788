// A page of matches in the order of a column: from the start of the sorted index, or by sorting, with the same rows.
// Totals by shorter ways, and totals that stop.
import { CompiledQuery, sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../../src/database/row-statement.ts';
import { listReadSources, recordReads } from '../../../../src/database/version/read-note.ts';
import { getWordTarget, writeWords } from '../../../../src/database/words/word-table.ts';
import { createSearcher } from '../../../../src/store/read/searcher.ts';
import { at, fill, type World, withWorld } from '../_world.ts';

const test = suite('store/read/sql/sorted-start');

/** Above the size from which the start of an index is read. */
const ROWS = 21_000;
const toPlace = (id: number): number => (id * 7919) % ROWS;
/** Half of the rows are even, and the third that was published first is early. */
const toTitle = (id: number): string => (id % 2 === 0 ? 'even' : toPlace(id) < ROWS / 3 ? 'early' : 'odd');

async function fillMany({ database, model }: World, removed: number): Promise<Row[]> {
  const articles = Array.from(
    { length: ROWS },
    (_, index): Row => ({
      article_id: index + 1,
      article_title: toTitle(index + 1),
      article_published: at(toPlace(index + 1)),
      article_rank: index % 7 === 0 ? null : index % 50,
      article_active: index < removed ? 0 : 1,
    }),
  );
  const names = Object.keys(articles[0] ?? {});
  const columns = names.map((_, index) => `value->>${index}`);
  const statement = `insert into article (${names.join(', ')}) select ${columns.join(', ')} from json_each(?)`;
  const schema = model.schemas.get('article');
  assert.ok(schema);
  await database.write(async () => {
    const rows = JSON.stringify(articles.map((row) => names.map((name) => row[name])));
    await database.run(CompiledQuery.raw(statement), [rows]);
    await writeWords(database, getWordTarget(schema), articles);
  });
  return articles.filter(({ article_active: active }) => active === 1);
}

const byPublished = (a: Row, b: Row): number => (String(a.article_published) < String(b.article_published) ? -1 : 1);
const byRank = (a: Row, b: Row): number =>
  Number(a.article_rank ?? -1) - Number(b.article_rank ?? -1) || Number(a.article_id) - Number(b.article_id);

if (process.env.TREADLE_TEST_POSTGRES === undefined) {
  for (const removed of [0, 3, 5000]) {
    test(`with ${removed} removed rows, pages and totals of a value and of a word are those of plain rows`, () =>
      withWorld(async (world) => {
        const articles = await fillMany(world, removed);
        const searcher = createSearcher(world.model);
        for (const title of ['even', 'odd', 'early', 'none']) {
          const wanted = articles.filter((row) => row.article_title === title);
          for (const [column, compare] of [
            ['article_published', byPublished],
            ['article_rank', byRank],
          ] as const) {
            for (const offset of [0, 13, 4000]) {
              for (const asked of [{ filter: { article_title: title } }, { q: title }]) {
                for (const sort of [column, `-${column}`]) {
                  const input = { ...asked, sort, offset, limit: 9 };
                  const read = recordReads(() => searcher.search(world.database, 'article', input));
                  const found = await read.value;
                  const up = [...wanted].sort(compare);
                  const order = sort === column ? up : up.reverse();
                  const ids = order.slice(offset, offset + 9).map((row) => row.article_id);
                  assert.equal(
                    found.rows.map((row) => row.article_id),
                    ids,
                    JSON.stringify(input),
                  );
                  assert.is(found.total, wanted.length, JSON.stringify(input));
                  assert.ok([...read.reads.statements].some((text) => text.includes('treadle_start')));
                  assert.equal(listReadSources(read.reads), ['article'], 'a write to another table keeps the answer');
                }
              }
            }
          }
        }
        const all = await searcher.search(world.database, 'article', { limit: 1 });
        assert.is(all.total, articles.length);
      }));
  }
}

test('pages by offset, each after the one before, in any order and after writes, are those of the whole list', () =>
  withWorld(async (world) => {
    const { database, model } = world;
    const rows = Array.from({ length: 3000 }, (_, index) => ({
      article_id: index + 1,
      article_title: `t${index % 40}`,
    }));
    const insert = (given: readonly object[]) =>
      database.write(async () => {
        for (const row of given)
          await database.kysely
            .insertInto('article')
            .values({ ...row, article_active: 1 })
            .execute();
      });
    await insert(rows);
    await database.trackTables([{ name: 'article', primary: 'article_id', columns: ['article_id'], unique: {} }]);
    const searcher = createSearcher(model);
    const search = (input: Record<string, unknown>) => searcher.search(database, 'article', input);
    const wanted = async (sort: string) => {
      const { rows: all } = await sql<Row>`select article_id from article order by ${sql.raw(sort)}`.execute(
        database.kysely,
      );
      return all.map((row) => Number(row.article_id));
    };
    const sorts = [
      ['article_title', 'article_title, article_id'],
      ['-article_title', 'article_title desc, article_id desc'],
      ['-article_id', 'article_id desc'],
    ] as const;
    const statements = new Set<string>();
    for (const time of [0, 1]) {
      for (const [sort, order] of sorts) {
        const all = await wanted(order);
        for (const offset of [1000, 1007, 1500, 1507, 1003, 2990, 2997, 3000, 1514, 1507]) {
          const read = recordReads(() => search({ sort, offset, limit: 7, total: 0 }));
          const found = await read.value;
          for (const text of read.reads.statements) statements.add(text);
          assert.equal(
            found.rows.map((row) => Number(row.article_id)),
            all.slice(offset, offset + 7),
            `${sort} ${offset}`,
          );
          assert.is(found.next !== undefined, offset + 7 < all.length);
          assert.type(found.previous, offset < all.length ? 'string' : 'undefined');
        }
      }
      await insert([
        { article_id: 4000 + time, article_title: 'a' },
        { article_id: 5000 + time, article_title: 'z' },
      ]);
    }
    assert.ok(
      [...statements].some((text) => text.includes('union all') || / [<>] [?$]/.test(text)),
      'by a cursor',
    );
  }));

const BOUNDED: readonly (readonly [unknown, number | undefined, true | undefined])[] = [
  [2, 2, true],
  ['2', 2, true],
  [1_000_000, undefined, undefined],
  [1, undefined, undefined],
  ['true', undefined, undefined],
];

test('a total stops at the number that is asked for, and tells that there are more', () =>
  withWorld(async (world) => {
    await fill(world);
    const searcher = createSearcher(world.model);
    const search = (input: Record<string, unknown>) => searcher.search(world.database, 'article', input);
    for (const input of [{}, { filter: { article_rank: { gte: 0 } } }, { q: 'a' }, { group: 'article_rank' }]) {
      const whole = (await search(input)).total ?? 0;
      for (const [total, most, more] of BOUNDED) {
        const found = await search({ ...input, total });
        const isCut = most !== undefined && whole > most;
        assert.is(found.total, isCut ? most : whole, JSON.stringify({ ...input, total }));
        assert.is(found.total_more, isCut ? more : undefined, JSON.stringify({ ...input, total }));
      }
    }
    assert.is((await search({ total: 0 })).total, undefined);
    await expectRefused(() => search({ total: '99999999' }));
  }));

async function expectRefused(work: () => Promise<unknown>): Promise<void> {
  const error = await work().then(
    () => undefined,
    (fault: Error) => fault,
  );
  assert.match(error?.message ?? '', /"total" counts up to 10000000 rows/);
}

test.run();
