import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, SystemTable } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migration.ts';
import { createSystemTable } from '../../src/database/table.ts';
import type { FakeClock } from '../clock.ts';
import { openPlaced } from '../database/_where.ts';

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
    tables.map((own) => createSystemTable(own, database.dialect)),
  );
  return {
    database,
    async close() {
      await database.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
