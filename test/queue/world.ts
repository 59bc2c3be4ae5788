import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, Random } from '../../src/core/clock.ts';
import type { Database, SystemTable } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migration.ts';
import { toSystemTable } from '../../src/database/table.ts';
import { openPlaced } from '../database/_where.ts';

export interface FakeClock extends Clock {
  /** Advances the clock and runs due callbacks, in order. */
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

/**
 * Advances time in steps until something is done, because a timer may be set only after an answer of the database.
 * Each step waits for the database, so that ticks in between do not pile up.
 */
export async function passUntil(
  { clock, database }: { readonly clock: FakeClock; readonly database: Database },
  done: Promise<unknown>,
  step: number,
): Promise<void> {
  const state = { isDone: false };
  const end = () => {
    state.isDone = true;
  };
  done.then(end, end);
  while (!state.isDone) {
    await database.write(async () => {});
    clock.advance(step);
  }
  await done;
}

/** The same seed gives the same bytes. */
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

/**
 * A database in a temporary folder, with these tables. It uses the real clock: a jump of a test's clock would end its
 * transactions.
 */
export async function openTestDatabase(tables: readonly SystemTable[]): Promise<TestDatabase> {
  const root = await mkdtemp(join(tmpdir(), 'treadle-'));
  const database = await openPlaced({ file: 'app.db', root });
  await migrate(
    database,
    tables.map((own) => toSystemTable(own, database.dialect)),
  );
  return {
    database,
    async close() {
      await database.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
