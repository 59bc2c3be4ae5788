import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLog } from '../../../src/core/log/log.ts';
import type { Database } from '../../../src/database/database.ts';
import { openDatabase } from '../../../src/database/open.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import type { Basis, CountedTable } from '../../../src/database/version/table-version.ts';
import { only, openPlaced, placeUrl, removePlace, unlessAlone } from '../_where.ts';

const test = suite('database/version/table-version');

const run = (database: Database, text: string): Promise<Row[]> => database.run(CompiledQuery.raw(text));
const basis = async (database: Database, ...sources: string[]): Promise<Basis> =>
  (await database.tableVersions()).basisOf(sources);
const holds = async (database: Database, made: Basis): Promise<boolean> => (await database.tableVersions()).holds(made);
const count = async (database: Database): Promise<number> =>
  Number((await run(database, 'select count(*) as n from note'))[0]?.n);

const TABLES = [
  'create table author (id integer primary key, name text)',
  'create table note (id integer primary key, author integer references author (id) on delete cascade, text text)',
  'create table treadle_traffic (id integer primary key, n integer)',
];

const counted = (name: string, ...keys: string[]): CountedTable => ({
  name,
  primary: 'id',
  columns: ['id', ...keys],
  unique: {},
});
const COUNTED = [counted('author'), counted('note', 'author')];

async function make(database: Database): Promise<void> {
  for (const text of TABLES) await run(database, text);
  await database.trackTables(COUNTED);
}

/** Two processes on one database. */
async function withTwo(fn: (left: Database, right: Database) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'treadle-table-version-'));
  const url = placeUrl('app.db');
  const open = (): Promise<Database> => openDatabase({ url, root, log: silentLog, clock: systemClock });
  const [left, right] = [await open(), await open()];
  try {
    await make(left);
    await right.trackTables(COUNTED);
    await fn(left, right);
  } finally {
    await left.close();
    await right.close();
    await removePlace(url);
    rmSync(root, { recursive: true, force: true });
  }
}

/** A write, and the tables with a new version after it. */
const WRITES: [text: string, tables: string[]][] = [
  ["insert into author (id, name) values (1, 'A'), (2, 'B'), (3, 'C')", ['author']],
  ['insert into note (id, author) values (1, 1), (2, 2), (3, 3)', ['note']],
  ["insert into note (id, text) values (1, 'x') on conflict (id) do update set text = excluded.text", ['note']],
  ['insert into treadle_traffic (id, n) values (1, 1)', []],
  ['update treadle_traffic set n = n + 1', []],
  ["update author set name = 'D' where id = 1", ['author']],
  ["with known as (select id from author) update note set text = 'y' where author in (select id from known)", ['note']],
  ['delete from author where id = 1', ['author', 'note']],
  ['delete from note where id = 2', ['note']],
  ['delete from treadle_traffic', []],
];

test('each write of a table, raw or by a cascade, is told of that table alone', async () => {
  const database = await openPlaced();
  try {
    await make(database);
    for (const [text, tables] of WRITES) {
      const before = { author: await basis(database, 'author'), note: await basis(database, 'note') };
      const both = await basis(database, 'author', 'note');
      await run(database, text);
      for (const name of ['author', 'note'] as const)
        assert.is(await holds(database, before[name]), !tables.includes(name), `${text}: ${name}`);
      assert.is(await holds(database, both), tables.length === 0, text);
    }
  } finally {
    await database.close();
  }
});

only(
  'postgres',
  'database/version/table-version',
  test,
)('an emptied table is told', async () => {
  const database = await openPlaced();
  try {
    await make(database);
    const before = [await basis(database, 'note'), await basis(database, 'note@id#5')];
    await run(database, 'truncate note');
    for (const made of before) assert.not.ok(await holds(database, made));
  } finally {
    await database.close();
  }
});

test('a table that nothing counts has the version of the whole database', async () => {
  const database = await openPlaced();
  try {
    for (const text of TABLES) await run(database, text);
    const whole = async (...tables: string[]): Promise<boolean> =>
      (await basis(database, ...tables)).places === undefined;
    assert.ok(await whole('note'));
    await database.trackTables([counted('note')]);
    await run(database, 'insert into author (id) values (1)');
    assert.not.ok(await whole('note'));
    for (const tables of [['author'], ['note', 'author'], ['nothing'], []]) assert.ok(await whole(...tables));
    await run(database, 'alter table note rename to remark');
    if (database.dialect === 'sqlite') assert.ok(await whole('remark'));
    await run(database, 'insert into author (id) values (2)');
    assert.ok(await whole('note'));
    await database.trackTables([counted('remark')]);
    const before = await basis(database, 'remark');
    await run(database, 'insert into remark (id) values (1)');
    assert.not.ok(await whole('remark'));
    assert.not.ok(await holds(database, before));
    await run(database, 'drop table remark');
    await run(database, 'create table remark (id integer primary key)');
    assert.ok(await whole('remark'), 'a table of that name made later');
  } finally {
    await database.close();
  }
});

test('tables are tracked once: a second time writes nothing', async () => {
  const database = await openPlaced({ file: 'app.db', root: mkdtempSync(join(tmpdir(), 'treadle-track-')) });
  try {
    await make(database);
    const before = await database.structureVersion();
    const note = await basis(database, 'note');
    await database.trackTables(COUNTED);
    assert.is(await database.structureVersion(), before);
    assert.ok(await holds(database, note));
  } finally {
    await database.close();
  }
});

test('rebuilt words and migrations give every table another version', async () => {
  const database = await openPlaced();
  try {
    await database.touchTables?.();
    await make(database);
    for (const touch of [1, 2]) {
      const before = [await basis(database, 'author'), await basis(database, 'note@id#1')];
      await database.restructure(async () => database.touchTables());
      for (const made of before) assert.not.ok(await holds(database, made), `${touch}`);
    }
  } finally {
    await database.close();
  }
});

unlessAlone('database/version/table-version', test)('what another process commits is told, what is undone is not', () =>
  withTwo(async (left, right) => {
    for (const writer of [left, right]) {
      const before = await basis(left, 'note');
      await writer
        .write(async () => {
          await run(writer, 'insert into note (id) values (99)');
          throw new Error('undone');
        })
        .catch(() => {});
      await writer.write(() => run(writer, `insert into treadle_traffic (id) values (${writer === left ? 1 : 2})`));
      assert.ok(await holds(left, before));
      await writer.write(async () => {
        await run(writer, `insert into note (id) values (${writer === left ? 1 : 2})`);
        if (left.dialect === 'sqlite' && writer === right) assert.ok(await holds(left, before));
      });
      assert.not.ok(await holds(left, before));
    }
  }),
);

only(
  'server',
  'database/version/table-version',
  test,
)('transactions that commit in another order are each told', () =>
  withTwo(async (left, right) => {
    const first = await basis(right, 'note@id#1');
    const second = await basis(right, 'note@id#2');
    const table = await basis(right, 'note');
    const between = await left.transaction(async () => {
      await run(left, 'insert into note (id) values (1)');
      await right.write(() => run(right, 'insert into note (id) values (2)'));
      assert.equal([await holds(right, first), await holds(right, second)], [true, false]);
      assert.not.ok(await holds(right, table));
      return basis(right, 'note');
    });
    assert.equal([await holds(right, first), await holds(right, between)], [false, false]);
  }),
);

unlessAlone('database/version/table-version', test)(
  'a remembered count knows of every commit that its reader could know of',
  () =>
    withTwo(async (left, right) => {
      const state = { committed: 0, isDone: false, kept: 0 };
      const write = async (database: Database, from: number): Promise<void> => {
        for (let id = from; id < from + 40; id += 1) {
          await database.write(() => run(database, `insert into note (id) values (${id})`));
          state.committed += 1;
          await database.write(() => run(database, `insert into treadle_traffic (id, n) values (${id}, 1)`));
        }
      };
      const read = async (database: Database): Promise<void> => {
        const known: { made: Basis | undefined; count: number } = { made: undefined, count: 0 };
        while (!state.isDone) {
          const { committed } = state;
          const now = await database.tableVersions();
          if (known.made && now.holds(known.made)) state.kept += 1;
          else Object.assign(known, { made: now.basisOf(['note']), count: await count(database) });
          assert.ok(known.count >= committed, `${known.count} rows were told, ${committed} were committed`);
        }
      };
      const readers = [read(left), read(right), read(left)];
      await Promise.all([write(left, 1000), write(right, 2000), write(left, 3000)]).finally(() => {
        state.isDone = true;
      });
      await Promise.all(readers);
      assert.is(await count(left), 120);
      assert.ok(state.kept > 0, 'traffic leaves the count in place');
    }),
);

test.run();
