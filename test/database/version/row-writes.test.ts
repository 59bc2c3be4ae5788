import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database, Dialect } from '../../../src/database/database.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { toTable } from '../../../src/database/version/read-note.ts';
import type { Basis, CountedTable } from '../../../src/database/version/table-version.ts';
import { openPlaced } from '../_where.ts';

const test = suite('database/version/row-writes');

const run = (database: Database, text: string): Promise<Row[]> => database.run(CompiledQuery.raw(text));

const TABLES = [
  'create table author (id integer primary key, name text, code text)',
  'create unique index author_code on author (code)',
  'create table note (id integer primary key, author integer references author (id) on delete cascade, parent integer references note (id) on delete set null, text text)',
  'create table pair (note integer not null references note (id) on delete cascade, author integer not null references author (id) on delete cascade, primary key (note, author))',
  'create table other (id integer primary key)',
];
const table = (name: string, columns: string[], more: Partial<CountedTable> = {}): CountedTable => ({
  name,
  primary: 'id',
  columns,
  unique: {},
  ...more,
});
const COUNTED = [
  table('author', ['id'], { unique: { author_code: { columns: ['code'] } } }),
  table('note', ['id', 'author', 'parent']),
  table('pair', ['note', 'author'], { primary: undefined }),
];

const ROWS = [
  "insert into author (id, name, code) values (1, 'A', 'a'), (2, 'B', 'b'), (3, 'C', 'c'), (4, 'D', 'd')",
  'insert into note (id, author, parent) values (1, 1, null), (2, 2, 1), (3, 3, null), (4, 4, null), (5, 1, 4)',
  'insert into pair (note, author) values (1, 2), (2, 3), (3, 3)',
];

/** Every source that is looked at. */
const SOURCES = [
  ...['author', 'note', 'pair'],
  ...[1, 2, 3, 4, 9].flatMap((id) => [`author@id#${id}`, `note@author#${id}`, `pair@author#${id}`]),
  ...[1, 2, 3, 4, 5, 9].flatMap((id) => [`note@id#${id}`, `note@parent#${id}`, `pair@note#${id}`]),
];
const ALL_NOTES = SOURCES.filter((source) => source.startsWith('note'));
const ALL_AUTHORS = SOURCES.filter((source) => source.startsWith('author'));

interface Write {
  readonly text: string;
  readonly changed: readonly string[];
  /** The tables that are looked at; by foreign keys it may change more. Default: all. */
  readonly of?: readonly string[];
  readonly only?: Dialect;
}

const WRITES: readonly Write[] = [
  { text: 'insert into note (id, author) values (9, 2)', changed: ['note', 'note@id#9', 'note@author#2'] },
  { text: 'insert into note (id) values (9)', changed: ['note', 'note@id#9'] },
  { text: "update note set text = 'x' where id = 2", changed: ['note', 'note@id#2', 'note@author#2', 'note@parent#1'] },
  {
    text: 'update note set author = 3 where id = 2',
    changed: ['note', 'note@id#2', 'note@author#2', 'note@author#3', 'note@parent#1'],
  },
  { text: 'update note set author = null where id = 1', changed: ['note', 'note@id#1', 'note@author#1'] },
  { text: 'update note set author = 4 where id = 1', changed: ['note', 'note@id#1', 'note@author#1', 'note@author#4'] },
  {
    text: 'update note set id = 9 where id = 5',
    changed: ['note', 'note@id#5', 'note@id#9', 'note@author#1', 'note@parent#4'],
  },
  {
    text: 'delete from note where id = 5',
    of: ['note'],
    changed: ['note', 'note@id#5', 'note@author#1', 'note@parent#4'],
  },
  {
    text: 'delete from note where id = 4',
    of: ['note'],
    changed: ['note', 'note@id#4', 'note@author#4', 'note@id#5', 'note@author#1', 'note@parent#4'],
  },
  {
    text: 'delete from author where id = 4',
    changed: ['author', 'author@id#4', 'note', 'note@id#4', 'note@author#4'].concat([
      'note@id#5',
      'note@author#1',
      'note@parent#4',
    ]),
  },
  { text: 'insert into pair (note, author) values (5, 4)', changed: ['pair', 'pair@note#5', 'pair@author#4'] },
  { text: 'delete from pair where note = 2', changed: ['pair', 'pair@note#2', 'pair@author#3'] },
  {
    text: 'update pair set author = 1 where note = 2',
    changed: ['pair', 'pair@note#2', 'pair@author#3', 'pair@author#1'],
  },
  { text: 'update note set author = 2 where id = 77', changed: [] },
  { text: 'insert into other (id) values (1)', changed: [] },
  {
    text: "insert into note (id, author) values (9, 2) on conflict (id) do update set text = 'y'",
    changed: ['note', 'note@id#9', 'note@author#2'],
  },
  {
    text: 'truncate note cascade',
    only: 'postgres',
    changed: [...ALL_NOTES, ...SOURCES.filter((one) => one.startsWith('pair'))],
  },
  {
    text: 'insert or replace into note (id, author) values (9, 2)',
    only: 'sqlite',
    changed: ['note', 'note@id#9', 'note@author#2'],
  },
  // The replaced row leaves without its trigger: then any row counts.
  { text: 'replace into note (id, author) values (3, 2)', of: ['note'], only: 'sqlite', changed: ALL_NOTES },
  { text: "replace into author (id, code) values (9, 'b')", of: ['author'], only: 'sqlite', changed: ALL_AUTHORS },
  {
    text: "update or replace author set code = 'a' where id = 3",
    of: ['author'],
    only: 'sqlite',
    changed: ALL_AUTHORS,
  },
  { text: 'update or replace note set id = 3 where id = 5', of: ['note'], only: 'sqlite', changed: ALL_NOTES },
  {
    text: "insert or ignore into author (id, code) values (9, 'z')",
    only: 'sqlite',
    changed: ['author', 'author@id#9'],
  },
  {
    text: 'update or replace pair set author = 3 where note = 2',
    only: 'sqlite',
    changed: ['pair', 'pair@note#2', 'pair@author#3'],
  },
];

test('a write tells the rows that it changed, by their own key and by those that they refer to, before and after', async () => {
  for (const { text, changed, only, of } of WRITES) {
    const database = await openPlaced();
    try {
      if (only !== undefined && only !== database.dialect) continue;
      for (const line of TABLES) await run(database, line);
      await database.trackTables(COUNTED);
      for (const line of ROWS) await run(database, line);
      const versions = await database.tableVersions();
      const made = new Map<string, Basis>(SOURCES.map((source) => [source, versions.basisOf([source])]));
      await run(database, text);
      const now = await database.tableVersions();
      for (const [source, basis] of made) {
        if (of && !of.includes(toTable(source))) continue;
        assert.is(!now.holds(basis), changed.includes(source), `${text}: ${source}`);
      }
    } finally {
      await database.close();
    }
  }
});

test('a table tells its rows only while every trigger is in place', async () => {
  const database = await openPlaced();
  try {
    for (const line of TABLES) await run(database, line);
    await database.trackTables(COUNTED);
    const places = async (source: string) => (await database.tableVersions()).basisOf([source]).places;
    assert.is((await places('note@id#1'))?.length, 2);
    assert.is((await places('note@text#1'))?.length, 1, 'the whole table');
    if (database.dialect === 'sqlite') {
      await run(database, 'create unique index note_text on note (text)');
      assert.is((await places('note@id#1'))?.length, 1, 'replace could remove rows by an index that no trigger knows');
      await run(database, 'drop trigger treadle_version_note_update');
    } else await run(database, 'alter table note disable trigger treadle_version_update');
    assert.is(await places('note@id#1'), undefined);
    const before = (await database.tableVersions()).basisOf(['author@id#1']);
    await database.trackTables(COUNTED);
    if (database.dialect === 'postgres') await run(database, 'alter table note enable trigger treadle_version_update');
    assert.ok(await places('note'));
    assert.not.ok((await database.tableVersions()).holds(before), 'what was made before is read again');
  } finally {
    await database.close();
  }
});

test('looking for a row in the way of a unique value takes an index, also a partial one', async () => {
  const database = await openPlaced();
  try {
    if (database.dialect !== 'sqlite') return;
    await run(database, 'create table word (id integer primary key, code text, kind text, active integer)');
    await run(database, 'create unique index word_code on word (code) where active = 1');
    await run(database, 'create unique index word_kind on word (kind, code)');
    const unique = { word_code: { columns: ['code'], only: 'active' }, word_kind: { columns: ['kind', 'code'] } };
    await database.trackTables([table('word', ['id'], { unique })]);
    const triggers = await run(database, "select sql from sqlite_schema where type = 'trigger' and sql like '%WHEN%'");
    const looks = triggers.flatMap(({ sql }) => [...String(sql).matchAll(/exists \((select 1 from [^)]*)\)/g)]);
    assert.is(looks.length, 6);
    for (const [, look = ''] of looks) {
      const plan = await run(database, `explain query plan ${look.replace(/new\."\w+"/g, "'x'")}`);
      assert.match(String(plan[0]?.detail), /^SEARCH/, look);
    }
    await run(database, "insert into word (id, code, active) values (1, 'a', 1), (2, 'a', 0)");
    const before = (await database.tableVersions()).basisOf(['word@id#1']);
    await run(database, 'update or replace word set active = 1 where id = 2');
    assert.not.ok((await database.tableVersions()).holds(before), 'the row with the same code is gone');
  } finally {
    await database.close();
  }
});

test('a process that only writes keeps few notes of its writes', async () => {
  const database = await openPlaced();
  try {
    for (const line of TABLES) await run(database, line);
    await database.trackTables(COUNTED);
    await database.tableVersions();
    const count = async () => Number((await run(database, 'select count(*) as n from treadle_change'))[0]?.n);
    for (let id = 1; id <= 8400; id += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, at) => run(database, `insert into author (id) values (${id + at})`)),
      );
    for (let left = 100; left > 0 && (await count()) > 6000; left -= 1) await database.write(async () => {});
    assert.ok((await count()) < 6000, `${await count()} notes`);
  } finally {
    await database.close();
  }
});

test('a hand that renames a noted column breaks no write', async () => {
  const database = await openPlaced();
  try {
    for (const line of TABLES) await run(database, line);
    await database.trackTables(COUNTED);
    await run(database, 'alter table note rename column parent to origin');
    const before = (await database.tableVersions()).basisOf(['note@id#1']);
    await run(database, 'insert into note (id) values (1)');
    assert.not.ok((await database.tableVersions()).holds(before));
  } finally {
    await database.close();
  }
});

test('after thousands of writes the tables that were written are told, and no others', async () => {
  const database = await openPlaced();
  try {
    for (const line of TABLES) await run(database, line);
    await database.trackTables(COUNTED);
    await run(database, ROWS[0] as string);
    const versions = await database.tableVersions();
    const [notes, author] = [versions.basisOf(['note@id#99999']), versions.basisOf(['author@id#1'])];
    await database.write(async () => {
      for (let part = 0; part < 5; part += 1)
        await run(
          database,
          `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000) insert into note (id) select ${part * 1000} + i from n`,
        );
    });
    const now = await database.tableVersions();
    assert.equal([now.holds(notes), now.holds(author)], [false, true]);
    const again = now.basisOf(['note@id#99999']);
    await database.write(async () => {});
    // What nobody needs is dropped.
    await database.write(() => run(database, 'insert into note (id) values (100000)'));
    assert.ok((await database.tableVersions()).holds(again));
    const [kept] = await run(database, 'select count(*) as count from treadle_change');
    assert.ok(Number(kept?.count) < 2000, `${kept?.count} writes are kept`);
  } finally {
    await database.close();
  }
});

test.run();
