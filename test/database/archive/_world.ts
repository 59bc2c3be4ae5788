import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLog } from '../../../src/core/log/log.ts';
import { describe } from '../../../src/database/archive/describe.ts';
import { readCounter, readRows } from '../../../src/database/archive/read-rows.ts';
import type { ArchiveTable, EncodedRow, RowSource } from '../../../src/database/archive/shape.ts';
import { Digest } from '../../../src/database/archive/value.ts';
import { type BackupOptions, type BackupResult, writeArchive } from '../../../src/database/archive/write.ts';
import type { Database } from '../../../src/database/database.ts';
import { openDatabase } from '../../../src/database/open.ts';
import type { Table } from '../../../src/database/table.ts';

export const run = (database: Database, text: string, parameters: readonly unknown[] = []) =>
  database.run(CompiledQuery.raw(text), parameters);

/** A temporary folder. */
export async function withFolder(fn: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'treadle-archive-'));
  try {
    await fn(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const openFile = (folder: string, name: string): Promise<Database> =>
  openDatabase({ url: `sqlite:${name}`, root: folder, log: silentLog, clock: systemClock });

/**
 * Every kind of column, composite keys, tables that refer to each other and to themselves, and a table without a key.
 */
const TABLES = [
  `create table author (author_id integer primary key autoincrement, author_name text not null,
    favourite_id integer references book (book_id) on delete set null)`,
  `create table book (book_id integer primary key autoincrement, book_title text not null default 'It''s new',
    book_wide integer, book_price real, book_facts text, book_cover blob, book_active integer default 1,
    author_id integer not null references author (author_id) on delete restrict,
    part_of_id integer references book (book_id) on delete set null)`,
  'create unique index book_title_unique on book (book_title)',
  'create index author_id_index on book (author_id, book_active)',
  `create table book_tag (book_id integer not null references book (book_id) on delete cascade, tag_id integer not null, primary key (book_id, tag_id))`,
  'create table treadle_session (id text primary key not null, data text)',
  'create table keyless (word text, number integer)',
];

/** The JSON columns: on SQLite only the model knows them. */
export const WANTED: readonly Table[] = [
  {
    name: 'book',
    columns: [{ name: 'book_facts', type: 'jsonb', isRequired: false }],
    primaryKey: ['book_id'],
    isCounting: true,
    indexes: [],
  },
];

export const TEXTS = [
  'plain',
  '',
  ' blanks ',
  'it\'s "quoted" \\ and \u2028 broken\nup\ttoo',
  'שלום עולם',
  'नमस्ते',
  'e\u0301 is not \u00e9',
  '👩‍👩‍👧‍👦 \u{10ffff}',
  'null',
  '\u0001i:12',
];
const WIDE = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '9007199254740991', '0', null];
const REALS = [0.1, -0, 1e300, 5e-324, 123456789.12345679, Number.POSITIVE_INFINITY, 3, null];
const FACTS = [
  '{"b":1,"a":{"z":[1,2,{"y":null}],"é":"\\u00e9"}}',
  '[]',
  '"text"',
  '1.50',
  'true',
  null,
  '{"10":1,"9":2}',
];

/**
 * Fills the tables; the last author and the last book are removed, so that the next id is not the highest id plus
 * one.
 */
export async function fillWorld(database: Database, books = 40): Promise<void> {
  // Without a time limit: thousands of rows on a busy machine.
  await database.restructure(async () => {
    for (const text of TABLES) await run(database, text);
    for (const [index, name] of TEXTS.entries()) {
      await run(database, 'insert into author (author_id, author_name) values (?, ?)', [index + 1, name]);
    }
    for (let index = 0; index < books; index += 1) {
      const wide = WIDE[index % WIDE.length] ?? null;
      await run(
        database,
        `insert into book (book_id, book_title, book_wide, book_price, book_facts, book_cover, book_active, author_id, part_of_id)
          values (?, ?, cast(? as integer), ?, ?, ?, ?, ?, ?)`,
        [
          index + 1,
          `${TEXTS[index % TEXTS.length]} ${index}`,
          wide,
          REALS[index % REALS.length],
          FACTS[index % FACTS.length],
          index % 3 === 0 ? null : Buffer.from([0, 255, index]),
          index % 5 === 0 ? 0 : 1,
          (index % TEXTS.length) + 1,
          index > 3 ? index - 2 : null,
        ],
      );
      await run(database, 'insert into book_tag (book_id, tag_id) values (?, ?), (?, ?)', [index + 1, 7, index + 1, 8]);
      await run(database, 'insert into keyless (word, number) values (?, ?), (?, null)', ['twice', 1, 'twice']);
    }
    await run(database, 'update author set favourite_id = author_id where author_id <= 5');
    await run(database, 'insert into treadle_session (id, data) values (?, ?), (?, ?)', ['b', '{}', 'a', null]);
    await run(database, 'insert into author (author_id, author_name) values (100, ?)', ['gone']);
    await run(database, 'delete from author where author_id = 100');
  });
}

/** Counts, checksums and counters of all tables, as text, without those specific to a database. */
export async function sumUp(database: Database): Promise<string[]> {
  const { tables } = await describe(database, WANTED);
  const lines: string[] = [];
  for (const table of tables.filter(({ name }) => !/^treadle_(journal|table|serving)/.test(name))) {
    const digest = new Digest(table);
    for await (const batch of readRows(database, table)) for (const row of batch) digest.add(row);
    lines.push(`${table.name} ${digest.rows} ${digest} ${await readCounter(database, table)}`);
  }
  return lines;
}

export function backUp(database: Database, file: string, options: Partial<BackupOptions> = {}): Promise<BackupResult> {
  return writeArchive({
    database,
    file,
    isReplacing: false,
    wanted: WANTED,
    project: 'Books',
    version: '0.0.0',
    at: '2026-01-15 09:30:00',
    uploads: undefined,
    ...options,
  });
}

/** Rows that no database has validated. */
export function toSource(tables: readonly ArchiveTable[], rows: Readonly<Record<string, EncodedRow[]>>): RowSource {
  return {
    dialect: 'sqlite',
    tables,
    async *read() {
      for (const table of tables) {
        const digest = new Digest(table);
        const batch = rows[table.name] ?? [];
        for (const row of batch) digest.add(row);
        if (batch.length > 0) yield { table: table.name, batch };
        yield { table: table.name, rows: digest.rows, sha256: String(digest) };
      }
    },
  };
}
