import { statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { loadBinding, type RawConnection, type RawError } from '../../src/database/sqlite/binding.ts';
import { Connection } from '../../src/database/sqlite/connection.ts';
import { SqliteDatabase } from '../../src/database/sqlite/sqlite-database.ts';
import { Writer } from '../../src/database/sqlite/writer.ts';
import { createFakeClock } from '../clock.ts';
import { only } from './_where.ts';
import { codeOf, insertNote, readNotes, withDatabase } from './temporary-database.ts';

const test = suite('database/failure');
const sqlite = only('sqlite', 'database/failure', test);

interface Broken {
  readonly database: SqliteDatabase;
  /** The next statement that contains this text fails with this code. */
  breakOn(text: string, code: string): void;
  readonly failed: string[];
}

/** A database in memory with a connection that can be made to fail like a disk. */
async function withBroken(fn: (broken: Broken) => Promise<void>): Promise<void> {
  const binding = await loadBinding();
  const real = await binding.open(':memory:');
  let fault: { readonly text: string; readonly code: string } | undefined;
  const take = (sql: string): RawError | undefined => {
    if (fault === undefined || !sql.includes(fault.text)) return undefined;
    const error = Object.assign(new Error(`${fault.code}: injected`), { code: fault.code });
    fault = undefined;
    return error;
  };
  const raw: RawConnection = {
    exec: (sql, callback) => real.exec(sql, callback),
    close: (callback) => real.close(callback),
    prepare: (sql, callback) =>
      real.prepare(sql, (error, statement) => {
        if (statement === undefined) return callback(error, undefined);
        callback(null, {
          all(parameters, done) {
            const injected = take(sql);
            // SQLite rolls back by itself after these errors.
            if (injected) real.exec('rollback', () => done(injected, []));
            else statement.all(parameters, done);
          },
          run: (parameters, done) => {
            const injected = take(sql);
            if (injected) real.exec('rollback', () => done(injected, { changes: 0, lastId: 0 }));
            else statement.run(parameters, done);
          },
          finalize: () => statement.finalize(),
        });
      }),
  };
  const connection = new Connection(raw, { binding, clock: systemClock });
  const failed: string[] = [];
  const writer = new Writer({ connection, clock: systemClock, failed: (error) => failed.push(error.code) });
  const database = new SqliteDatabase({ connection, writer, readers: undefined, log: silentLog, clock: systemClock });
  await connection.control('create table note (note_id integer primary key, note_text text)');
  const breakOn = (text: string, code: string): void => {
    fault = { text, code };
  };
  await fn({ database, breakOn, failed });
  await database.close();
}

sqlite('a full disk refuses all that share the commit, and later writes go on', () =>
  withBroken(async ({ database, breakOn, failed }) => {
    breakOn('insert into "note"', 'SQLITE_IGNORED');
    await codeOf(insertNote(database, 'injected'));
    const units = ['a', 'b', 'c'].map((text) =>
      codeOf(
        database.write(async () => {
          if (text === 'b') breakOn('insert into "note"', 'SQLITE_FULL');
          // Code that continues after its error must not write outside the rolled-back transaction.
          await insertNote(database, text).catch(() => {});
          await insertNote(database, `${text} again`);
        }),
      ),
    );
    const codes = await Promise.all(units);
    assert.equal(codes.slice(0, 2), ['DATABASE_FULL', 'DATABASE_FULL']);
    assert.is(codes[2], undefined);
    assert.equal(await readNotes(database), ['c', 'c again']);
    assert.equal(failed, []);
  }),
);

sqlite('a commit that fails rejects each of its units', () =>
  withBroken(async ({ database, breakOn, failed }) => {
    breakOn('commit', 'SQLITE_FULL');
    const codes = await Promise.all(['a', 'b'].map((text) => codeOf(database.write(() => insertNote(database, text)))));
    assert.equal(codes, ['DATABASE_FULL', 'DATABASE_FULL']);
    assert.equal([await readNotes(database), failed], [[], []]);
  }),
);

sqlite('an error of the disk ends all writing, and is told once', () =>
  withBroken(async ({ database, breakOn, failed }) => {
    await insertNote(database, 'before');
    breakOn('commit', 'SQLITE_IOERR');
    const codes = await Promise.all(['a', 'b'].map((text) => codeOf(database.write(() => insertNote(database, text)))));
    assert.equal(codes, ['DATABASE_FAILED', 'DATABASE_FAILED']);
    assert.is(await codeOf(insertNote(database, 'after')), 'DATABASE_FAILED');
    assert.is(await codeOf(database.transaction(() => insertNote(database, 'after'))), 'DATABASE_FAILED');
    assert.equal(failed, ['DATABASE_FAILED']);
    assert.equal(await readNotes(database), ['before'], 'what can be read is still read');
  }),
);

sqlite('the log is written back after 5 s without a write', async () => {
  const clock = createFakeClock();
  await withDatabase(
    async ({ database, root }) => {
      const size = (): number => statSync(join(root, 'var/app.db-wal')).size;
      await insertNote(database, 'one');
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(4900);
      assert.equal(await readNotes(database), ['one']);
      assert.ok(size() > 0, 'not before');
      clock.advance(100);
      // It goes through the queue of writes.
      await database.write(async () => {});
      assert.is(size(), 0);
      assert.equal(await readNotes(database), ['one']);
    },
    { clock },
  );
});

test.run();
