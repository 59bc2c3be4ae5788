import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Row } from '../../src/database/row-statement.ts';
import {
  createTableVersions,
  listReadTables,
  readVersion,
  recordReads,
  shareTables,
} from '../../src/database/table-version.ts';
import { only, openPlaced, placeUrl, removePlace, unlessAlone } from './_where.ts';

const test = suite('database/table-version');

const run = (database: Database, text: string): Promise<Row[]> => database.run(CompiledQuery.raw(text));
const version = async (database: Database, ...tables: string[]): Promise<string> =>
  String(await readVersion(database, tables));
const count = async (database: Database): Promise<number> =>
  Number((await run(database, 'select count(*) as n from note'))[0]?.n);

const TABLES = [
  'create table author (id integer primary key, name text)',
  'create table note (id integer primary key, author integer references author (id) on delete cascade, text text)',
  'create table treadle_traffic (id integer primary key, n integer)',
];

async function make(database: Database): Promise<void> {
  for (const text of TABLES) await run(database, text);
  await database.trackTables?.(['author', 'note']);
}

/** Two processes on one database. */
async function withTwo(fn: (left: Database, right: Database) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'treadle-table-version-'));
  const url = placeUrl('app.db');
  const open = (): Promise<Database> => openDatabase({ url, root, log: silentLog, clock: systemClock });
  const [left, right] = [await open(), await open()];
  try {
    await make(left);
    await right.trackTables?.(['author', 'note']);
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
      const before = { author: await version(database, 'author'), note: await version(database, 'note') };
      const both = await version(database, 'author', 'note');
      await run(database, text);
      for (const name of ['author', 'note'] as const)
        assert.is((await version(database, name)) !== before[name], tables.includes(name), `${text}: ${name}`);
      assert.is((await version(database, 'author', 'note')) !== both, tables.length > 0, text);
    }
  } finally {
    await database.close();
  }
});

only(
  'postgres',
  'database/table-version',
  test,
)('an emptied table is told', async () => {
  const database = await openPlaced();
  try {
    await make(database);
    const before = await version(database, 'note');
    await run(database, 'truncate note');
    assert.is.not(await version(database, 'note'), before);
  } finally {
    await database.close();
  }
});

test('a table that nothing counts has the version of the whole database', async () => {
  const database = await openPlaced();
  try {
    for (const text of TABLES) await run(database, text);
    const whole = async (...tables: string[]): Promise<boolean> => {
      const versions = await database.tableVersions?.();
      return versions?.of(tables) === versions?.whole;
    };
    assert.ok(await whole('note'));
    await database.trackTables?.(['note']);
    await run(database, 'insert into author (id) values (1)');
    assert.not.ok(await whole('note'));
    for (const tables of [['author'], ['note', 'author'], ['nothing'], []]) assert.ok(await whole(...tables));
    await run(database, 'alter table note rename to remark');
    if (database.dialect === 'sqlite') assert.ok(await whole('remark'));
    await run(database, 'insert into author (id) values (2)');
    assert.ok(await whole('note'));
    await database.trackTables?.(['remark']);
    const before = await version(database, 'remark');
    await run(database, 'insert into remark (id) values (1)');
    assert.not.ok(await whole('remark'));
    assert.is.not(await version(database, 'remark'), before);
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
    const before = [await database.structureVersion(), await version(database, 'note')];
    await database.trackTables?.(['author', 'note']);
    assert.equal([await database.structureVersion(), await version(database, 'note')], before);
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
      const before = { author: await version(database, 'author'), note: await version(database, 'note') };
      await database.restructure(async () => database.touchTables?.());
      assert.is.not(await version(database, 'author'), before.author, `${touch}`);
      assert.is.not(await version(database, 'note'), before.note);
    }
  } finally {
    await database.close();
  }
});

unlessAlone('database/table-version', test)('what another process commits is told, what is undone is not', () =>
  withTwo(async (left, right) => {
    for (const writer of [left, right]) {
      const before = await version(left, 'note');
      await writer
        .write(async () => {
          await run(writer, 'insert into note (id) values (99)');
          throw new Error('undone');
        })
        .catch(() => {});
      await writer.write(() => run(writer, `insert into treadle_traffic (id) values (${writer === left ? 1 : 2})`));
      assert.is(await version(left, 'note'), before);
      await writer.write(async () => {
        await run(writer, `insert into note (id) values (${writer === left ? 1 : 2})`);
        if (left.dialect === 'sqlite' && writer === right) assert.is(await version(left, 'note'), before);
      });
      assert.is.not(await version(left, 'note'), before);
    }
  }),
);

only(
  'server',
  'database/table-version',
  test,
)('transactions that commit in another order are each told', () =>
  withTwo(async (left, right) => {
    const seen = new Set([await version(left, 'note')]);
    await left.transaction(async () => {
      await run(left, 'insert into note (id) values (1)');
      await right.write(() => run(right, 'insert into note (id) values (2)'));
      seen.add(await version(right, 'note'));
    });
    seen.add(await version(right, 'note'));
    assert.is(seen.size, 3);
  }),
);

unlessAlone('database/table-version', test)(
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
        const known = { version: '', count: 0 };
        while (!state.isDone) {
          const { committed } = state;
          const now = await version(database, 'note');
          if (now === known.version) state.kept += 1;
          else Object.assign(known, { version: now, count: await count(database) });
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

test('a statement tells which tables it reads, or that it cannot be told', () => {
  const cases: [statements: string[], tables: string[] | undefined][] = [
    [['select count(*) as total from "note" as t where "t"."id" = ?'], ['note']],
    [['select * from "note" as "t" left join "author" as j1 on j1.id = t.author'], ['author', 'note']],
    [
      [
        'select 1 from "note" as t where exists (select 1 from "tag" as r where r.a in (select value from json_each(?)))',
      ],
      ['note', 'tag'],
    ],
    [['select count(*) from "treadle_words_note_fts" as w cross join "note" as t where w match ?'], ['note']],
    [['select o.id from "treadle_words_author_fts" as w cross join "note" as o'], ['author', 'note']],
    [
      ['select * from "note"', 'select * from "author"'],
      ['author', 'note'],
    ],
    [['select * from note where a is distinct from "b"'], ['note']],
    [['select * from "note" as t, "author" as a'], undefined],
    [['select 1'], undefined],
    [[], undefined],
  ];
  for (const [statements, tables] of cases) assert.equal(listReadTables(statements), tables, statements.join('; '));
});

test('answers that were read from the same tables share one list and one version', async () => {
  const select = (text: string): string => `select ${text} from note join author on author.id = note.author`;
  assert.is(listReadTables([select('text')]), listReadTables(['select 1 from author', 'select 1 from note']));
  assert.is(listReadTables([select('name')]), shareTables(['note', 'author', 'note']));
  const versions = createTableVersions(
    'whole',
    '1',
    new Map([
      ['author', 'a'],
      ['note', 'n'],
    ]),
  );
  assert.is(versions.of(listReadTables([select('text')])), 'tables 1 a n');
  assert.is(versions.of(listReadTables([select('text')])), 'tables 1 a n', 'when asked again');
  assert.is(versions.of(['other']), 'whole');
  assert.is(versions.of(undefined), 'whole');
});

test('work tells the statements that it reads with, in a transaction too', async () => {
  const database = await openPlaced();
  try {
    await make(database);
    const { value, statements } = recordReads(async () => {
      await count(database);
      await database.transaction(() => run(database, 'select 1 from author'));
    });
    await value;
    assert.equal([...statements], ['select count(*) as n from note', 'select 1 from author']);
  } finally {
    await database.close();
  }
});

test.run();
