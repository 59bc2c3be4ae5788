import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSearcher } from '../../../../src/store/read/searcher.ts';
import { type World, withWorld } from '../_world.ts';

const test = suite('sums');

const SCHEMA = {
  name: 'bill',
  singular: 'Bill',
  plural: 'Bills',
  fields: [
    { name: 'group', type: 'text', filterable: true },
    { name: 'price', type: 'price', sortable: true },
    { name: 'count', type: 'number', sortable: true },
    { name: 'weight', type: 'float', sortable: true },
    { name: 'stars', type: 'stars' },
  ],
};

const MOST = 2 ** 53 - 1;
/** Column, values, their sum. */
const SUMS: readonly (readonly [string, readonly number[], number | string])[] = [
  ['price', [], 0],
  ['price', [0.1, 0.2], 0.3],
  ['price', [0.1, 0.2, -0.3], 0],
  ['price', [19.99, 5.01, 0.07], 25.07],
  ['price', Array.from({ length: 50 }, () => 0.07), 3.5],
  ['price', [9_999_999_999_999.99, -9_999_999_999_999.98], 0.01],
  ['price', Array.from({ length: 40 }, () => 9_999_999_999_999.99), 399_999_999_999_999.6],
  ['price', Array.from({ length: 2000 }, () => 9_999_999_999_999.99), 19_999_999_999_999_980],
  ['price', [...Array.from({ length: 2000 }, () => 9_999_999_999_999.99), 0.01], '19999999999999980.01'],
  ['price', [...Array.from({ length: 2000 }, () => -9_999_999_999_999.99), -0.01], '-19999999999999980.01'],
  ['count', [MOST, 1], 9007199254740992],
  ['count', [MOST, 2], '9007199254740993'],
  ['count', [-MOST, -2], '-9007199254740993'],
  ['count', Array.from({ length: 2000 }, () => MOST), 18_014_398_509_481_982_000],
  ['count', [MOST, -MOST, 7], 7],
  ['weight', [0.1, 0.2], 0.3],
  ['weight', [2 / 3], 2 / 3],
  ['weight', [2 / 3, 0.1], 2 / 3 + 0.1],
  ['weight', [1 / 3, 2 / 3, 1 / 7, 0.5], 1.64285714285714],
  ['weight', [1.797e308], 1.797e308],
  ['weight', [-1.797e308, 1.797e308], 0],
  ['weight', [5e-324], 5e-324],
  ['weight', [1e21], 1e21],
  ['stars', [0.5, 4.5, 3], 8],
];

async function fill({ insert }: World): Promise<void> {
  for (const [index, [column, values]] of SUMS.entries()) {
    const rows = values.map((value) => ({ bill_group: `g${index}`, [`bill_${column}`]: value }));
    for (let start = 0; start < rows.length; start += 200) await insert('bill', ...rows.slice(start, start + 200));
  }
}

test('adds up money, whole numbers and decimals exactly, the same on both databases', () =>
  withWorld(
    async (world) => {
      await fill(world);
      const searcher = createSearcher(world.model);
      for (const [index, [column, values, sum]] of SUMS.entries()) {
        const input = { sum: `bill_${column}`, filter: { bill_group: `g${index}` } };
        const { rows } = await searcher.search(world.database, 'bill', input);
        assert.equal(rows, [{ count: values.length, total: sum }], `${column} ${values.slice(0, 4).join()}`);
      }
      const groups = { group: 'bill_group', sum: 'bill_count', sort: '-total', limit: 2 };
      const { rows } = await searcher.search(world.database, 'bill', groups);
      assert.equal(
        rows.map(({ total }) => total),
        [18_014_398_509_481_982_000, '9007199254740993'],
      );
    },
    false,
    [SCHEMA],
  ));

test.run();
