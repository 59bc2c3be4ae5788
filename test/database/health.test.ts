import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import type { TreadleError } from '../../src/core/errors.ts';
import { silentLog } from '../../src/core/log/log.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { loadBinding } from '../../src/database/sqlite/binding.ts';
import { Connection } from '../../src/database/sqlite/connection.ts';
import { createFakeClock } from '../clock.ts';
import { only } from './_where.ts';
import { codeOf, insertNote, readNotes, withDatabase } from './temporary-database.ts';

const test = suite('database/health');
const sqlite = only('sqlite', 'database/health', test);

const listFaults = async (database: Database): Promise<string[]> =>
  (await database.health()).map(({ check, error }) => `${check} ${(error as TreadleError).code}`);

test('a database that works has no fault', () =>
  withDatabase(async ({ database }) => {
    assert.equal(await database.health(), []);
    await insertNote(database, 'one');
    assert.equal(await database.health(), []);
  }));

test('the version of the structure is another one after a change of a table, and only then', () =>
  withDatabase(async ({ database }) => {
    const version = await database.structureVersion();
    await insertNote(database, 'one');
    assert.is(await database.structureVersion(), version);
    await sql`alter table tag add column tag_text text`.execute(database.kysely);
    const wider = await database.structureVersion();
    assert.is.not(wider, version);
    await sql`create index tag_text_index on tag (tag_text)`.execute(database.kysely);
    assert.is.not(await database.structureVersion(), wider);
  }));

test('a database in memory, or of a server, is read', () =>
  withDatabase(async ({ database }) => assert.equal(await database.health(), []), { file: ':memory:' }));

interface Watched {
  readonly database: Database;
  readonly file: string;
  readonly failed: string[];
  readonly clock: ReturnType<typeof createFakeClock>;
}

/** A database in a file, checked as a server checks its own. */
function withWatched(fn: (watched: Watched) => Promise<void>): Promise<void> {
  const failed: string[] = [];
  const clock = createFakeClock();
  return withDatabase(
    async ({ database, root }) => {
      await insertNote(database, 'before');
      await database.health();
      await fn({ database, file: join(root, 'var/app.db'), failed, clock });
    },
    { clock, failed: ({ code }) => failed.push(code) },
  );
}

const REPLACEMENTS: Readonly<Record<string, (file: string) => void>> = {
  'was deleted': (file) => rmSync(file),
  'was moved away': (file) => renameSync(file, `${file}.old`),
  'was replaced by a copy of itself': (file) => {
    writeFileSync(`${file}.new`, readFileSync(file));
    renameSync(`${file}.new`, file);
  },
  'lost its log': (file) => rmSync(`${file}-wal`),
};

for (const [name, replace] of Object.entries(REPLACEMENTS)) {
  sqlite(`a file that ${name}: no write is acknowledged, and it is told once`, () =>
    withWatched(async ({ database, file, failed }) => {
      replace(file);
      const codes = await Promise.all(['a', 'b', 'c'].map((text) => codeOf(insertNote(database, text))));
      assert.equal(codes, Array(3).fill('DATABASE_REPLACED'));
      assert.is(await codeOf(database.transaction(() => insertNote(database, 'd'))), 'DATABASE_REPLACED');
      assert.equal(failed, ['DATABASE_REPLACED']);
      assert.equal(await listFaults(database), ['writer DATABASE_REPLACED', 'file DATABASE_REPLACED']);
    }),
  );
}

sqlite('a file that was deleted is missed within a second where nothing is written', () =>
  withWatched(async ({ file, failed, clock }) => {
    clock.advance(1000);
    assert.equal(failed, []);
    rmSync(file);
    clock.advance(1000);
    assert.equal(failed, ['DATABASE_REPLACED']);
  }),
);

sqlite('a connection that is opened later does not read another file of the same name', () =>
  withWatched(async ({ database, file, failed }) => {
    REPLACEMENTS['was replaced by a copy of itself']?.(file);
    assert.is(await codeOf(readNotes(database)), 'DATABASE_REPLACED');
    assert.equal(failed, ['DATABASE_REPLACED']);
  }),
);

/** Overwrites every page except the first ones. */
function overwrite(file: string, from: number): void {
  const { size } = statSync(file);
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(size - from, 0x5a), 0, size - from, from);
  closeSync(handle);
}

for (const from of [0, 4096]) {
  sqlite(
    `pages that were overwritten from byte ${from} are read by the next look, and nothing more is written`,
    async () => {
      const failed: string[] = [];
      await withDatabase(
        async ({ database, root }) => {
          for (let n = 0; n < 50; n += 1) await insertNote(database, `note ${n}`);
          assert.equal(await database.health(), []);
          const file = join(root, 'var/app.db');
          // Pages that are only in the log would be read from there.
          const binding = await loadBinding();
          const other = new Connection(await binding.open(file), { binding, clock: systemClock });
          await other.control('pragma wal_checkpoint(truncate)');
          await other.close();
          overwrite(file, from);
          const [first] = await listFaults(database);
          assert.is(first, 'read DATABASE_DAMAGED');
          assert.is(await codeOf(insertNote(database, 'after')), 'DATABASE_DAMAGED');
          assert.ok((await listFaults(database)).includes('writer DATABASE_DAMAGED'));
          assert.equal(failed, [], 'a new start would not mend it');
        },
        { failed: ({ code }) => failed.push(code) },
      );
    },
  );
}

sqlite('a writer that waits 5 s for a lock is at fault until the lock is released', () =>
  withWatched(async ({ database, file, clock }) => {
    const other = await openDatabase({ url: `sqlite:${file}`, root: '/', log: silentLog, clock: systemClock });
    let letGo = (): void => {};
    let held = (): void => {};
    const isHeld = new Promise<void>((resolve) => {
      held = resolve;
    });
    const holding = other.restructure(async () => {
      await sql`update note set note_text = 'held'`.execute(other.kysely);
      held();
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
    });
    await isHeld;
    /** A check that ends while its result is awaited. */
    const look = async (): Promise<string[]> => {
      const looking = listFaults(database);
      await new Promise((resolve) => setTimeout(resolve, 60));
      clock.advance(250);
      return looking;
    };
    assert.equal(await look(), []);
    clock.advance(5000);
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(await look(), ['writer DATABASE_BUSY']);
    letGo();
    await holding;
    await other.close();
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(await listFaults(database), []);
  }),
);

test.run();
