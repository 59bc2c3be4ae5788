import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate } from '../../src/database/migration.ts';
import { createSystemTable } from '../../src/database/table.ts';
import { createLimiter } from '../../src/limit/limiter.ts';
import { createLimitStore, LIMIT, limitTable } from '../../src/limit/store.ts';
import { createFakeClock, type FakeClock } from '../clock.ts';
import { openPlaced } from '../database/_where.ts';

const test = suite('limit/store');

/** Two processes on one database, and a function that lets a second pass for both. */
async function withProcesses(
  run: (world: {
    left: ReturnType<typeof createLimiter>;
    right: ReturnType<typeof createLimiter>;
    clock: FakeClock;
    settle(milliseconds?: number): Promise<void>;
    rows(): Promise<Record<string, unknown>[]>;
  }) => Promise<void>,
): Promise<void> {
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const database = await openPlaced();
  try {
    await migrate(database, [createSystemTable(limitTable, database.dialect)]);
    const under: Promise<unknown>[] = [];
    const store = createLimitStore(database);
    const watched: typeof store = {
      add: (tallies) => keep(store.add(tallies)),
      purge: (before) => keep(store.purge(before)),
    };
    const keep = <T>(promise: Promise<T>): Promise<T> => {
      under.push(promise);
      return promise;
    };
    const make = () => createLimiter({ clock, store: watched });
    await run({
      left: make(),
      right: make(),
      clock,
      rows: () => database.kysely.selectFrom(LIMIT).selectAll().execute(),
      async settle(milliseconds = 1000) {
        clock.advance(milliseconds);
        while (under.length > 0) {
          await Promise.all(under.splice(0));
          await new Promise((resolve) => setImmediate(resolve));
        }
      },
    });
  } finally {
    await database.close();
  }
}

const takeMany = (limiter: ReturnType<typeof createLimiter>, count: number, limit = 100): number =>
  Array.from({ length: count }, () => limiter.take('app:1', limit, 60)).filter(({ isAllowed }) => isAllowed).length;

test('H10: what one process took counts in the other a second later', () =>
  withProcesses(async ({ left, right, settle }) => {
    assert.is(takeMany(left, 60), 60);
    await settle();
    assert.is(takeMany(right, 1), 1);
    await settle();
    assert.is(takeMany(right, 100), 39);
    await settle();
    takeMany(left, 1);
    await settle();
    assert.is(takeMany(left, 10), 0);
    assert.is(left.take('app:2', 100, 60).left, 99);
  }));

test('H10: a window that is over counts in proportion, also what others took of it', () =>
  withProcesses(async ({ left, right, settle, clock }) => {
    takeMany(left, 80);
    await settle();
    takeMany(right, 1);
    await settle();
    clock.advance(58_000 + 30_000);
    // Half of the 81 still counts.
    assert.is(takeMany(right, 100), 59);
  }));

test('H10: keys are kept hashed, and forgotten once their windows are over', () =>
  withProcesses(async ({ left, rows, settle }) => {
    for (let n = 0; n < 500; n += 1) left.take(`address 192.0.2.${n}`, 10, 60);
    await settle();
    assert.is((await rows()).length, 500);
    assert.not.match(JSON.stringify(await rows()), /192\.0\.2/);
    await settle(200_000);
    left.take('other', 10, 60);
    await settle();
    assert.is((await rows()).length, 1);
  }));

test('H10: a database that fails leaves each process to count alone', async () => {
  const clock = createFakeClock();
  const failing = { add: () => Promise.reject(new Error('gone')), purge: () => Promise.reject(new Error('gone')) };
  const limiter = createLimiter({ clock, store: failing });
  assert.is(takeMany(limiter, 50), 50);
  clock.advance(1000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.is(takeMany(limiter, 100), 50);
});

test.run();
