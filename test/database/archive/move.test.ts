import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TreadleError } from '../../../src/core/errors.ts';
import { type MoveOptions, moveRows } from '../../../src/database/archive/move.ts';
import type { Database } from '../../../src/database/database.ts';
import { outsideTransaction } from '../../../src/database/transaction.ts';
import { openPlaced, unlessAlone } from '../_where.ts';
import { fillWorld, openFile, run, sumUp, WANTED, withFolder } from './_world.ts';

const test = suite('database/move');

const move = (from: Database, to: Database, options: Partial<MoveOptions> = {}) =>
  moveRows({ from, to, wanted: WANTED, desired: undefined, allowLoss: false, allowChanges: false, ...options });

interface Given {
  readonly folder: string;
  readonly from: Database;
  readonly to: Database;
}

async function withTwo(fn: (given: Given) => Promise<void>, books?: number): Promise<void> {
  await withFolder(async (folder) => {
    const from = await openFile(folder, 'from.db');
    const to = await openPlaced({ file: 'to.db', root: folder });
    try {
      await fillWorld(from, books);
      await fn({ folder, from, to });
    } finally {
      await from.close();
      await to.close();
    }
  });
}

const failureOf = async (promise: Promise<unknown>): Promise<TreadleError> => {
  try {
    await promise;
  } catch (error) {
    return error as TreadleError;
  }
  throw new Error('It did not fail.');
};

// Noticing a change needs a second connection while the first one is open.
unlessAlone('database/move', test)(
  'carries every row over and back, and leaves the first database as it was',
  async () => {
    await withTwo(async ({ folder, from, to }) => {
      const before = await sumUp(from);
      const told: number[] = [];
      const there = await move(from, to, { progress: ({ done, total }) => told.push(done / total) });
      assert.is(told.at(-1), 1);
      assert.equal(there.changed, []);
      assert.equal(await sumUp(to), before);
      const back = await openFile(folder, 'back.db');
      await move(to, back);
      assert.equal(await sumUp(back), before);
      assert.equal(await sumUp(from), before);
      await back.close();
    }, 700);
  },
);

test('a dry run counts and writes nothing', async () => {
  await withTwo(async ({ from, to }) => {
    const { sums, lost } = await move(from, to, { isDryRun: true });
    assert.equal(
      sums.map(({ table, rows }) => `${table} ${rows}`),
      ['author 10', 'book 40', 'book_tag 80', 'keyless 80', 'treadle_session 2'],
    );
    assert.is(lost, 0);
    assert.equal(await sumUp(to), []);
  });
});

test('rows that are there already are refused, unless they may go', async () => {
  await withTwo(async ({ from, to }) => {
    await move(from, to);
    const before = await sumUp(to);
    assert.is((await failureOf(move(from, to))).code, 'ARCHIVE_TARGET_LOSS');
    assert.is((await move(from, to, { isDryRun: true })).lost, 210);
    assert.is((await move(from, to, { allowLoss: true })).lost, 210);
    assert.equal(await sumUp(to), before);
  });
});

test('rows that change meanwhile are noticed: nothing is moved, or what was there at the start', async () => {
  await withTwo(async ({ from, to }) => {
    const before = await sumUp(from);
    let count = 0;
    const progress = (): void => {
      if (count > 0) return;
      count += 1;
      outsideTransaction(
        () => void from.write(() => run(from, "update author set author_name = 'other' where author_id = 2")),
      );
    };
    const failure = await failureOf(move(from, to, { progress }));
    assert.is(failure.code, 'ARCHIVE_SOURCE_CHANGED');
    assert.match(failure.message, /in author\.$/);
    assert.equal(await sumUp(to), []);
    count = 0;
    await from.write(() => run(from, "update author set author_name = '' where author_id = 2"));
    const moved = await move(from, to, { progress, allowChanges: true });
    assert.equal(moved.changed, ['author']);
    assert.equal(await sumUp(to), before);
    // Enough rows that the change happens before the last of them is copied.
  }, 5000);
});

test.run();
