import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLog } from '../../../src/core/log/log.ts';
import type { Database } from '../../../src/database/database.ts';
import { migrate } from '../../../src/database/migration.ts';
import { openDatabase } from '../../../src/database/open.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { restructureMany } from '../../../src/database/sqlite/schema-shelf.ts';
import { refreshStatistics } from '../../../src/database/statistics/refresh.ts';
import { listCounted } from '../../../src/database/table.ts';
import { type SchemaSketch, tablesOf } from '../model.ts';

const test = suite('database/sqlite/schema-shelf');

const run = (database: Database, text: string): Promise<Row[]> => database.run(CompiledQuery.raw(text));
const OBJECTS =
  "select type, name, tbl_name, sql from sqlite_schema where name not like 'sqlite_%' order by type, name";

async function withFile(fn: (open: () => Promise<Database>) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'treadle-shelf-'));
  const opened: Database[] = [];
  try {
    await fn(async () => {
      const database = await openDatabase({ url: 'sqlite:app.db', root, log: silentLog, clock: systemClock });
      opened.push(database);
      return database;
    });
  } finally {
    for (const database of opened) await database.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** Seven objects each: table, indexes, words with their trigger. */
const SKETCHES: readonly SchemaSketch[] = Array.from({ length: 90 }, (_, at) => ({
  name: `thing${at}`,
  fields: [
    { name: 'title', type: 'text', searchable: true, sortable: true, required: true },
    { name: 'count', type: 'number', filterable: true },
    { name: 'active', type: 'active' },
  ],
  relations: at % 4 === 1 ? [{ schema: `thing${at - 1}`, kind: '1:0' }] : [],
}));

async function bringTo(database: Database, sketches: readonly SchemaSketch[]): Promise<void> {
  const tables = tablesOf(...sketches);
  const { refused } = await migrate(database, tables);
  assert.equal(refused, []);
  await database.trackTables?.(listCounted(tables));
}

/** Few at a time, without a shelf. */
async function listPlain(): Promise<Row[]> {
  const found: Row[][] = [];
  await withFile(async (open) => {
    const database = await open();
    for (let end = 20; end <= SKETCHES.length + 10; end += 10) await bringTo(database, SKETCHES.slice(0, end));
    found.push(await run(database, OBJECTS));
  });
  return found[0] ?? [];
}

test('creates many tables at once as it creates them one by one', () =>
  withFile(async (open) => {
    const other = await open();
    const database = await open();
    await bringTo(database, SKETCHES);
    const objects = await run(database, OBJECTS);
    assert.ok(objects.length > 900);
    assert.equal(objects, await listPlain());
    assert.equal(await run(other, OBJECTS), objects);
    assert.equal(await run(database, 'pragma integrity_check'), [{ integrity_check: 'ok' }]);
    await run(other, "insert into thing7 (thing7_title) values ('Seven')");
    await run(other, "insert into treadle_words_thing7_fts (rowid, words) values (1, 'seven')");
    await run(database, 'delete from thing7');
    const left = "select rowid from treadle_words_thing7_fts where treadle_words_thing7_fts match 'seven'";
    assert.equal(await run(other, left), []);
    const noted = await run(other, "select tags from treadle_change where name = 'thing7' order by id");
    assert.equal(noted, [{ tags: ' thing7_id#1' }, { tags: ' thing7_id#1' }]);
  }));

test('keeps the statistics of the planner, and reads them again', () =>
  withFile(async (open) => {
    const database = await open();
    await bringTo(database, SKETCHES.slice(0, 1));
    const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)';
    await run(database, `insert into thing0 (thing0_title, thing0_count) ${numbers} select 'Thing ' || i, i from n`);
    await refreshStatistics(database, { log: silentLog });
    const before = await run(database, 'select * from sqlite_stat1 order by idx');
    assert.ok(before.length > 2);
    await bringTo(database, SKETCHES);
    assert.equal(await run(database, 'select * from sqlite_stat1 order by idx'), before);
    assert.equal(await run(database, 'pragma integrity_check'), [{ integrity_check: 'ok' }]);
  }));

test('changes nothing where a statement fails, and forbids writing the schema afterwards', () =>
  withFile(async (open) => {
    const database = await open();
    await run(database, 'create table kept (id integer primary key)');
    const before = await run(database, OBJECTS);
    const counted = { times: 0 };
    const work = restructureMany(database, { objects: 1000 }, async (shelf) => {
      counted.times += 1;
      for (let at = 0; at < 150; at += 1) {
        const text = at === 140 ? 'create table kept (id integer)' : `create table made${at} (id integer primary key)`;
        await shelf?.before([text]);
        await run(database, text);
        await shelf?.after();
      }
    });
    await work.then(
      () => assert.unreachable('the table was there'),
      () => {},
    );
    assert.is(counted.times, 2);
    assert.equal(await run(database, OBJECTS), before);
    const refused = await run(database, 'delete from sqlite_schema').then(
      () => 'done',
      () => 'refused',
    );
    assert.is(refused, 'refused');
    await run(database, 'insert into kept (id) values (1)');
    assert.equal(await run(database, 'pragma integrity_check'), [{ integrity_check: 'ok' }]);
  }));

test('puts everything back before a statement that changes a table', () =>
  withFile(async (open) => {
    const database = await open();
    await bringTo(database, SKETCHES.slice(0, 1));
    await run(database, "insert into thing0 (thing0_title) values ('Zero')");
    const renamed: SchemaSketch[] = [{ ...(SKETCHES[0] as SchemaSketch), name: 'first', was: 'thing0' }];
    const others = SKETCHES.slice(2).filter(({ relations = [] }) => relations.length === 0);
    await bringTo(database, [...renamed, ...others]);
    assert.equal(await run(database, 'select first_title from first'), [{ first_title: 'Zero' }]);
    assert.equal(await run(database, 'pragma integrity_check'), [{ integrity_check: 'ok' }]);
  }));

test.run();
