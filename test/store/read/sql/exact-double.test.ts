// Also on PostgreSQL, which reads the same lists.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toExactItem } from '../../../../src/model/filter/exact-item.ts';
import { judgeRows } from '../../../../src/store/read/judge.ts';
import { createSearcher } from '../../../../src/store/read/searcher.ts';
import { withWorld } from '../_world.ts';

const test = suite('exact doubles in lists');

/** SQLite reads each of these one unit off in a JSON text; the last ones are whole or tiny. */
const DOUBLES: readonly number[] = [
  ...[7.615044731764399, 2831.352959665556, 71522509.7084601, 4873998.256524703, 4.817162632576379, 5.905354965108637],
  ...[0.000786404310900981, 7262928.676402546, 0.007475675445737628, 761252.163194408, 6149175.899325551],
  ...[730.352774938604, 7.739828527871635, 0.000870653894702807, 558288.767558861, -4.690744651415097],
  ...[-7586215.605167381, 0.003663457476204417, 0.641685475523394, 548.032623827338, 0.1, 2 / 3, 1 / 1024, 5],
  ...[9007199254740992, 2 ** -62, 1.5 * 2 ** -70],
];
const SCHEMA = {
  name: 'item',
  singular: 'Item',
  plural: 'Items',
  fields: [{ name: 'size', type: 'float', filterable: true, sortable: true }],
};

test('a list of a filter and of a rule holds each double, and no other', () =>
  withWorld(
    async ({ model, database, insert }) => {
      await insert('item', ...DOUBLES.map((item_size) => ({ item_size })));
      const searcher = createSearcher(model);
      const find = async (operator: string, list: readonly unknown[]): Promise<unknown[]> => {
        const filter = { item_size: { [operator]: list } };
        const { rows } = await searcher.search(database, 'item', { filter, limit: 100, sort: 'item_id' });
        return rows.map((row) => row.item_size);
      };
      assert.equal(await find('in', DOUBLES), DOUBLES);
      assert.equal(await find('in', DOUBLES.map(String)), DOUBLES, 'as texts of a query');
      assert.equal(await find('nin', DOUBLES.slice(1)), DOUBLES.slice(0, 1));
      const rows = DOUBLES.map((item_size, index) => ({ item_id: index + 1, item_size }));
      for (const [operator, value] of [
        ['in', DOUBLES],
        ['gte', Math.min(...DOUBLES)],
      ] as const) {
        const verdicts = await judgeRows({ model, database }, 'item', rows, {
          anyOf: [{ item_size: { [operator]: value } }],
        });
        assert.is(verdicts.filter((verdict) => verdict !== undefined).length, DOUBLES.length, operator);
      }
      for (const [index, value] of DOUBLES.entries()) {
        const verdicts = await judgeRows({ model, database }, 'item', rows, { anyOf: [{ item_size: value }] });
        const judged = verdicts.flatMap((verdict, at) => (verdict === undefined ? [] : [at]));
        assert.equal(judged, [index], String(value));
      }
    },
    false,
    [SCHEMA],
  ));

test('a double is a whole number that is halved, or stays a decimal', () => {
  const table: readonly (readonly [number, unknown])[] = [
    [5, 5],
    [-0.75, [-3, 2, 0, -0.75]],
    [0.1, [3602879701896397, 55, 0, 0.1]],
    [2 ** -70, [1, 62, 8, 2 ** -70]],
    [5e-324, 5e-324],
    [1e300, 1e300],
  ];
  for (const [number, item] of table) assert.equal(toExactItem(number), item, String(number));
});

test.run();
