import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inShop } from '../_shop.ts';

const test = suite('groups and sums');

type Input = Readonly<Record<string, unknown>>;

test('counts, adds up and groups alike on both databases', () =>
  inShop(async ({ find }) => {
    const cases: readonly (readonly [Input, unknown[], number])[] = [
      [{ count: 1 }, [{ count: 5 }], 1],
      [{ count: 'product_code' }, [{ count: 2 }], 1],
      [{ sum: 'product_stock' }, [{ count: 5, total: 2 }], 1],
      [{ sum: 'product_weight', filter: { product_id: { gt: 100 } } }, [{ count: 0, total: 0 }], 1],
      [
        { group: 'product_stock' },
        [
          { product_stock: null, count: 1 },
          { product_stock: -3, count: 1 },
          { product_stock: 1, count: 1 },
          { product_stock: 2, count: 2 },
        ],
        4,
      ],
      [
        { group: 'product_stock', sort: '-count,-product_stock', limit: 2 },
        [
          { product_stock: 2, count: 2 },
          { product_stock: 1, count: 1 },
        ],
        4,
      ],
      [
        { group: 'maker_name', sum: 'product_weight', sort: { total: 'DESC' } },
        [
          { maker_name: 'Bob', count: 1, total: 1.25 },
          { maker_name: 'Ann Weaver', count: 4, total: 0.5 },
        ],
        2,
      ],
      [
        { group: ['product_day:month'], filter: { product_day: { null: 0 } } },
        [
          { product_day: '2025-12', count: 1 },
          { product_day: '2026-01', count: 1 },
        ],
        2,
      ],
      [{ group: 'product_at:year', filter: { product_at: { null: 0 } } }, [{ product_at: '2026', count: 1 }], 1],
      [
        { group: 'product_day:week', filter: { product_day: { null: 0 } } },
        [
          { product_day: '2025-W49', count: 1 },
          { product_day: '2026-W05', count: 1 },
        ],
        2,
      ],
      [
        { group: 'product_at:hour', filter: { product_at: { null: 0 } } },
        [{ product_at: '2026-01-31 10', count: 1 }],
        1,
      ],
      [{ least: 'product_stock', greatest: 'product_stock' }, [{ count: 5, least: -3, greatest: 2 }], 1],
      [
        { least: 'product_day', greatest: 'product_at' },
        [{ count: 5, least: '2025-12-01', greatest: '2026-01-31 10:00:00' }],
        1,
      ],
      [{ least: 'product_weight', filter: { product_id: { gt: 100 } } }, [{ count: 0, least: null }], 1],
      [{ greatest: 'product_weight', q: '!!!' }, [{ count: 0, greatest: null }], 1],
      [
        { group: 'maker_name', greatest: 'product_weight', sum: 'product_stock', sort: '-greatest' },
        [
          { maker_name: 'Bob', count: 1, total: 0, greatest: 1.25 },
          { maker_name: 'Ann Weaver', count: 4, total: 2, greatest: 0.5 },
        ],
        2,
      ],
      [{ group: 'product_name', q: 'tw' }, [{ product_name: 'two', count: 1 }], 1],
      [{ count: 1, q: '!!!' }, [{ count: 0 }], 1],
      [{ group: 'product_name', q: '!!!' }, [], 0],
      [{ group: 'product_open', offset: 1 }, [{ product_open: 1, count: 1 }], 2],
    ];
    for (const [input, rows, total] of cases) {
      assert.equal(await find(input), { rows, total }, JSON.stringify(input));
      assert.equal(await find({ ...input, total: 0 }), { rows });
    }
  }));

test('refuses what has no sense, and columns that are not there', () =>
  inShop(async ({ faults, find }) => {
    const cases: readonly (readonly [Input, RegExp])[] = [
      [{ group: 'product_nam' }, /Did you mean "product_name"/],
      [{ group: 'product_data' }, /is not a column to group by/],
      [{ group: 'product_name:day' }, /add :hour, :day/],
      [{ group: 'product_day:weak' }, /add :hour, :day, :week, :month or :year/],
      [{ group: 'product_day:day:day' }, /add :hour, :day/],
      [{ group: 'maker_id); drop table product;--' }, /is not a column/],
      [{ group: Array.from({ length: 6 }, () => 'product_id') }, /at most 5/],
      [{ sum: 'product_name' }, /is not a number/],
      [{ least: 'product_name' }, /is not a number or a time/],
      [{ greatest: 'product_data' }, /is not a number or a time/],
      [{ greatest: 'product_stok' }, /Did you mean "product_stock"/],
      [{ least: 'product_stock', sort: 'greatest' }, /is not a column of the groups/],
      [{ group: 'product_day:hour' }, /a date has no hours/],
      [{ sum: ['product_stock'] }, /is not a column/],
      [{ count: 'x' }, /is not a column/],
      [{ group: 'product_id', sort: 'product_name' }, /is not a column of the groups/],
      [{ group: 'product_id', after: 'x' }, /cannot be combined with groups/],
      [{ group: 'product_id', expand: 'review' }, /cannot be combined with groups/],
      [{ count: 1, fields: 'product_id' }, /cannot be combined with groups/],
    ];
    for (const [input, message] of cases) {
      assert.match(Object.values(await faults(input))[0] ?? '', message, JSON.stringify(input));
    }
    const nobody = await find({ sum: 'deal_amount' }, { rows: { owner: 1 } }, 'deal');
    assert.equal(
      nobody,
      { rows: [{ count: 0, total: 0 }], total: 1 },
      'a schema without owners has nothing for a user',
    );
  }));

test.run();
