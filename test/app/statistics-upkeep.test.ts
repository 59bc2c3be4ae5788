import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startStatisticsUpkeep } from '../../src/app/statistics-upkeep.ts';
import { silentLog } from '../../src/core/log/log.ts';
import type { Database } from '../../src/database/database.ts';
import { readStatistics } from '../../src/database/statistics/refresh.ts';
import { createFakeClock, type FakeClock } from '../clock.ts';
import { only } from '../database/_where.ts';
import { insertNote, withDatabase } from '../database/temporary-database.ts';

const test = suite('app/statistics-upkeep');
const sqlite = only('sqlite', 'app/statistics-upkeep', test);

const insert = (database: Database, count: number): Promise<unknown> =>
  database.write(async () => {
    for (let n = 0; n < count; n += 1) await insertNote(database, `${Math.random()}`);
  });

const countedRows = async (database: Database): Promise<number | undefined> =>
  (await readStatistics(database))[0]?.rows;

/** Resolves once the look that is under way has ended: then the next one waits. */
async function looked(clock: FakeClock): Promise<void> {
  while (clock.waits().length === 0) await new Promise((resolve) => setImmediate(resolve));
}

const NOTES = [{ name: 'note', primary: 'note_id', columns: ['note_id'], unique: {} }];

const inDatabase = (fn: (parts: { database: Database; clock: FakeClock }) => Promise<void>): Promise<void> =>
  withDatabase(async ({ database }) => {
    await database.trackTables(NOTES);
    await fn({ database, clock: createFakeClock() });
  });

sqlite('a server counts after its start, then what was written much, and a last time at its end', () =>
  inDatabase(async ({ database, clock }) => {
    await insert(database, 1200);
    const worker = startStatisticsUpkeep({ database, clock, log: silentLog });
    clock.advance(5000);
    await looked(clock);
    assert.is(await countedRows(database), 1200);
    await insert(database, 1500);
    clock.advance(10_000);
    await looked(clock);
    assert.is(await countedRows(database), 2700);
    await insert(database, 3000);
    clock.advance(1000);
    await worker.stop();
    assert.is(await countedRows(database), 5700);
    assert.equal(clock.waits(), []);
  }),
);

sqlite('a look finds what raw SQL wrote before the counters', () =>
  inDatabase(async ({ database, clock }) => {
    await database.trackTables([]);
    await insert(database, 1200);
    await database.trackTables(NOTES);
    const worker = startStatisticsUpkeep({ database, clock, log: silentLog });
    clock.advance(5000);
    await looked(clock);
    assert.is(await countedRows(database), 1200);
    await worker.stop();
  }),
);

test.run();
