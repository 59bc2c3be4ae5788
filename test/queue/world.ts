import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Clock, type Random, systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log.ts';
import type { Database, SystemTable } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { toSystemTable } from '../../src/database/table.ts';
import { createIndexSql, createTableSql } from '../../src/database/table-sql.ts';

export interface FakeClock extends Clock {
  /** Moves on and calls back whatever falls due on the way, in order. */
  advance(milliseconds: number): void;
}

export function createFakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  let timers: { at: number; callback: () => void }[] = [];
  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const next = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = end;
    },
  };
}

/** The same bytes for the same seed. */
export function createFakeRandom(seed = 1): Random {
  let state = seed;
  return (bytes) =>
    Buffer.from(
      Array.from({ length: bytes }, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state >>> 24;
      }),
    );
}

export interface TestDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

/** A database in a folder of its own, with these tables. Its clock is the true one: a leap of a test's would end its transactions. */
export async function openTestDatabase(tables: readonly SystemTable[]): Promise<TestDatabase> {
  const root = await mkdtemp(join(tmpdir(), 'treadle-'));
  const database = await openDatabase({ url: 'sqlite:app.db', root, log: silentLog, clock: systemClock });
  for (const table of tables.map((own) => toSystemTable(own, database.dialect))) {
    await sql.raw(createTableSql(database.kysely, table)).execute(database.kysely);
    for (const index of table.indexes)
      await sql.raw(createIndexSql(database.kysely, table.name, index)).execute(database.kysely);
  }
  return {
    database,
    async close() {
      await database.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
