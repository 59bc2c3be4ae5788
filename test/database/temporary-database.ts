import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/core/clock.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log.ts';
import { type OpenOptions, openDatabase } from '../../src/database/open.ts';
import type { SqliteDatabase } from '../../src/database/sqlite/sqlite-database.ts';

/** A clock that stands still until it is told to go on. */
export function createManualClock(start = 1_750_000_000_000): Clock & { advance(milliseconds: number): void } {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(milliseconds) {
      now += milliseconds;
      for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
        if (timer.at > now || !timers.delete(timer)) continue;
        timer.callback();
      }
    },
  };
}

export interface Temporary {
  readonly database: SqliteDatabase;
  readonly root: string;
  readonly trace: string[];
}

/** A database in a folder of its own with a table `note` and a table `tag`; both are gone afterwards. */
export async function withDatabase(
  fn: (temporary: Temporary) => Promise<void>,
  options: Partial<OpenOptions> = {},
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'treadle-database-'));
  const trace: string[] = [];
  try {
    const database = await openDatabase({
      url: 'sqlite:var/app.db',
      root,
      log: silentLog,
      clock: systemClock,
      trace: (text) => trace.push(text),
      ...options,
    });
    await database.kysely.schema
      .createTable('note')
      .addColumn('note_id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('note_text', 'text', (column) => column.notNull().unique())
      .execute();
    await database.kysely.schema
      .createTable('tag')
      .addColumn('tag_id', 'integer', (column) => column.primaryKey())
      .addColumn('note_id', 'integer', (column) => column.references('note.note_id').onDelete('restrict'))
      .execute();
    trace.length = 0;
    try {
      await fn({ database, root, trace });
    } finally {
      await database.close();
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

export async function insertNote(database: SqliteDatabase, text: string): Promise<number> {
  const result = await database.kysely.insertInto('note').values({ note_text: text }).executeTakeFirst();
  return Number(result.insertId);
}

export async function readNotes(database: SqliteDatabase): Promise<string[]> {
  const rows = await database.kysely.selectFrom('note').select('note_text').orderBy('note_id').execute();
  return rows.map((row) => String(row.note_text));
}

/** The code of what a promise is rejected with. */
export async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
