// A common word with a sort reads the sorted index; a rare word sorts its rows. Both give the same pages.
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import { recordReads } from '../../../src/database/version/read-note.ts';
import { getWordTarget, writeWords } from '../../../src/database/words/word-table.ts';
import { createSearcher } from '../../../src/store/read/searcher.ts';
import { at, type World, withWorld } from './_world.ts';

const test = suite('store/read/words-walk');

/** Above the size from which common words are counted. */
const ROWS = 24_000;

/** Every row says `all`, every other row `even` (too few of a table of this size), and one in a thousand `rare`. */
const toArticle = (id: number): Row => ({
  article_id: id,
  article_title: `all ${id % 2 === 0 ? 'even' : 'odd'}${id % 1000 === 7 ? ' rare' : ''}`,
  article_slug: `a${id}`,
  article_published: at((id * 7919) % ROWS),
  article_rank: id % 5 === 0 ? null : id % 97,
  article_active: id % 10 === 3 ? 0 : 1,
  article_created: at(0),
  article_updated: at(0),
});

async function fill({ database, model }: World): Promise<Row[]> {
  const articles = Array.from({ length: ROWS }, (_, index) => toArticle(index + 1));
  const names = Object.keys(articles[0] ?? {});
  const statement = `insert into article (${names.join(', ')}) select ${names.map((_, index) => `value->>${index}`).join(', ')} from json_each(?)`;
  await database.write(async () => {
    await database.run(CompiledQuery.raw(statement), [
      JSON.stringify(articles.map((row) => names.map((name) => row[name]))),
    ]);
    const schema = model.schemas.get('article');
    assert.ok(schema);
    await writeWords(database, getWordTarget(schema), articles);
  });
  return articles;
}

type Compare = (a: Row, b: Row) => number;
const by =
  (name: string): Compare =>
  (a, b) => {
    const [x, y] = [a[name] as string | number | null, b[name] as string | number | null];
    if (x === y) return 0;
    if (x === null || y === null) return x === null ? -1 : 1;
    return x < y ? -1 : 1;
  };

const CASES: readonly (readonly [string, string, string, number])[] = [
  ['all', 'article_published', 'DESC', 0],
  ['all', 'article_published', 'ASC', 40],
  ['al', 'article_rank', 'ASC', 0],
  ['all', 'article_rank', 'DESC', 21_000],
  ['all', 'article_title', 'ASC', 3],
  ['all odd', 'article_published', 'DESC', 0],
  ['even', 'article_rank', 'DESC', 5],
  ['rare', 'article_published', 'ASC', 0],
  ['rare all', 'article_published', 'DESC', 4],
  ['none', 'article_published', 'DESC', 0],
];

if (process.env.TREADLE_TEST_POSTGRES === undefined) {
  test('pages of common and rare words in the order of a column are those of plain rows', () =>
    withWorld(async (world) => {
      const articles = await fill(world);
      const searcher = createSearcher(world.model);
      for (const [q, column, direction, offset] of CASES) {
        for (const filter of [{}, { article_rank: { gt: 90 } }]) {
          const input = { q, sort: { [column]: direction }, offset, limit: 7, filter };
          const { value, reads } = recordReads(() => searcher.search(world.database, 'article', input));
          const { rows, total } = await value;
          const sign = direction === 'ASC' ? 1 : -1;
          const wanted = articles
            .filter(({ article_active: active }) => active === 1)
            .filter(({ article_rank: rank }) => Object.keys(filter).length === 0 || Number(rank) > 90)
            .filter((row) => q.split(' ').every((word) => ` ${row.article_title}`.includes(` ${word}`)))
            .sort((a, b) => sign * (by(column)(a, b) || by('article_id')(a, b)));
          const name = JSON.stringify(input);
          assert.equal(
            rows.map((row) => row.article_id),
            wanted.slice(offset, offset + 7).map((row) => row.article_id),
            name,
          );
          assert.is(total, wanted.length, name);
          assert.ok(
            [...reads.statements].some((text) => text.includes('treadle_many')),
            name,
          );
        }
      }
    }));

  test('a search without a sort, by the key, or after a cursor has one way', () =>
    withWorld(async ({ model, database }) => {
      const searcher = createSearcher(model);
      for (const input of [{ q: 'a' }, { q: 'a', sort: '-article_id' }, { sort: 'article_rank' }]) {
        const { value, reads } = recordReads(() => searcher.search(database, 'article', input));
        await value;
        assert.not.ok(
          [...reads.statements].some((text) => text.includes('treadle_many')),
          JSON.stringify(input),
        );
      }
    }));
}

test.run();
