import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../src/database/database.ts';
import { type TableVersions, WriteMoments } from '../../../src/database/version/table-version.ts';
import { createSearcher } from '../../../src/store/read/searcher.ts';
import { Totals } from '../../../src/store/read/total.ts';
import { fill, withWorld } from './_world.ts';

const test = suite('store/read/total');

/** Totals on a database of which only the version matters. */
const begin = () => {
  const state = { current: '1', asked: 0, counted: 0, isInTransaction: false };
  const moments = new WriteMoments();
  const at = { versions: moments.advance('1') };
  const database = {
    get isInTransaction() {
      return state.isInTransaction;
    },
    recentVersions: {
      find: () => undefined,
      read: (): Promise<TableVersions> => {
        state.asked += 1;
        if (state.current === 'broken') return Promise.reject(new Error('broken'));
        if (at.versions.whole !== state.current) at.versions = moments.advance(state.current);
        return Promise.resolve(at.versions);
      },
    },
  } as unknown as Database;
  const totals = new Totals();
  const count = (): Promise<number> => {
    state.counted += 1;
    return Promise.resolve(state.counted);
  };
  return { state, find: (key = 'key', work = count) => totals.find(database, key, work) };
};

test('a search asked again is counted once until something is committed', async () => {
  const { state, find } = begin();
  await find();
  for (let time = 0; time < 5; time += 1) assert.is(await find(), 2);
  assert.is(state.counted, 2, 'once plainly, once to be kept');
  await find('other');
  await find('other');
  assert.is(state.counted, 4, 'another search has its own');
  state.current = '2';
  assert.is(await find(), 5);
  assert.is(await find(), 5);
});

test('who asks at the same time shares one count', async () => {
  const { state, find } = begin();
  await find();
  assert.equal(await Promise.all([find(), find(), find()]), [2, 2, 2]);
  assert.is(state.counted, 2);
});

test('a transaction, and a search longer than a thousand characters, are always counted', async () => {
  const { state, find } = begin();
  for (let time = 0; time < 3; time += 1) await find('x'.repeat(1001));
  state.isInTransaction = true;
  for (let time = 0; time < 3; time += 1) await find();
  assert.is(state.counted, 6);
});

test('where each search comes after a commit the version is seldom asked', async () => {
  const { state, find } = begin();
  for (let time = 0; time < 320; time += 1) {
    state.current = String(time);
    await find();
  }
  assert.is(state.counted, 320);
  assert.ok(state.asked < 25, `asked ${state.asked} times`);
});

test('a count that failed is nobody else’s, and a version that fails is no failure of the search', async () => {
  const { state, find } = begin();
  await find();
  await find('key', () => Promise.reject(new Error('broken'))).then(
    () => assert.unreachable(),
    () => {},
  );
  assert.is(await find(), 2);
  state.current = 'broken';
  assert.is(await find(), 3);
});

for (const file of [false, true]) {
  test(`a total is as fresh as the rows, ${file ? 'on disk' : 'in memory'}`, () =>
    withWorld(async (world) => {
      await fill(world);
      const { database, insert } = world;
      const searcher = createSearcher(world.model);
      const total = async (q?: string): Promise<unknown> =>
        (await searcher.search(database, 'topic', q === undefined ? {} : { filter: { topic_id: { lte: q } } })).total;
      for (let time = 2; time < 12; time += 1) {
        for (let again = 0; again < 3; again += 1) assert.is(await total(), time);
        assert.is(await total('2'), 2, 'another value is another search');
        await insert('topic', { topic_name: `Topic ${time}` });
      }
      await database
        .write(async () => {
          await database.kysely.deleteFrom('topic').execute();
          assert.is(await total(), 0, 'inside its transaction');
          throw new Error('undone');
        })
        .catch((error: Error) => assert.is(error.message, 'undone'));
      assert.is(await total(), 12);
    }, file));
}

test.run();
