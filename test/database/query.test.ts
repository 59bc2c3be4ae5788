import { CompiledQuery, sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import type { TreadleError } from '../../src/core/errors.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { KEYED } from '../../src/database/load/read-cost.ts';
import { SlowReads } from '../../src/database/load/slow-reads.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Row } from '../../src/database/row-statement.ts';
import { loadBinding } from '../../src/database/sqlite/binding.ts';
import { Connection } from '../../src/database/sqlite/connection.ts';
import { Readers, type ReadOperation } from '../../src/database/sqlite/readers.ts';
import { toTreadleError } from '../../src/database/sqlite/sqlite-error.ts';
import { DIALECT, only } from './_where.ts';
import { codeOf, insertNote, readNotes, withDatabase } from './temporary-database.ts';

const test = suite('database/query');
const sqlite = only('sqlite', 'database/query', test);
const faultOf = (promise: Promise<unknown>): Promise<TreadleError> =>
  promise.then(
    () => assert.unreachable(),
    (error) => error,
  );

test('a compiled query runs again with other parameters', () =>
  withDatabase(async ({ database }) => {
    await Promise.all(['a', 'b', 'c'].map((text) => insertNote(database, text)));
    const query = database.kysely.selectFrom('note').select('note_text').where('note_id', '=', 0).compile();
    const rows = await Promise.all([1, 2, 3].map((id) => database.run(query, [id])));
    assert.equal(
      rows
        .flat()
        .map((row) => row.note_text)
        .sort(),
      ['a', 'b', 'c'],
    );
    assert.equal(await database.run(query), []);
    const insert = database.kysely.insertInto('note').values({ note_text: '' }).returning('note_id').compile();
    assert.equal(await database.run(insert, ['d']), [{ note_id: 4 }]);
  }));

test('what Kysely says of changes', () =>
  withDatabase(async ({ database: { kysely } }) => {
    const inserted = await kysely
      .insertInto('note')
      .values([{ note_text: 'a' }, { note_text: 'b' }])
      .executeTakeFirst();
    assert.is(inserted.numInsertedOrUpdatedRows, 2n);
    // Only SQLite returns it; for both, use `returning`.
    assert.is(inserted.insertId, DIALECT === 'sqlite' ? 2n : undefined);
    const updated = await kysely
      .updateTable('note')
      .set({ note_text: 'c' })
      .where('note_id', '=', 1)
      .executeTakeFirst();
    assert.is(updated.numUpdatedRows, 1n);
    assert.is((await kysely.deleteFrom('note').where('note_id', '=', 9).executeTakeFirst()).numDeletedRows, 0n);
    assert.is((await sql<{ n: number }>`select count(*) as n from note`.execute(kysely)).rows[0]?.n, 2);
    // On a server Kysely reads every schema, including those that other tests drop meanwhile.
    if (DIALECT !== 'sqlite') return;
    const names = (await kysely.introspection.getTables()).map(({ name }) => name);
    assert.equal(names.sort(), ['note', 'tag']);
  }));

sqlite('values come back as they were stored', () =>
  withDatabase(async ({ database }) => {
    const query = CompiledQuery.raw('select ? as a, ? as b, ? as c, ? as d, ? as e, ? as f, ? as g');
    const [row] = await database.run(query, ['x\0y', 1.5, 2 ** 40, true, null, new Date(0), new Uint8Array([1, 2])]);
    assert.equal(
      { ...row, g: Array.from(row?.g as Buffer) },
      { a: 'x\0y', b: 1.5, c: 2 ** 40, d: 1, e: null, f: '1970-01-01 00:00:00', g: [1, 2] },
    );
    assert.equal(await database.run(CompiledQuery.raw('select ? as a'), [7n]), [{ a: 7 }]);
    for (const value of [undefined, {}, [], 2n ** 60n, () => 1]) {
      assert.is(await codeOf(database.run(CompiledQuery.raw('select ? as a'), [value])), 'DATABASE_PARAMETER_INVALID');
    }
    const missing = codeOf(database.run(CompiledQuery.raw('select ? as a')));
    assert.ok([undefined, 'DATABASE_PARAMETERS_MISSING'].includes(await missing));
    const insert = CompiledQuery.raw('insert into note (note_text) values (?)');
    await database.run(insert, ['bound']);
    assert.is(await codeOf(database.run(insert)), 'DATABASE_PARAMETERS_MISSING', 'the last values are not used again');
  }),
);

test('rules of the tables become one error that names columns, never SQL', () =>
  withDatabase(async ({ database }) => {
    await insertNote(database, 'one');
    const unique = await faultOf(insertNote(database, 'one'));
    assert.equal([unique.code, unique.status], ['DATABASE_CONSTRAINT', 409]);
    assert.is(unique.message, 'Another row has this value already (note_text).');
    const detail = unique.detail as { kind: string; table: string; columns: string[]; sql: string };
    assert.equal([detail.kind, detail.table, detail.columns], ['unique', 'note', ['note_text']]);
    assert.match(detail.sql, 'insert into');
    const empty = await faultOf(database.kysely.insertInto('note').values({ note_text: null }).execute());
    assert.equal([empty.status, (empty.detail as { kind: string }).kind], [422, 'notnull']);
    const foreign = await faultOf(database.kysely.insertInto('tag').values({ note_id: 99 }).execute());
    assert.equal([foreign.status, (foreign.detail as { kind: string }).kind], [409, 'foreign']);
    const broken = await faultOf(sql`select * from nowhere`.execute(database.kysely));
    assert.equal([broken.code, broken.status], ['DATABASE_QUERY_FAILED', 500]);
    assert.not.match(broken.message, 'nowhere');
  }));

sqlite('a full disk and a broken one have codes of their own', () => {
  const fault = (code: string) => toTreadleError(Object.assign(new Error('x'), { code }), 'insert');
  assert.equal([fault('SQLITE_FULL').code, fault('SQLITE_FULL').status], ['DATABASE_FULL', 507]);
  assert.equal([fault('SQLITE_IOERR').code, fault('SQLITE_IOERR').status], ['DATABASE_FAILED', 503]);
  assert.equal([fault('SQLITE_READONLY').code, fault('SQLITE_READONLY').status], ['DATABASE_UNWRITABLE', 503]);
});

sqlite('readers refuse every statement that writes', () =>
  withDatabase(async ({ database }) => {
    const query = database.kysely.selectFrom('note').selectAll().compile();
    const forged = { ...query, sql: "insert into note (note_text) values ('x')" };
    assert.is(await codeOf(database.run(forged)), 'DATABASE_UNWRITABLE');
    assert.equal(await readNotes(database), []);
  }),
);

sqlite('prepared statements are kept, and at most so many', async () => {
  const binding = await loadBinding('sqlite3');
  const connection = new Connection(await binding.open(':memory:'), { binding, clock: systemClock, statements: 3 });
  const select = (n: number) => connection.control(`select ${n} as n`);
  for (const n of [1, 2, 3, 1, 4]) assert.equal(await select(n), [{ n }]);
  assert.is(connection.size, 3);
  const together = await Promise.all(Array.from({ length: 40 }, (_, n) => select(n % 8)));
  assert.equal(
    together.map(([row]) => row?.n),
    Array.from({ length: 40 }, (_, n) => n % 8),
  );
  assert.is(connection.size, 3);
  await connection.close();
});

sqlite('a statement runs on the connection that has prepared it', async () => {
  const binding = await loadBinding('sqlite3');
  const prepared: string[] = [];
  const open = async (): Promise<Connection> => {
    const raw = await binding.open(':memory:');
    const prepare: typeof raw.prepare = (text, callback) => {
      prepared.push(text);
      raw.prepare(text, callback);
    };
    const counting = { prepare, exec: raw.exec.bind(raw), close: raw.close.bind(raw) };
    return new Connection(counting, { binding, clock: systemClock });
  };
  const readers = new Readers({
    open,
    limit: 3,
    clock: systemClock,
    log: silentLog,
    slow: new SlowReads(),
    readMilliseconds: () => 5000,
  });
  const read = (text: string): Promise<readonly Row[]> =>
    new Promise((resolve, reject) => {
      const done: ReadOperation['done'] = (error, rows) => (error === null ? resolve(rows) : reject(error));
      const operation = {
        sql: text,
        parameters: [],
        mode: 'all',
        isOwn: false,
        deadline: 0,
        about: KEYED,
        done,
      } as const;
      const unset = { caller: undefined, connection: undefined, known: undefined, ended: undefined };
      readers.execute({ ...operation, ...unset, cost: 0, rank: 0, begunAt: 0, since: 0 });
    });
  const texts = [1, 2, 3].map((n) => `select ${n} as n`);
  await Promise.all(texts.map(read));
  assert.is(readers.size, 3);
  for (const order of [texts, texts.toReversed(), texts])
    for (const text of order) assert.equal(await read(text), [{ n: Number(text.at(7)) }]);
  assert.equal(prepared.sort(), texts);
  await readers.close();
});

sqlite('the settings are there when read back', () =>
  withDatabase(async ({ database, root }) => {
    const read = async (name: string): Promise<unknown> =>
      Object.values(
        (await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(database.kysely)).rows[0] ?? {},
      )[0];
    assert.equal(
      [
        await read('journal_mode'),
        await read('synchronous'),
        await read('foreign_keys'),
        await read('journal_size_limit'),
      ],
      ['wal', 2, 1, 67_108_864],
    );
    assert.ok(root);
  }),
);

sqlite('in memory: one connection, and a read does not see what is not committed', async () => {
  const options = { url: 'sqlite::memory:', root: '/', log: silentLog, clock: systemClock };
  const [first, second] = [await openDatabase(options), await openDatabase(options)];
  await sql`create table note (note_id integer primary key, note_text text)`.execute(first.kysely);
  let outside: Promise<string[]> = Promise.resolve([]);
  const lost = first.transaction(async () => {
    await insertNote(first, 'lost');
    const { outsideTransaction } = await import('../../src/database/transaction.ts');
    outside = outsideTransaction(() => readNotes(first));
    throw new Error('no');
  });
  await codeOf(lost);
  assert.equal(await outside, []);
  await Promise.all([insertNote(first, 'kept'), insertNote(first, 'too')]);
  assert.equal(await readNotes(first), ['kept', 'too']);
  assert.is(await codeOf(readNotes(second)), 'DATABASE_QUERY_FAILED');
  await Promise.all([first.close(), second.close()]);
});

test('other URLs are refused with what to write', async () => {
  const open = (url: string) => openDatabase({ url, root: '/', log: silentLog, clock: systemClock });
  const error = await faultOf(open('oracle://localhost/x'));
  assert.is(error.code, 'DATABASE_URL_UNSUPPORTED');
  assert.match(error.hint ?? '', 'sqlite:var/app.db');
  assert.match(error.hint ?? '', 'postgres://');
  assert.not.match((await faultOf(open('mysql://me:secret@host/x'))).message, 'secret');
});

const isNodeSqliteThere = await import(['node', 'sqlite'].join(':')).then(
  () => true,
  () => false,
);
if (isNodeSqliteThere) {
  sqlite("Node's own SQLite does the same", () =>
    withDatabase(
      async ({ database }) => {
        await Promise.all(['a', 'b'].map((text) => database.write(() => insertNote(database, text))));
        assert.equal(await readNotes(database), ['a', 'b']);
        assert.equal((await faultOf(insertNote(database, 'a'))).code, 'DATABASE_CONSTRAINT');
        assert.equal(await database.run(CompiledQuery.raw('select typeof(?) as t, ? as b'), [5, true]), [
          { t: 'integer', b: 1 },
        ]);
      },
      { binding: 'node:sqlite' },
    ),
  );
} else {
  test("without SQLite's native part one clear line says what to type", async () => {
    const error = await faultOf(loadBinding('node:sqlite'));
    assert.is(error.code, 'DATABASE_BINDING_MISSING');
    assert.match(error.message, 'npm rebuild sqlite3');
  });
}

test.run();
