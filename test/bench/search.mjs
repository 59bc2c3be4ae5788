// How a search's cost grows with its table: first page, deep pages by cursor and by offset, words, filters.
// Usage: node --import tsx test/bench/search.mjs [--rows 1000000] [--rounds 15] [--postgres postgres://…]
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log.ts';
import { migrate } from '../../src/database/migration.ts';
import { openDatabase } from '../../src/database/open.ts';
import { toTables } from '../../src/database/table.ts';
import { createSearcher } from '../../src/query/searcher.ts';
import { toModel } from '../query/_world.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '15' },
    postgres: { type: 'string' },
  },
});
const ROWS = Number(values.rows);
const ROUNDS = Number(values.rounds);
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const out = (text) => process.stdout.write(`${text}\n`);

/** The article of a blog; searchable only once its rows are there, so that the building of the index is seen. */
const schemas = (searchable) => [
  {
    name: 'article',
    singular: 'Article',
    plural: 'Articles',
    fields: [
      { name: 'title', type: 'text', searchable, filterable: true, sortable: true },
      { name: 'detail', type: 'wysiwyg', searchable },
      { name: 'category', type: 'text', filterable: true },
      { name: 'rank', type: 'number', filterable: true, sortable: true },
      { name: 'published', type: 'datetime', filterable: true, sortable: true },
      { name: 'active', type: 'active' },
    ],
  },
];

/** Rows by the database's own counting: a tenth without rank, which is one of a thousand; words that all have, half, one of 400, one of a thousand, one alone. */
async function fill({ kysely, dialect }) {
  const numbers =
    dialect === 'sqlite'
      ? sql`(with recursive c(n) as (select 1 union all select n + 1 from c where n < ${ROWS}) select n from c)`
      : sql`(select n from generate_series(1, cast(${ROWS} as bigint)) as n)`;
  const text = (value) => sql`cast(${value} as text)`;
  const mixed = sql`((n * 7919) % 1000003)`;
  const time =
    dialect === 'sqlite'
      ? sql`datetime(1500000000 + ${mixed} * 200, 'unixepoch')`
      : sql`to_char(to_timestamp(1500000000 + ${mixed} * 200) at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS')`;
  await sql`insert into article (article_title, article_detail, article_category, article_rank, article_published, article_active)
    select 'Title ' || ${text(sql`n`)} || case when n % 2 = 0 then ' half' else '' end,
      '<p>Every row has common words, some ' || case when n % 1000 = 0 then 'thousandth' else 'ordinary' end
        || ' and its own w' || ${text(sql`${mixed} % 400`)} || ' w' || ${text(mixed)} || '</p>',
      'c' || ${text(sql`n % 50`)}, case when n % 10 = 0 then null else ${mixed} % 1000 end, ${time},
      case when n % 100 = 99 then 0 else 1 end from ${numbers} as numbers`.execute(kysely);
}

async function timed(work) {
  const begun = performance.now();
  const result = await work();
  return { result, milliseconds: performance.now() - begun };
}

/** Each case in turn, round after round, so that what else the machine does weighs on all alike. */
async function measure(cases) {
  const times = new Map(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS + 2; round += 1) {
    for (const [name, work] of Object.entries(cases)) {
      const { milliseconds } = await timed(work);
      if (round >= 2) times.get(name).push(milliseconds);
    }
  }
  return times;
}

/** A cursor in the middle of a sorted table, as a walk there would have found it. */
async function findDeep(search, database, sort) {
  const column = sort.replace('-', '');
  const { rows } = await sql`select ${sql.ref(column)} as value from article where ${sql.ref(column)} is not null
    order by ${sql.ref(column)} limit 1 offset ${Math.floor(ROWS / 2)}`.execute(database.kysely);
  const operator = sort.startsWith('-') ? 'lte' : 'gte';
  return (await search({ sort, limit: 20, filter: { [column]: { [operator]: rows[0].value } } })).next;
}

async function run(url, name) {
  const root = mkdtempSync(join(tmpdir(), 'treadle-search-'));
  const database = await openDatabase({ url, root, log: silentLog, clock: systemClock });
  try {
    await migrate(database, toTables(toModel(schemas(false)), [], { dialect: database.dialect }));
    const filled = await timed(() => database.restructure(() => fill(database)));
    const model = toModel(schemas(true));
    const built = await timed(() => migrate(database, toTables(model, [], { dialect: database.dialect })));
    if (database.dialect === 'postgres') await sql`analyze`.execute(database.kysely);
    out(
      `${name}: ${ROWS} rows in ${(filled.milliseconds / 1000).toFixed(1)} s, their words in ${(built.milliseconds / 1000).toFixed(1)} s, ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB`,
    );
    const searcher = createSearcher(model);
    const search = (input) => searcher.search(database, 'article', input);
    const page = (input) => () => search({ limit: 20, total: 0, ...input });
    for (const sort of ['article_id', '-article_published', 'article_rank', '-article_rank', 'article_title']) {
      const after = await findDeep(search, database, sort);
      const times = await measure({
        first: page({ sort }),
        deep: page({ sort, after }),
        offset: page({ sort, offset: Math.floor(ROWS / 2) }),
      });
      const ratio = median(times.get('deep').map((time, index) => time / times.get('first')[index]));
      out(
        `  ${sort.padEnd(20)} first ${show(times, 'first')}  deep cursor ${show(times, 'deep')} (ratio ${ratio.toFixed(2)})  offset ${show(times, 'offset')}`,
      );
    }
    const asked = {
      'q of one row': { q: `title ${Math.floor(ROWS / 3)}` },
      'q of a thousandth': { q: 'thousandth' },
      'q of half, by date': { q: 'half', sort: '-article_published' },
      'q of all, by date': { q: 'common', sort: '-article_published' },
      'q of all, by age': { q: 'common' },
      'q of nothing': { q: 'nonesuch' },
      'q begun by a letter': { q: 'w1' },
      'filter and sort': { filter: { article_category: 'c7' }, sort: '-article_published' },
      'filter in, range': { filter: { article_category: ['c7', 'c8'], article_rank: { between: '10,12' } } },
      'no condition': {},
    };
    for (const [title, input] of Object.entries(asked)) {
      const times = await measure({ page: page(input), total: () => search({ limit: 20, ...input }) });
      const { total } = await search({ limit: 1, ...input });
      out(`  ${title.padEnd(20)} page ${show(times, 'page')}  with total ${show(times, 'total')}  (${total} rows)`);
    }
  } finally {
    await database.close();
    rmSync(root, { recursive: true, force: true });
  }
}

const show = (times, name) => `${median(times.get(name)).toFixed(2).padStart(8)} ms`;

await run('sqlite:app.db', 'SQLite');
if (values.postgres !== undefined) {
  const url = new URL(values.postgres);
  const schema = `treadle_bench_${randomBytes(4).toString('hex')}`;
  url.searchParams.set('schema', schema);
  await run(String(url), 'PostgreSQL');
  url.searchParams.delete('schema');
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: String(url) });
  await client.connect();
  await client.query(`drop schema "${schema}" cascade`);
  await client.end();
}
