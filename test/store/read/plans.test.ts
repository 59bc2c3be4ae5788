// The plans of the benchmark's searches and of others that are usual, as a database makes them that Treadle gave statistics.
// To keep an intended change: TREADLE_WRITE_GOLDEN=1 node test/run.mjs store/read/plans, and the same with --postgres.
import { readFileSync, writeFileSync } from 'node:fs';
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../../src/core/log/log.ts';
import type { Database } from '../../../src/database/database.ts';
import { refreshStatistics } from '../../../src/database/statistics/refresh.ts';
import { createTables, listCounted } from '../../../src/database/table.ts';
import { getWordTarget, writeWords } from '../../../src/database/words/word-table.ts';
import { createSearcher, type Searcher } from '../../../src/store/read/searcher.ts';
import { DIALECT, unlessAlone } from '../../database/_where.ts';
import { type World, withWorld } from './_world.ts';

const test = suite('store/read/plans');
const served = unlessAlone('store/read/plans', test);

/** This file is that of the tests' bundle. */
const GOLDEN = new URL(`plans.${DIALECT}.golden.txt`, import.meta.url);
const ROWS = 6000;
const AUTHORS = 1200;

const sought = { filterable: true, sortable: true };
const title = { name: 'title', type: 'text', required: true, searchable: true, ...sought };
const fields = [
  title,
  { name: 'published', type: 'checkbox', ...sought },
  { name: 'views', type: 'number', ...sought },
  { name: 'created', type: 'created', ...sought },
];
const relations = [{ schema: 'author', kind: '1:0' }];
/** `article` has no removed rows, `post` may have. */
const SCHEMAS = [
  { name: 'author', singular: 'Author', plural: 'Authors', fields: [{ name: 'name', type: 'text', ...sought }] },
  { name: 'article', singular: 'Article', plural: 'Articles', fields, relations },
  {
    name: 'post',
    singular: 'Post',
    plural: 'Posts',
    fields: [...fields, { name: 'active', type: 'active' }],
    relations,
  },
];

type Ask = (searcher: Searcher, database: Database, schema: string) => Promise<unknown>;
const search =
  (input: (own: (name: string) => string) => Readonly<Record<string, unknown>>): Ask =>
  (searcher, database, schema) =>
    searcher.search(database, schema, { limit: 20, ...input((name) => `${schema}_${name}`) });

const flagged = (own: (name: string) => string) => ({
  filter: { [own('published')]: '1', [own('views')]: { gt: '90000' } },
  sort: own('views'),
});
const ASKED: Readonly<Record<string, Ask>> = {
  'newest 20': search((own) => ({ sort: `-${own('created')}`, total: '0' })),
  'newest 20, with total': search((own) => ({ sort: `-${own('created')}`, total: '1' })),
  'page 250': search((own) => ({ sort: `-${own('created')}`, total: '0', offset: 5000 })),
  'flag and range, sorted': search((own) => ({ ...flagged(own), total: '0' })),
  'flag and range, sorted, with total': search((own) => ({ ...flagged(own), total: '1' })),
  'flag, newest': search((own) => ({ filter: { [own('published')]: '1' }, sort: `-${own('created')}`, total: '0' })),
  'two words': search(() => ({ q: 'warp weft', total: '1' })),
  'a word, newest': search((own) => ({ q: 'warp', sort: `-${own('created')}`, total: '0' })),
  'part of a text': search((own) => ({ filter: { [own('title')]: { contains: 'eft 12' } }, total: '1' })),
  'of one author': search((own) => ({ filter: { author_id: '7' }, sort: `-${own('created')}`, total: '0' })),
  'one row': (searcher, database, schema) => searcher.detail(database, schema, { column: `${schema}_id`, value: 77 }),
};

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The same database; adds each statement that is read with to a list. */
function record(database: Database, statements: Statement[]): Database {
  const run: Database['run'] = (query, parameters = query.parameters, about) => {
    // Whether the index of the words is complete: a plan of the server's own tables, which any other test changes.
    if (!query.sql.includes('treadle_words_state')) statements.push({ sql: query.sql, parameters });
    return database.run(query, parameters, about);
  };
  return new Proxy(database, {
    get: (target, name) => {
      if (name === 'run') return run;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function readPlan(database: Database, { sql, parameters }: Statement): Promise<string[]> {
  if (DIALECT === 'postgres') {
    const rows = await database.run(CompiledQuery.raw(`explain (costs off) ${sql}`, [...parameters]));
    return rows.map((row) => String(Object.values(row)[0]));
  }
  const rows = await database.run(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]));
  const depth = new Map<unknown, number>([[0, 0]]);
  return rows.map(({ id, parent, detail }) => {
    const own = depth.get(parent) ?? 0;
    depth.set(id, own + 1);
    return `${'  '.repeat(own)}${String(detail)}`;
  });
}

async function fill({ database, model }: World): Promise<void> {
  const isPostgres = DIALECT === 'postgres';
  const numbers = (count: number): string =>
    isPostgres
      ? `generate_series(1, ${count}) as n(i)`
      : `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n) as n`;
  const run = (text: string) => database.run(CompiledQuery.raw(text));
  await run(`insert into author (author_name) select 'Author ' || i from ${numbers(AUTHORS)}`);
  const flag = isPostgres ? 'case when (i * 31) % 10 < 7 then 1 else 0 end' : '(i * 31) % 10 < 7';
  const minutes = `(i * 7919) % ${ROWS}`;
  const created = isPostgres
    ? `to_char(timestamp '2020-01-01' + ${minutes} * interval '1 minute', 'YYYY-MM-DD HH24:MI:SS')`
    : `datetime('2020-01-01', '+' || (${minutes}) || ' minutes')`;
  for (const name of ['article', 'post']) {
    const columns = ['title', 'published', 'views', 'created', ...(name === 'post' ? ['active'] : [])];
    const values = [
      `'warp ' || case when i % 3 = 0 then 'weft ' else 'reed ' end || i`,
      flag,
      '(i * 7919) % 100000',
      created,
    ];
    await run(
      `insert into ${name} (${columns.map((column) => `${name}_${column}`).join(', ')}, author_id)
        select ${[...values, ...(name === 'post' ? ['1'] : [])].join(', ')}, 1 + i % ${AUTHORS} from ${numbers(ROWS)}`,
    );
    const schema = model.schemas.get(name);
    const rows = await run(`select * from ${name}`);
    assert.ok(schema);
    await database.restructure(() => writeWords(database, getWordTarget(schema), rows));
  }
}

async function readPlans({ database, model }: World, titles = Object.keys(ASKED)): Promise<string[]> {
  const lines: string[] = [];
  for (const schema of ['article', 'post']) {
    for (const name of titles) {
      const statements: Statement[] = [];
      await ASKED[name]?.(createSearcher(model), record(database, statements), schema);
      lines.push(`== ${schema}: ${name}`);
      for (const [index, statement] of statements.entries()) {
        if (index > 0) lines.push('--');
        lines.push(...(await readPlan(database, statement)));
      }
    }
  }
  return lines;
}

const inWorld = (fn: (world: World) => Promise<void>): Promise<void> =>
  withWorld(
    async (world) => {
      const { database, model } = world;
      await database.trackTables(listCounted(createTables(model, [], { dialect: database.dialect })));
      await fill(world);
      await fn(world);
    },
    true,
    SCHEMAS,
  );

/** PostgreSQL's autovacuum may analyze them at any time, so it is done before. */
const TABLES = ['author', 'article', 'post', 'treadle_words_article_fts', 'treadle_words_post_fts'];

const refresh = (database: Database): Promise<unknown> =>
  refreshStatistics(database, {
    log: silentLog,
    isThorough: true,
    written: new Map(TABLES.map((name) => [name, ROWS])),
  });

/** Another major version of PostgreSQL may plan in another way. */
async function readVersion(database: Database): Promise<string> {
  if (DIALECT === 'sqlite') return 'SQLite';
  const [row] = await database.run(CompiledQuery.raw("select current_setting('server_version') as version"));
  return `PostgreSQL ${Number.parseInt(String(row?.version), 10)}`;
}

served('the plans are those of the golden file', () =>
  inWorld(async (world) => {
    await refresh(world.database);
    const version = await readVersion(world.database);
    const text = `${[`Plans of ${version}`, ...(await readPlans(world))].join('\n')}\n`;
    if (process.env.TREADLE_WRITE_GOLDEN === '1') writeFileSync(GOLDEN, text);
    const golden = readFileSync(GOLDEN, 'utf8');
    if (!golden.startsWith(`Plans of ${version}\n`))
      process.stdout.write(`skipped: store/read/plans: the golden file has other plans than those of ${version}\n`);
    else assert.fixture(text, golden);
  }),
);

served('a flag with a range and a sort is read by the sorted index once there are statistics', () =>
  inWorld(async (world) => {
    const read = async (): Promise<string> =>
      (await readPlans(world, ['flag and range, sorted'])).slice(1).join('\n').split('==')[0] ?? '';
    const before = await read();
    if (DIALECT === 'sqlite') {
      assert.match(before, 'article_published_index');
      assert.match(before, 'USE TEMP B-TREE FOR ORDER BY');
    }
    await refresh(world.database);
    const after = await read();
    assert.match(after, 'article_views_index');
    assert.not.match(after, /article_published_index|TEMP B-TREE|Sort/);
  }),
);

test.run();
