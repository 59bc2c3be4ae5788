// The total of words that many rows have is the number of plain rows.
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../../src/database/row-statement.ts';
import { listReadSources, recordReads } from '../../../../src/database/version/read-note.ts';
import { getWordTarget, writeWords } from '../../../../src/database/words/word-table.ts';
import { toWords } from '../../../../src/model/split-words.ts';
import type { SearchOptions } from '../../../../src/store/read/search.ts';
import { createSearcher } from '../../../../src/store/read/searcher.ts';
import { at, type World, withWorld } from '../_world.ts';

const test = suite('store/read/sql/count');

/** The ids are those of a large table. */
const ROWS = 13_000;
const FIRST = 20_000;
const LONG = 'selvedgeselvedge';

const toArticle = (id: number): Row => ({
  article_id: id,
  article_title: `all ${id % 2 === 0 ? 'even' : 'odd'} ${LONG}`,
  article_detail: `<p>${id % 5 === 0 ? 'weft' : 'warp thread loom reed'}</p>`,
  article_rank: id % 50,
  article_active: 1,
  profile_id: 1 + (id % 2),
  article_created: at(0),
  article_updated: at(0),
});

async function write({ database, model }: World, articles: readonly Row[]): Promise<void> {
  const names = Object.keys(articles[0] ?? {});
  const slots = names.map((_, index) => `value->>${index}`);
  const text =
    database.dialect === 'sqlite'
      ? `insert or replace into article (${names.join(', ')}) select ${slots.join(', ')} from json_each(?)`
      : `insert into article (${names.join(', ')}) select ${names.join(', ')} from jsonb_populate_recordset(null::article, cast($1 as jsonb))`;
  const given = database.dialect === 'sqlite' ? articles.map((row) => names.map((name) => row[name])) : articles;
  const schema = model.schemas.get('article');
  assert.ok(schema);
  await database.write(async () => {
    await database.run(CompiledQuery.raw(text), [JSON.stringify(given)]);
    await writeWords(database, getWordTarget(schema), articles);
  });
}

const run = ({ database }: World, text: string): Promise<Row[]> => database.run(CompiledQuery.raw(text));

const hasAll = (q: string, row: Row): boolean => {
  const words = toWords(`${row.article_title} ${row.article_detail}`);
  return toWords(q).every((word) => words.some((one) => one.startsWith(word)));
};

type Case = readonly [input: Row, options: SearchOptions, test: (row: Row) => boolean];
const isActive = (row: Row): boolean => row.article_active === 1;
const CASES: readonly Case[] = [
  ...['all', 'a', 'even', 'od', 'warp thread', 'all even warp reed', 'loom selvedgeselv'].map(
    (q): Case => [{ q }, {}, isActive],
  ),
  [{ q: 'all', filter: { article_active: 'any' } }, {}, () => true],
  [{ q: 'all', filter: { article_active: '0' } }, {}, (row) => !isActive(row)],
  [{ q: 'all', filter: { article_rank: { gt: 9 } } }, {}, (row) => isActive(row) && Number(row.article_rank) > 9],
  [{ q: 'all' }, { rows: { owner: 2 } }, (row) => isActive(row) && row.profile_id === 2],
  [{ q: 'all' }, { rows: { anyOf: [{ article_rank: 3 }] } }, (row) => isActive(row) && row.article_rank === 3],
  [{ q: LONG }, {}, isActive],
  [{ q: 'all warp thread loom reed' }, {}, isActive],
  [{ q: 'none' }, {}, () => false],
];

async function check(world: World, articles: readonly Row[], about: string): Promise<void> {
  const searcher = createSearcher(world.model);
  for (const [input, options, matches] of CASES) {
    const name = `${about}: ${JSON.stringify([input, options])}`;
    const wanted = articles.filter((row) => matches(row) && hasAll(String(input.q), row)).length;
    const read = recordReads(() => searcher.search(world.database, 'article', { ...input, limit: 1 }, options));
    assert.is((await read.value).total, wanted, name);
    if (world.database.dialect !== 'sqlite') continue;
    assert.equal(listReadSources(read.reads), ['article'], 'a write to another table keeps the answer');
  }
}

for (const file of [true, false]) {
  test(`totals after writes and removals are those of plain rows, ${file ? 'in a file' : 'in memory'}`, () =>
    withWorld(async (world) => {
      const all = Array.from({ length: ROWS }, (_, index) => toArticle(FIRST + index));
      await run(world, "insert into profile (profile_name) values ('Ann'), ('Bob')");
      await write(world, all);
      await check(world, all, 'written');
      const removed = all.map((row, index) => (index % 11 === 0 ? { ...row, article_active: 0 } : row));
      await run(world, `update article set article_active = 0 where (article_id - ${FIRST}) % 11 = 0`);
      await check(world, removed, 'some removed');
      await run(world, 'delete from article where article_id % 13 = 0');
      const left = removed.filter(({ article_id: id }) => Number(id) % 13 !== 0);
      await check(world, left, 'some deleted');
      if (world.database.dialect !== 'sqlite') return;
      const isChanged = ({ article_id: id }: Row): boolean => Number(id) % 7 === 0;
      const changed = left.map((row) => (isChanged(row) ? { ...row, article_title: 'all weft' } : row));
      await write(world, changed.filter(isChanged));
      await check(world, changed, 'some changed');
      await world.database
        .transaction(async () => {
          await write(world, [toArticle(FIRST + ROWS), toArticle(FIRST + ROWS + 1)]);
          await check(world, [...changed, toArticle(FIRST + ROWS), toArticle(FIRST + ROWS + 1)], 'in a transaction');
          throw new Error('undone');
        })
        .catch((error: Error) => assert.is(error.message, 'undone'));
      await check(world, changed, 'undone');
    }, file));
}

test.run();
