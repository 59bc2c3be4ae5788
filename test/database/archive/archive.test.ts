import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TreadleError } from '../../../src/core/errors.ts';
import { Archive } from '../../../src/database/archive/read-archive.ts';
import { replaceAll } from '../../../src/database/archive/replace.ts';
import { type RestoreOptions, restoreArchive } from '../../../src/database/archive/restore.ts';
import type { ArchiveTable, EncodedRow } from '../../../src/database/archive/shape.ts';
import { encode } from '../../../src/database/archive/value.ts';
import type { Database } from '../../../src/database/database.ts';
import { findServedMode, type ServedMode, servingTable, writeServedMode } from '../../../src/database/served-mode.ts';
import { createSystemTable } from '../../../src/database/table.ts';
import { createTableSql } from '../../../src/database/table-sql.ts';
import { outsideTransaction } from '../../../src/database/transaction.ts';
import { only, openPlaced, unlessAlone } from '../_where.ts';
import { backUp, fillWorld, openFile, run, sumUp, toSource, withFolder } from './_world.ts';

const test = suite('database/archive');

const restore = (archive: Archive, database: Database, options: Partial<RestoreOptions> = {}) =>
  restoreArchive({ archive, database, desired: undefined, allowLoss: false, uploads: undefined, ...options });

/** A filled SQLite database, its backup, and an empty place in the dialect of this run. */
async function withBackup(fn: (given: Given) => Promise<void>, books?: number): Promise<void> {
  await withFolder(async (folder) => {
    const source = await openFile(folder, 'source.db');
    const target = await openPlaced({ file: 'target.db', root: folder });
    try {
      await fillWorld(source, books);
      const file = join(folder, 'backup.treadle');
      await backUp(source, file);
      await fn({ folder, source, target, file });
    } finally {
      await source.close();
      await target.close();
    }
  });
}

interface Given {
  readonly folder: string;
  readonly source: Database;
  readonly target: Database;
  readonly file: string;
}

const failureOf = async (promise: Promise<unknown>): Promise<TreadleError> => {
  try {
    await promise;
  } catch (error) {
    return error as TreadleError;
  }
  throw new Error('It did not fail.');
};

test('what SQLite gave comes back whole from this database, and from there into SQLite again', async () => {
  await withBackup(async ({ folder, source, target, file }) => {
    const before = await sumUp(source);
    const { sums } = await restore(await Archive.open(file), target);
    assert.is(sums.find(({ table }) => table === 'book')?.rows, 40);
    assert.equal(await sumUp(target), before);
    const second = join(folder, 'second.treadle');
    await backUp(target, second);
    const last = await openFile(folder, 'last.db');
    await restore(await Archive.open(second), last);
    assert.equal(await sumUp(last), before);
    const [row] = await run(
      last,
      'select typeof(book_wide) as type, cast(book_wide as text) as text from book where book_id = 1',
    );
    assert.equal(row, { type: 'integer', text: '9223372036854775807' });
    await last.close();
  });
});

test('keys, uniqueness, defaults and delete rules hold afterwards, and numbers are not given again', async () => {
  await withBackup(async ({ target, file }) => {
    await restore(await Archive.open(file), target);
    const insert = async (title: string, author: number): Promise<number> => {
      const text = `insert into book (book_title, author_id) values ('${title}', ${author}) returning book_id`;
      return Number((await target.write(() => run(target, text)))[0]?.book_id);
    };
    assert.is((await failureOf(insert('lost', 4711))).code, 'DATABASE_CONSTRAINT');
    assert.is((await failureOf(insert('plain 0', 1))).code, 'DATABASE_CONSTRAINT');
    assert.is(
      (await failureOf(target.write(() => run(target, 'delete from author where author_id = 1')))).code,
      'DATABASE_CONSTRAINT',
    );
    assert.ok((await insert('new', 1)) > 40);
    const [author] = await target.write(() =>
      run(target, "insert into author (author_name) values ('A') returning author_id"),
    );
    assert.is(Number(author?.author_id), 101, 'the number of a row that is gone is not given again');
    await target.write(() => run(target, 'delete from book where book_id = 2'));
    assert.equal(await run(target, 'select tag_id from book_tag where book_id = 2'), []);
    const [plain] = await target.write(() =>
      run(target, 'insert into book (author_id) values (1) returning book_title, book_active'),
    );
    assert.equal({ ...plain }, { book_title: "It's new", book_active: 1 });
  });
});

test('a backup shows one moment, even while others write', async () => {
  await withFolder(async (folder) => {
    const source = await openFile(folder, 'source.db');
    await fillWorld(source, 300);
    const before = await sumUp(source);
    let written = 0;
    const waiting: Promise<unknown>[] = [];
    const result = await backUp(source, join(folder, 'backup.treadle'), {
      progress() {
        written += 1;
        const writes = outsideTransaction(() => [
          source.write(() => run(source, 'insert into keyless (word) values (?)', [`late ${written}`])),
          source.write(() => run(source, 'delete from book_tag where book_id = ?', [written])),
        ]);
        waiting.push(...writes);
      },
    });
    await Promise.all(waiting);
    const last = await openFile(folder, 'last.db');
    await restore(await Archive.open(join(folder, 'backup.treadle')), last);
    assert.equal(await sumUp(last), before);
    assert.ok(written > 3);
    assert.not.equal(await sumUp(source), before);
    assert.is(
      result.rows,
      before.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0),
    );
    await source.close();
    await last.close();
  });
});

test('the file is its owner’s only, is whole or not there, and replaces none unless told', async () => {
  await withBackup(async ({ folder, source, file }) => {
    if (process.platform !== 'win32') assert.is(statSync(file).mode & 0o777, 0o600);
    const bytes = readFileSync(file);
    const refused = await failureOf(backUp(source, file));
    assert.is(refused.code, 'ARCHIVE_EXISTS');
    assert.equal(readFileSync(file), bytes);
    const broken = await failureOf(
      backUp(source, join(folder, 'other.treadle'), {
        progress() {
          throw new Error('the disk is full');
        },
      }),
    );
    assert.is(broken.message, 'the disk is full');
    assert.equal(
      readdirSync(folder).filter((name) => name.includes('treadle')),
      ['backup.treadle'],
      'nothing half-written is left',
    );
    await backUp(source, file, { isReplacing: true });
    assert.is((await failureOf(backUp(source, join(file, 'in-a-file')))).code, 'WRITE_TARGET_INVALID');
    const folderName = join(folder, 'a-folder');
    await mkdir(folderName);
    assert.is((await failureOf(backUp(source, folderName, { isReplacing: true }))).code, 'WRITE_TARGET_INVALID');
  });
});

const edit =
  (change: (lines: string[]) => unknown) =>
  (bytes: Buffer): Buffer => {
    const lines = gunzipSync(bytes).toString('utf8').split('\n');
    change(lines);
    return gzipSync(lines.join('\n'));
  };
const find = (lines: readonly string[], part: string): number => lines.findIndex((line) => line.includes(part));

const BROKEN: readonly (readonly [string, RegExp, string, (bytes: Buffer) => Buffer])[] = [
  ['cut off in the middle', /end is missing/, 'ARCHIVE_BROKEN', (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ['cut off before the last byte', /end is missing/, 'ARCHIVE_BROKEN', (bytes) => bytes.subarray(0, -1)],
  [
    'a byte changed',
    /bytes were changed|damaged/,
    'ARCHIVE_BROKEN',
    (bytes) => Buffer.concat([bytes.subarray(0, 900), Buffer.from([(bytes[900] ?? 0) ^ 0xff]), bytes.subarray(901)]),
  ],
  [
    'a value changed',
    /rows of author are not those/,
    'ARCHIVE_BROKEN',
    edit((lines) => {
      const at = find(lines, '"plain"');
      lines[at] = (lines[at] ?? '').replace('plain', 'plaim');
    }),
  ],
  [
    'a row taken out',
    /author has 9 rows instead of 10/,
    'ARCHIVE_BROKEN',
    edit((lines) => lines.splice(find(lines, '"plain"'), 1)),
  ],
  [
    'a row of another length',
    /another length, at row 1 of author/,
    'ARCHIVE_BROKEN',
    edit((lines) => {
      lines[find(lines, '"plain"')] = '[1]';
    }),
  ],
  [
    'a value of no kind',
    /value of no kind, at row 1 of author/,
    'ARCHIVE_BROKEN',
    edit((lines) => {
      lines[find(lines, '"plain"')] = '[1,{"x":"1"},null]';
    }),
  ],
  [
    'a line that is not JSON',
    /cannot be read, at row 1 of author/,
    'ARCHIVE_BROKEN',
    edit((lines) => {
      lines[find(lines, '"plain"')] = '[1,';
    }),
  ],
  ['no end', /end is missing/, 'ARCHIVE_BROKEN', edit((lines) => lines.splice(-2, 1))],
  ['something after the end', /something follows/, 'ARCHIVE_BROKEN', edit((lines) => lines.splice(-1, 0, '[1]'))],
  [
    'a table taken out',
    /comes where it does not belong/,
    'ARCHIVE_BROKEN',
    edit((lines) => {
      const from = find(lines, '{"table":"author"}');
      lines.splice(from, find(lines, '{"end":"author"') - from + 1);
    }),
  ],
  [
    'another counter',
    /lines are not those/,
    'ARCHIVE_BROKEN',
    edit((lines) => {
      const at = find(lines, '{"end":"author"');
      lines[at] = (lines[at] ?? '').replace('"counter":100', '"counter":5');
    }),
  ],
  [
    'a first line without its tables',
    /first line/,
    'ARCHIVE_BROKEN',
    edit((lines) => {
      lines[0] = JSON.stringify({ ...JSON.parse(lines[0] ?? ''), tables: 'none' });
    }),
  ],
  [
    'a newer form',
    /newer Treadle/,
    'ARCHIVE_UNKNOWN',
    edit((lines) => {
      lines[0] = (lines[0] ?? '').replace('"format":1', '"format":3');
    }),
  ],
  ['a first line without end', /more than 8000000 characters/, 'ARCHIVE_BROKEN', () => gzipSync('x'.repeat(9_000_000))],
  [
    'a row that unpacks to a thousand times its size',
    /more than 32000000 characters/,
    'ARCHIVE_BROKEN',
    edit((lines) => {
      lines[find(lines, '"plain"')] = `["${'x'.repeat(33_000_000)}"]`;
    }),
  ],
  ['another compressed file', /is not an archive/, 'ARCHIVE_UNKNOWN', () => gzipSync('{"name":"package"}\n')],
  ['no compressed file', /is not an archive/, 'ARCHIVE_UNKNOWN', () => Buffer.from('hello')],
  ['an empty file', /end is missing|is empty/, 'ARCHIVE', () => Buffer.alloc(0)],
  [
    'a file that leads out of its folder',
    /leads out of the folder/,
    'ARCHIVE_BROKEN',
    edit((lines) => {
      lines[0] = (lines[0] ?? '').replace('"hasFiles":false', '"hasFiles":true');
      lines.splice(-2, 0, '{"file":"../../etc/passwd","bytes":1}');
    }),
  ],
];

test('a damaged backup changes nothing, and says what is wrong with it', async () => {
  await withBackup(async ({ folder, target, file }) => {
    await restore(await Archive.open(file), target);
    const before = await sumUp(target);
    const bytes = await readFile(file);
    for (const [name, message, code, change] of BROKEN) {
      const path = join(folder, 'broken.treadle');
      await writeFile(path, change(bytes));
      const failure = await failureOf(
        Archive.open(path).then((archive) => restore(archive, target, { allowLoss: true })),
      );
      assert.match(failure.code, code, name);
      assert.match(failure.message, message, name);
    }
    assert.is((await failureOf(Archive.open(join(folder, 'not-there')))).code, 'ARCHIVE_UNKNOWN');
    assert.is((await failureOf(Archive.open(folder))).code, 'ARCHIVE_UNKNOWN');
    assert.equal(await sumUp(target), before);
  });
});

/** Invalid data of a foreign database: SQLite stores any value in a column. */
const REFUSED: readonly (readonly [string, RegExp])[] = [
  [
    "update book set book_wide = 'many' where book_id = 7",
    /row of book with book_id 7: book_wide is not a whole number/,
  ],
  ["update book set book_price = 'dear' where book_id = 8", /row of book with book_id 8: book_price is not a number/],
  ["update book set book_facts = '{broken' where book_id = 9", /row of book with book_id 9: book_facts is not JSON/],
  ['update book set book_facts = \'["\\ud800"]\' where book_id = 9', /book_id 9: book_facts has a character/],
  ['update book set book_wide = 1.5 where book_id = 7', /row of book with book_id 7: book_wide is not a whole number/],
];

for (const [change, message] of REFUSED) {
  only(
    'postgres',
    'database/archive',
    test,
  )(`a row that does not fit is named, and nothing changes: ${change}`, async () => {
    await withBackup(async ({ folder, source, target }) => {
      await source.write(() => run(source, change));
      const file = join(folder, 'unfit.treadle');
      await backUp(source, file);
      const failure = await failureOf(restore(await Archive.open(file), target));
      assert.is(failure.code, 'ARCHIVE_ROW_REFUSED');
      assert.match(failure.message, message);
      assert.equal(await sumUp(target), []);
    });
  });
}

const SHELF: ArchiveTable = {
  name: 'shelf',
  columns: [
    { name: 'shelf_id', kind: 'integer', isRequired: true },
    { name: 'shelf_name', kind: 'text', isRequired: true },
    {
      name: 'above_id',
      kind: 'integer',
      isRequired: false,
      references: { table: 'shelf', column: 'shelf_id', onDelete: 'set null' },
    },
  ],
  primaryKey: ['shelf_id'],
  isCounting: true,
  indexes: [{ name: 'shelf_name_unique', columns: ['shelf_name'], isUnique: true }],
};

const CONTRADICTING: readonly (readonly [EncodedRow[], RegExp])[] = [
  [
    [
      [1, 'a', null],
      [2, 'b', 1],
      [3, 'c', 4711],
    ],
    /row of shelf with shelf_id 3 has above_id 4711, a row of shelf, which does not exist/,
  ],
  [
    [
      [1, 'a', null],
      [2, 'a', null],
    ],
    /Two rows of shelf have the same value of shelf_name/,
  ],
  [
    [
      [1, 'a', null],
      [2, 'b', null],
      [1, 'c', null],
    ],
    /refuses the row of shelf with shelf_id 1: /,
  ],
  [
    [
      [1, 'a', null],
      [2, null, null],
    ],
    /refuses the row of shelf with shelf_id 2: shelf_name is empty/,
  ],
];

test('rows that contradict the rules of their table are named, and the old ones stay', async () => {
  await withBackup(async ({ target, file }) => {
    await restore(await Archive.open(file), target);
    const before = await sumUp(target);
    for (const [rows, message] of CONTRADICTING) {
      const source = toSource([SHELF], { shelf: rows });
      const failure = await failureOf(replaceAll({ database: target, source, desired: undefined, allowLoss: true }));
      assert.is(failure.code, 'ARCHIVE_ROW_REFUSED', failure.message);
      assert.match(failure.message, message);
      assert.equal(await sumUp(target), before);
    }
  });
});

/** What a trigger of the target does to a row that is loaded, and what is then told. */
const CHANGING: readonly (readonly [change: Record<Database['dialect'], string>, RegExp])[] = [
  [
    { sqlite: "update shelf set shelf_name = 'other' where shelf_id = 2;", postgres: "new.shelf_name := 'other';" },
    /the database has other values in shelf/,
  ],
  [
    { sqlite: 'delete from shelf where shelf_id = 2;', postgres: 'return null;' },
    /the database has 2 rows of shelf instead of 3/,
  ],
];

async function addTrigger(database: Database, change: Record<Database['dialect'], string>): Promise<void> {
  const when = 'on shelf for each row when (new.shelf_id = 2)';
  if (database.dialect === 'sqlite') {
    await run(database, `create trigger changing after insert ${when} begin ${change.sqlite} end`);
    return;
  }
  const body = `begin ${change.postgres} return new; end`;
  await run(database, `create function changing() returns trigger language plpgsql as '${body.replaceAll("'", "''")}'`);
  await run(database, `create trigger changing before insert ${when} execute function changing()`);
}

for (const [change, message] of CHANGING)
  test(`what the target stores in another way is noticed before the commit: ${change.sqlite.slice(0, 6)}`, async () => {
    await withBackup(async ({ target, file }) => {
      await restore(await Archive.open(file), target);
      const before = await sumUp(target);
      const rows = toSource([SHELF], { shelf: [1, 2, 3].map((id) => [id, `name ${id}`, null]) });
      const source: typeof rows = {
        ...rows,
        async *read() {
          // The table is there by now, and no row.
          await addTrigger(target, change);
          yield* rows.read();
        },
      };
      const failure = await failureOf(replaceAll({ database: target, source, desired: undefined, allowLoss: true }));
      assert.is(failure.code, 'ARCHIVE_DIFFERS', failure.message);
      assert.match(failure.message, message);
      assert.equal(await sumUp(target), before);
    });
  });

test('rows that are there are not given up unless told, and tables of others stay', async () => {
  await withBackup(async ({ target, file }) => {
    const archive = await Archive.open(file);
    await target.restructure?.(async () => {
      await run(target, 'create table mine (id integer primary key)');
      await run(target, 'insert into mine values (5)');
    });
    await restore(archive, target);
    const before = await sumUp(target);
    const failure = await failureOf(restore(archive, target));
    assert.is(failure.code, 'ARCHIVE_TARGET_LOSS');
    assert.match(
      failure.message,
      /has 210 rows, which would be lost: author \(10\), book \(40\), book_tag \(80\), keyless \(80\)\.$/,
    );
    const trial = await restore(archive, target, { isDryRun: true });
    assert.is(trial.lost, 210);
    await target.write(() => run(target, 'delete from keyless'));
    const again = await restore(archive, target, { allowLoss: true });
    assert.is(again.lost, 130);
    assert.equal(await sumUp(target), before);
    assert.equal(
      (await run(target, 'select id from mine')).map((row) => ({ ...row })),
      [{ id: 5 }],
    );
  });
});

const note = (database: Database, mode: ServedMode | undefined): Promise<void> =>
  database.transaction(async () => {
    const text = createTableSql(createSystemTable(servingTable, database.dialect), { dialect: database.dialect });
    await run(database, text);
    if (mode !== undefined) await writeServedMode(database, mode);
  });

test('in which mode a database was served is of the place: no backup changes it, and where it is unknown it is production’s', async () => {
  const modes = [undefined, 'development', 'production'] as const;
  for (const of of modes) {
    await withBackup(async ({ folder, source, file: bare }) => {
      await note(source, of);
      const file = join(folder, 'noted.treadle');
      await backUp(source, file);
      for (const path of [bare, file]) {
        for (const before of [...modes, 'no table'] as const) {
          const target = await openPlaced({ file: `${before}-${path === file}.db`, root: folder });
          const name = `a backup of ${of} into ${before}`;
          try {
            if (before !== 'no table') await note(target, before);
            const known = before === 'no table' ? undefined : before;
            const archive = await Archive.open(path);
            // The record that a database was served is not data to lose.
            assert.is((await restore(archive, target, { isDryRun: true })).served, known, name);
            assert.is((await restore(archive, target)).served, known, name);
            assert.is(await findServedMode(target), known ?? 'production', name);
            await restore(archive, target, { allowLoss: true });
            assert.is(await findServedMode(target), known ?? 'production', `${name}, again`);
          } finally {
            await target.close();
          }
        }
      }
    }, 8);
  }
});

test('what goes wrong at the very end leaves all as it was', async () => {
  await withBackup(async ({ target, file }) => {
    const archive = await Archive.open(file);
    await restore(archive, target);
    const before = await sumUp(target);
    const failure = await failureOf(
      replaceAll({
        database: target,
        source: archive,
        desired: undefined,
        allowLoss: true,
        beforeCommit: () => Promise.reject(new Error('no')),
      }),
    );
    assert.is(failure.message, 'no');
    assert.equal(await sumUp(target), before);
  });
});

unlessAlone('database/archive', test)(
  'whoever reads while it is restored sees all of the old, then all of the new',
  async () => {
    await withBackup(async ({ target, file }) => {
      const archive = await Archive.open(file);
      await restore(archive, target);
      await target.write(() => run(target, 'delete from book_tag'));
      const seen = new Set<number>();
      let isDone = false;
      const look = async (): Promise<void> => {
        while (!isDone) {
          const [tags, words] = await Promise.all([
            run(target, 'select count(*) as n from book_tag'),
            run(target, 'select count(*) as n from keyless'),
          ]);
          assert.is(Number(words[0]?.n), 80);
          seen.add(Number(tags[0]?.n));
        }
      };
      const looking = look();
      await restore(archive, target, { allowLoss: true });
      isDone = true;
      await looking;
      seen.add(Number((await run(target, 'select count(*) as n from book_tag'))[0]?.n));
      assert.equal(
        [...seen].sort((a, b) => a - b),
        [0, 80],
      );
    });
  },
);

test('uploaded files are restored, and no existing one is overwritten', async () => {
  await withBackup(async ({ folder, source, target }) => {
    const uploads = join(folder, 'upload');
    await mkdir(join(uploads, 'ab'), { recursive: true });
    const long = Buffer.alloc(150_001, 'x');
    writeFileSync(join(uploads, 'ab', 'long.bin'), long);
    writeFileSync(join(uploads, 'empty.txt'), '');
    writeFileSync(join(uploads, '.half'), 'half');
    const file = join(folder, 'files.treadle');
    assert.is((await backUp(source, file, { uploads })).files, 2);
    const archive = await Archive.open(file);
    const other = join(folder, 'other');
    const first = await restore(archive, target, { uploads: other });
    assert.equal(first.files, { written: 2, same: 0 });
    assert.equal(readFileSync(join(other, 'ab', 'long.bin')), long);
    assert.is(readFileSync(join(other, 'empty.txt'), 'utf8'), '');
    assert.equal((await restore(archive, target, { uploads: other, allowLoss: true })).files, { written: 0, same: 2 });
    writeFileSync(join(other, 'empty.txt'), 'mine');
    const failure = await failureOf(restore(archive, target, { uploads: other, allowLoss: true }));
    assert.is(failure.code, 'ARCHIVE_FILE_DIFFERS');
    assert.is(readFileSync(join(other, 'empty.txt'), 'utf8'), 'mine');
  });
});

test('uploaded files are read once the snapshot of the rows is over', async () => {
  await withBackup(async ({ folder, source }) => {
    const uploads = join(folder, 'late');
    await mkdir(uploads);
    const snapshot = source.snapshot.bind(source);
    Object.assign(source, {
      snapshot: async (fn: () => Promise<unknown>) => {
        const result = await snapshot(fn);
        writeFileSync(join(uploads, 'late.txt'), 'late');
        return result;
      },
    });
    assert.is((await backUp(source, join(folder, 'late.treadle'), { uploads })).files, 1);
  });
});

test('a restore that fails at a row leaves the folder of uploads as it was', async () => {
  await withBackup(async ({ folder, source, target }) => {
    const uploads = join(folder, 'upload');
    await mkdir(join(uploads, 'ab'), { recursive: true });
    for (const name of ['ab/one.txt', 'ab/two.txt', 'three.txt']) writeFileSync(join(uploads, name), name);
    const file = join(folder, 'files.treadle');
    await backUp(source, file, { uploads });
    const archive = await Archive.open(file);
    const other = join(folder, 'other');
    await mkdir(join(other, 'ab'), { recursive: true });
    writeFileSync(join(other, 'ab/one.txt'), 'ab/one.txt');
    writeFileSync(join(other, 'mine.txt'), 'mine');
    const list = () => readdirSync(other, { recursive: true }).map(String).sort();
    const before = list();
    const seen: string[] = [];
    const failing = restore(archive, target, {
      uploads: other,
      progress(stage) {
        if (stage !== 'load') return;
        seen.push(...list());
        throw new Error('this row');
      },
    });
    assert.is((await failureOf(failing)).message, 'this row');
    assert.ok(seen.includes(join('ab', 'two.txt')), 'the files were there when the row failed');
    assert.equal(list(), before, 'nothing of the archive stays, and what was there is still there');
    assert.is(readFileSync(join(other, 'mine.txt'), 'utf8'), 'mine');
    assert.equal((await restore(archive, target, { uploads: other })).files, { written: 2, same: 1 });
  });
});

test('a restore that fails within a file leaves no part of it', async () => {
  await withBackup(async ({ folder, source, target }) => {
    const uploads = join(folder, 'upload');
    await mkdir(uploads, { recursive: true });
    writeFileSync(join(uploads, 'long.bin'), Buffer.alloc(150_001, 'x'));
    const file = join(folder, 'files.treadle');
    await backUp(source, file, { uploads });
    const archive = await Archive.open(file);
    const other = join(folder, 'other');
    const seen: string[] = [];
    const broken: Archive = Object.create(archive, {
      entries: {
        async *value() {
          for await (const entry of archive.entries()) {
            yield entry;
            if (!('part' in entry)) continue;
            seen.push(...readdirSync(other));
            throw new Error('the disk is gone');
          }
        },
      },
      verify: { value: (...told: Parameters<Archive['verify']>) => archive.verify(...told) },
      tables: { value: archive.tables },
      dialect: { value: archive.dialect },
      read: { value: () => archive.read() },
    });
    const failure = await failureOf(restore(broken, target, { uploads: other }));
    assert.is(failure.message, 'the disk is gone');
    assert.is(seen.length, 1, 'a part of the file was there');
    assert.equal(readdirSync(other), []);
  });
});

test('a value is written so that JSON keeps it', () => {
  const column = { name: 'x', isRequired: false } as const;
  const cases = [
    [1.5, 'real', 1.5],
    [Number.NaN, 'real', { f: 'nan' }],
    [Number.NEGATIVE_INFINITY, 'real', { f: '-inf' }],
    ['\u0001i:9223372036854775807', 'integer', { i: '9223372036854775807' }],
    ['9223372036854775807', 'integer', { i: '9223372036854775807' }],
    ['9223372036854775807', 'text', '9223372036854775807'],
    ['\u0001i:1', 'text', '\u0001i:1'],
    [Buffer.from('ab'), 'blob', { b: 'YWI=' }],
    [10n, 'integer', { i: '10' }],
    [undefined, 'text', null],
  ] as const;
  for (const [value, kind, expected] of cases) assert.equal(encode(value, { ...column, kind }), expected);
});

test.run();
