import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Clock } from '../../../src/core/clock.ts';
import { silentLog } from '../../../src/core/log/log.ts';
import type { Database } from '../../../src/database/database.ts';
import { migrate } from '../../../src/database/migration.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { readStructure } from '../../../src/database/read-structure.ts';
import { pruneSqliteChanges } from '../../../src/database/sqlite/table-versions.ts';
import { readStatistics, refreshStatistics } from '../../../src/database/statistics/refresh.ts';
import { createTables, listCounted } from '../../../src/database/table.ts';
import { only } from '../_where.ts';
import { linkSchemas } from '../model.ts';

const test = suite('database/statistics/sqlite');
const sqlite = only('sqlite', 'database/statistics/sqlite', test);

const flags = { filterable: true, sortable: true };
const FIELDS = [
  { name: 'title', type: 'text', required: true },
  { name: 'published', type: 'checkbox', ...flags },
  { name: 'views', type: 'number', ...flags },
];
const ARTICLE = { name: 'article', singular: 'Article', plural: 'Articles', fields: FIELDS };
const toTables = (fields: readonly unknown[]) =>
  createTables(linkSchemas([{ ...ARTICLE, fields }]), [], { dialect: 'sqlite' });
const TABLES = toTables(FIELDS);

const FLAG_SORTED =
  'select article_id from article where article_published = 1 and article_views > 90000 order by article_views limit 20';
const BY_FLAG = 'SEARCH article USING INDEX article_published_index (article_published=?)';
const BY_VIEWS = 'SEARCH article USING INDEX article_views_index (article_views>?)';

const run = (database: Database, text: string) => database.run(CompiledQuery.raw(text));

/** The first step of a plan, on a connection that requests read with. */
async function readPlan(database: Database): Promise<string> {
  const [step] = await database.run(CompiledQuery.raw(`explain query plan ${FLAG_SORTED}`));
  return String(step?.detail);
}
interface World {
  readonly root: string;
  readonly database: Database;
  readonly clock: Clock & { seconds: number };
  open(): Promise<Database>;
}

async function withWorld(fn: (world: World) => Promise<void>, url = 'sqlite:app.db'): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'treadle-statistics-'));
  const clock = { seconds: 1_000_000, now: () => clock.seconds * 1000, after: () => () => undefined };
  const opened: Database[] = [];
  const open = async (): Promise<Database> => {
    const database = await openDatabase({ url, root, log: silentLog, clock });
    opened.push(database);
    return database;
  };
  try {
    const database = await open();
    await migrate(database, TABLES);
    await database.trackTables(listCounted(TABLES));
    await fn({ root, database, clock, open });
  } finally {
    for (const database of opened) await database.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** 70 % have the flag, and one in ten more than 90,000 views. */
const insert = (database: Database, first: number, last: number) =>
  run(
    database,
    `insert into article (article_title, article_published, article_views) with recursive n(i) as
      (select ${first} union all select i + 1 from n where i < ${last})
      select 'Article ' || i, (i * 31) % 10 < 7, (i * 7919) % 100000 from n`,
  );

const options = ({ clock }: Pick<World, 'clock'>, isThorough = false) => ({ log: silentLog, clock, isThorough });

sqlite('statistics make a search with a flag and a sort read the sorted index', () =>
  withWorld(async (world) => {
    const { database } = world;
    await insert(database, 1, 5000);
    assert.is(await readPlan(database), BY_FLAG);
    assert.equal(await refreshStatistics(database, options(world)), ['article']);
    assert.is(await readPlan(database), BY_VIEWS);
  }),
);

sqlite('they are the figures that SQLite itself counts', () =>
  withWorld(async (world) => {
    const { database } = world;
    await insert(database, 1, 3000);
    await run(database, 'create index two on article (article_published, article_views)');
    await run(database, 'create index part on article (article_views desc, article_title) where article_published = 1');
    await run(database, 'create index expression on article (lower(article_title))');
    await run(database, 'create unique index named on article (article_title)');
    await refreshStatistics(database, options(world));
    const read = () => run(database, "select idx, stat from sqlite_stat1 where idx <> 'expression' order by idx");
    const own = await read();
    await run(database, 'analyze article');
    assert.equal(own, await read());
    assert.is(own.length, 5);
  }),
);

sqlite('every connection plans with them: of other processes, with statements that were prepared before', () =>
  withWorld(async (world) => {
    const { database, open } = world;
    const other = await open();
    await insert(database, 1, 5000);
    await other.tableVersions();
    assert.is(await readPlan(other), BY_FLAG);
    await refreshStatistics(database, options(world));
    await other.tableVersions();
    assert.is(await readPlan(other), BY_VIEWS);
    // And again, when the planner's table exists already.
    await run(database, 'delete from article where article_id > 10');
    world.clock.seconds += 100;
    assert.equal(await refreshStatistics(database, options(world)), ['article']);
    await other.tableVersions();
    assert.is(await readPlan(other), BY_FLAG);
  }),
);

sqlite('the writing connection plans with them', () =>
  withWorld(async (world) => {
    const { database } = world;
    await insert(database, 1, 5000);
    assert.is(await readPlan(database), BY_FLAG);
    await refreshStatistics(database, options(world));
    assert.is(await readPlan(database), BY_VIEWS);
    await run(database, 'delete from article where article_id > 10');
    world.clock.seconds += 100;
    await refreshStatistics(database, options(world));
    assert.is(await readPlan(database), BY_FLAG);
  }, 'sqlite::memory:'),
);

sqlite('an explained statement leaves no transaction open: its connection shows later commits, and writes', () =>
  withWorld(async ({ database, open }) => {
    const other = await open();
    await insert(database, 1, 2000);
    await readPlan(database);
    await database.transaction(() => readPlan(database));
    await insert(other, 2001, 3000);
    const rows = await run(database, 'select count(*) as n from article');
    assert.is(rows[0]?.n, 3000);
    await insert(database, 3001, 3002);
  }),
);

sqlite('a small table has none, and one that grew is counted again', () =>
  withWorld(async (world) => {
    const { database, clock } = world;
    await insert(database, 1, 10);
    assert.equal(await refreshStatistics(database, options(world, true)), []);
    assert.is((await run(database, "select * from sqlite_schema where name = 'sqlite_stat1'")).length, 0);
    await insert(database, 11, 1500);
    assert.equal(await refreshStatistics(database, options(world)), ['article']);
    await insert(database, 1501, 2000);
    clock.seconds += 10_000;
    assert.equal(await refreshStatistics(database, options(world)), []);
    await insert(database, 2001, 40_000);
    // Soon after the last count, because the table is many times as large.
    clock.seconds -= 9_995;
    assert.equal(await refreshStatistics(database, options(world)), ['article']);
    const [article] = await readStatistics(database);
    assert.equal([article?.rows, article?.written], [40_000, 0]);
    // A tenth of the rows, soon after the last count: a counter of views must not keep it busy.
    await run(database, 'update article set article_views = article_views + 1 where article_id <= 5000');
    assert.equal(await refreshStatistics(database, options(world)), []);
    clock.seconds += 60;
    assert.equal(await refreshStatistics(database, options(world)), ['article']);
  }),
);

sqlite('a table counts its own writes only, also those whose notes were dropped', () =>
  withWorld(async (world) => {
    const { database, clock } = world;
    await run(database, 'create table hit (id integer primary key, n integer)');
    await database.trackTables([...listCounted(TABLES), { name: 'hit', primary: 'id', columns: ['id'], unique: {} }]);
    await insert(database, 1, 20_000);
    await refreshStatistics(database, options(world));
    clock.seconds += 100;
    const written = async (): Promise<number | undefined> =>
      (await readStatistics(database)).find(({ table }) => table === 'article')?.written;
    await run(database, 'update article set article_views = 1 where article_id <= 3');
    const hits =
      'insert into hit (n) with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) select i from n';
    for (let time = 0; time < 4; time += 1) {
      await run(database, hits);
      await pruneSqliteChanges(database);
    }
    assert.is(await written(), 3);
    assert.equal(await refreshStatistics(database, options(world)), ['hit']);
    await run(database, 'update article set article_views = 2 where article_id <= 2500');
    await run(database, hits);
    await pruneSqliteChanges(database);
    assert.is(await written(), 2503);
    assert.equal(await refreshStatistics(database, options(world)), ['article']);
    assert.is(await written(), 0);
  }),
);

sqlite('a thorough look finds rows that no counter shows, and indexes that came later', () =>
  withWorld(async (world) => {
    const { database, clock } = world;
    await insert(database, 1, 2000);
    await run(database, "delete from treadle_change where name = 'article'");
    assert.equal(await refreshStatistics(database, options(world)), []);
    assert.equal(await refreshStatistics(database, options(world, true)), ['article']);
    clock.seconds += 100;
    assert.equal(await refreshStatistics(database, options(world, true)), []);
    await run(database, 'create index article_title_index on article (article_title)');
    assert.equal(await refreshStatistics(database, options(world)), []);
    assert.equal(await refreshStatistics(database, options(world, true)), ['article']);
    await run(database, 'create index expression on article (lower(article_title))');
    clock.seconds += 100;
    assert.equal(await refreshStatistics(database, options(world, true)), []);
  }),
);

sqlite('of several processes one counts', () =>
  withWorld(async (world) => {
    const { database, open } = world;
    const other = await open();
    await insert(database, 1, 5000);
    const done = await Promise.all([database, other].map((one) => refreshStatistics(one, options(world))));
    assert.equal(done.flat(), ['article']);
  }),
);

sqlite('one that gives up leaves the table to the next look', () =>
  withWorld(async (world) => {
    const { database } = world;
    await insert(database, 1, 5000);
    assert.equal(await refreshStatistics(database, { ...options(world), isOver: () => true }), []);
    assert.equal(await refreshStatistics(database, options(world)), ['article']);
  }),
);

sqlite('they are no change of the tables: not of their versions, the structure and its checksum', () =>
  withWorld(async (world) => {
    const { database, clock } = world;
    await insert(database, 1, 5000);
    await refreshStatistics(database, options(world));
    const before = [await database.structureVersion(), (await readStructure(database)).checksum];
    await insert(database, 5001, 9000);
    const basis = (await database.tableVersions()).basisOf(['article']);
    clock.seconds += 100;
    assert.equal(await refreshStatistics(database, options(world)), ['article']);
    assert.ok((await database.tableVersions()).holds(basis));
    assert.equal([await database.structureVersion(), (await readStructure(database)).checksum], before);
  }),
);

sqlite('a table that is renamed or removed takes its statistics along, or leaves none', () =>
  withWorld(async (world) => {
    const { database, clock } = world;
    await insert(database, 1, 5000);
    await refreshStatistics(database, options(world));
    await run(database, 'create table other (id integer primary key, n integer)');
    await run(database, 'create index other_n on other (n)');
    const other = { name: 'other', primary: 'id', columns: ['id'], unique: {} };
    await database.trackTables([...listCounted(TABLES), other]);
    await run(
      database,
      'insert into other (n) with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) select i from n',
    );
    await run(database, 'drop table article');
    clock.seconds += 100;
    assert.equal(await refreshStatistics(database, options(world)), ['other']);
    const tables = await run(
      database,
      'select distinct tbl from sqlite_stat1 union all select id from treadle_statistics',
    );
    assert.equal(tables, [{ tbl: 'other' }, { tbl: 'other' }]);
  }),
);

sqlite('a failure is told and harms nothing', () =>
  withWorld(async (world) => {
    const { database } = world;
    const told: string[] = [];
    await insert(database, 1, 5000);
    await run(database, 'create table treadle_statistics (id text)');
    const log = { warn: (event: string) => void told.push(event) };
    assert.equal(await refreshStatistics(database, { ...options(world), log }), []);
    assert.equal(told, ['statistics-failed']);
  }),
);

test.run();
