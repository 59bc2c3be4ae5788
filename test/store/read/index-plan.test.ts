// Searches use the indexes of the definitions: the plans of both databases are golden files.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RowPredicate } from '../../../src/core/access.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { createSearcher } from '../../../src/store/read/searcher.ts';
import { unlessAlone } from '../../database/_where.ts';
import { explain, record } from './_explain.ts';
import { type World, withWorld } from './_world.ts';

const test = suite('store/read/index-plan');

const ROWS = 6000;
const flags = { filterable: true, sortable: true };

const SHOP = [
  {
    name: 'profile',
    singular: 'Profile',
    plural: 'Profiles',
    fields: [{ name: 'name', type: 'text', private: false }],
  },
  {
    name: 'article',
    singular: 'Article',
    plural: 'Articles',
    fields: [
      { name: 'title', type: 'text', ...flags },
      { name: 'published', type: 'switch', ...flags },
      { name: 'views', type: 'number', ...flags },
      { name: 'status', type: 'text', ...flags },
      { name: 'day', type: 'date', ...flags },
      { name: 'rank', type: 'number', ...flags },
      { name: 'active', type: 'active' },
    ],
    relations: [{ schema: 'profile', kind: '1:0' }],
    indexes: [
      { columns: ['published', '-views'], where: { published: true } },
      { columns: ['-rank', 'title'], where: { status: ['live', 'shown'] } },
      { columns: ['profile_id', '-views'] },
      { columns: ['-title', '-views'], where: { rank: { gte: 90 }, day: { null: false } } },
    ],
  },
];

/** Values of a row that follow from its number; one in ten is published, one in a hundred removed. */
const toArticle = (id: number): Row => ({
  article_id: id,
  article_title: `title ${(id * 31) % 997}`,
  article_published: id % 10 === 0 ? 1 : 0,
  article_views: id % 17 === 0 ? null : (id * 7919) % 1000,
  article_status: ['live', 'shown', 'draft', 'gone', 'lost', 'held'][id % 6] ?? null,
  article_day: id % 3 === 0 ? `2026-01-${String((id % 28) + 1).padStart(2, '0')}` : null,
  article_rank: id % 13 === 0 ? null : (id * 37) % 101,
  article_active: id % 100 === 1 ? 0 : 1,
  profile_id: (id % 5) + 1,
});

async function fill({ database }: World): Promise<Row[]> {
  const rows = Array.from({ length: ROWS }, (_, index) => toArticle(index + 1));
  await database.kysely
    .insertInto('profile')
    .values([1, 2, 3, 4, 5].map((id) => ({ profile_id: id })))
    .execute();
  for (let at = 0; at < ROWS; at += 500)
    await database.kysely
      .insertInto('article')
      .values(rows.slice(at, at + 500))
      .execute();
  await database.run(CompiledQuery.raw('analyze'));
  return rows;
}

interface Case {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly rows?: RowPredicate;
  /** The rows that it must find, in order. */
  readonly wanted: (row: Row) => boolean;
  readonly order: readonly string[];
}

const is = (row: Row, name: string): number => Number(row[`article_${name}`] ?? Number.NEGATIVE_INFINITY);
const isLive = ({ article_status: status }: Row): boolean => status === 'live' || status === 'shown';

const CASES: readonly Case[] = [
  {
    name: 'the condition fixed, sorted down',
    input: { filter: { article_published: '1' }, sort: '-article_views', total: 0 },
    wanted: (row) => row.article_published === 1,
    order: ['-article_views', '-article_id'],
  },
  {
    name: 'the same, sorted up and counted',
    input: { filter: { article_published: true }, sort: 'article_views' },
    wanted: (row) => row.article_published === 1,
    order: ['article_views', 'article_id'],
  },
  {
    name: 'the same with a range',
    input: { filter: { article_published: true, article_views: { gt: 600 } }, sort: '-article_views', total: 0 },
    wanted: (row) => row.article_published === 1 && is(row, 'views') > 600,
    order: ['-article_views', '-article_id'],
  },
  {
    name: 'fixed by a rule of a role',
    input: { sort: '-article_views', total: 0 },
    rows: { anyOf: [{ article_published: true }] },
    wanted: (row) => row.article_published === 1,
    order: ['-article_views', '-article_id'],
  },
  {
    name: 'another value is bound',
    input: { filter: { article_published: false, article_views: { gt: 990 } }, total: 0 },
    wanted: (row) => row.article_published === 0 && is(row, 'views') > 990,
    order: ['article_id'],
  },
  {
    name: 'a list, whatever its order',
    input: { filter: { article_status: { in: 'shown,live' } }, sort: '-article_rank,article_title', total: 0 },
    wanted: isLive,
    order: ['-article_rank', 'article_title', 'article_id'],
  },
  {
    name: 'one value of the list',
    input: { filter: { article_status: 'live' }, sort: '-article_rank,article_title', total: 0 },
    wanted: (row) => row.article_status === 'live',
    order: ['-article_rank', 'article_title', 'article_id'],
  },
  {
    name: 'a key, sorted',
    input: { filter: { profile_id: 3 }, sort: '-article_views', total: 0 },
    wanted: (row) => row.profile_id === 3,
    order: ['-article_views', '-article_id'],
  },
  {
    name: 'a narrower range than the condition',
    input: {
      filter: { article_rank: { gt: 95 }, article_day: { null: 0 } },
      sort: '-article_title,-article_views',
      total: 0,
    },
    wanted: (row) => is(row, 'rank') > 95 && row.article_day !== null,
    order: ['-article_title', '-article_views', '-article_id'],
  },
  {
    name: 'a wider range than the condition',
    input: {
      filter: { article_rank: { gte: 89 }, article_day: { null: 0 } },
      sort: '-article_title,-article_views',
      total: 0,
    },
    wanted: (row) => is(row, 'rank') >= 89 && row.article_day !== null,
    order: ['-article_title', '-article_views', '-article_id'],
  },
  {
    name: 'alternatives of ranges, in the order of the key',
    input: { filter: { or: [{ article_views: { gt: 980 } }, { profile_id: 3, article_title: 'title 31' }] }, total: 0 },
    wanted: (row) => is(row, 'views') > 980 || (row.profile_id === 3 && row.article_title === 'title 31'),
    order: ['article_id'],
  },
  {
    name: 'an alternative that fixes the condition of an index',
    input: { filter: { or: [{ article_published: true, article_views: { gt: 990 } }, { article_rank: 3 }] }, total: 0 },
    wanted: (row) => (row.article_published === 1 && is(row, 'views') > 990) || row.article_rank === 3,
    order: ['article_id'],
  },
];

function compare(order: readonly string[]): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const written of order) {
      const name = written.replace('-', '');
      const [x, y] = [a[name] as string | number | null, b[name] as string | number | null];
      if (x === y) continue;
      const isLess = x === null || (y !== null && x < y);
      return isLess === written.startsWith('-') ? 1 : -1;
    }
    return 0;
  };
}

unlessAlone('store/read/index-plan', test)(
  'searches that fix the condition of an index use it, with the rows that they must find',
  () =>
    withWorld(
      async (world) => {
        const articles = await fill(world);
        const { recorded, reads } = record(world.database);
        const searcher = createSearcher(world.model);
        // On PostgreSQL a count reads one index or the other, by what vacuum has seen.
        const isCounted = world.database.dialect === 'sqlite';
        const printed: string[] = [];
        for (const { name, input, rows, wanted, order } of CASES) {
          reads.length = 0;
          const found = await searcher.search(
            recorded,
            'article',
            { limit: 20, ...input },
            rows === undefined ? {} : { rows },
          );
          const kept = articles.filter((row) => row.article_active === 1 && wanted(row)).sort(compare(order));
          const ids = JSON.parse(JSON.stringify(found.rows)) as Row[];
          assert.equal(
            ids.map((row) => row.article_id),
            kept.slice(0, 20).map((row) => row.article_id),
            name,
          );
          if (found.total !== undefined) assert.is(found.total, kept.length, name);
          const next = await searcher.search(
            recorded,
            'article',
            { limit: 20, ...input, after: found.next },
            rows === undefined ? {} : { rows },
          );
          const more = JSON.parse(JSON.stringify(next.rows)) as Row[];
          assert.equal(
            more.map((row) => row.article_id),
            kept.slice(20, 40).map((row) => row.article_id),
            `${name}, after`,
          );
          printed.push(`${name}\n`);
          for (const read of reads.slice(0, isCounted && input.total !== 0 ? 2 : 1))
            printed.push(...(await explain(read, world.database)).map((line) => `  ${line}\n`));
        }
        const file = new URL(`index-plan.${world.database.dialect}.golden.txt`, import.meta.url);
        if (process.env.TREADLE_GOLDEN === 'write') writeFileSync(file, printed.join(''));
        assert.is(printed.join(''), readFileSync(file, 'utf8'));
      },
      false,
      SHOP,
    ),
);

test.run();
