import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSearcher } from '../../../../src/store/read/searcher.ts';
import { record } from '../_explain.ts';
import { inShop } from '../_shop.ts';

const test = suite('alternatives in filters');

type Input = Readonly<Record<string, unknown>>;

const either = (...or: readonly Input[]): Input => ({ or });

test('finds the rows that meet one alternative and all other conditions', () =>
  inShop(async ({ find, names }) => {
    const cases: readonly (readonly [filter: Input, names: string])[] = [
      [either({ product_stock: 1 }, { product_stock: -3 }), 'one five'],
      [either({ product_stock: { lt: 2 } }, { product_name: { starts: 'th' } }), 'one three five'],
      [either({ product_stock: 2, product_open: 1 }, { product_weight: { gt: 1 } }), 'two four'],
      [{ ...either({ product_stock: 1 }, { product_stock: 2 }), product_name: { contains: 'o' } }, 'one two'],
      [either({ product_name: 'four' }), 'four'],
      [either({ product_stock: { between: '1,2' }, product_code: 'A' }, { product_id: 5 }), 'one five'],
      [either({ 'product_data.colour': 'red' }, { 'product_data.size': 12 }), 'one two'],
      [either({ product_tags: 'a' }, { product_tags: 'b' }), 'two three'],
      [either({ 'review.review_text': 'good' }, { maker_name: 'Bob' }), 'one three four'],
      [either({ 'label.label_name': 'old' }, { 'review.review_stars': 4 }), 'one three four'],
      [either({ label_id: 2 }, { review: { null: 1 }, product_open: 1 }), 'one two four'],
      [either({ parent_id: 1 }, { product_day: '2026-01' }), 'one five'],
      [either({ product_stock: { in: [1, 2] } }, { product_meta: { k: 'v' } }), 'one two three four'],
      [either({ product_stock: null }, { product_code: { null: 0 } }), 'one three four'],
      // An alternative of all conditions is not several alternatives.
      [either({ product_stock: 2, product_name: 'two' }), 'two'],
      [either({ product_stock: 2 }, { product_name: 'two' }), 'two three'],
      // The conditions of partial indexes are written with their values.
      [either({ product_open: true, product_stock: { gte: 2 } }, { product_stock: { in: [0, 5] } }), 'two'],
      [either({ product_open: { ne: true } }, { product_stock: { gte: 3 } }), 'one three four five'],
      [{ ...either({ product_stock: 9 }, { product_stock: 1 }), product_active: 'any' }, 'one gone'],
      [{ or: { 0: { product_stock: 1 }, 1: { product_stock: -3 } } }, 'one five'],
      [{ or: { 3: { product_stock: 1 }, 7: { product_stock: -3 } } }, 'one five'],
      [{ or: undefined, product_stock: 1 }, 'one'],
    ];
    for (const [filter, expected] of cases) {
      const told = JSON.stringify(filter);
      assert.is((await names({ filter })).join(' '), expected, told);
      const { rows, total } = await find({ filter, limit: 1, sort: '-product_name' });
      assert.is(total, expected.split(' ').length, told);
      assert.is(rows[0]?.product_name, expected.split(' ').sort().at(-1), told);
      const { rows: groups } = await find({ filter, count: 1 });
      assert.is(groups[0]?.count, total, told);
    }
    assert.is((await names({ filter: either({ product_id: 1 }, { product_id: 2 }), q: 'two' })).join(), 'two');
  }));

test('walks pages of alternatives by cursor and by offset', () =>
  inShop(async ({ find }) => {
    const filter = either({ product_stock: { gte: 1 } }, { product_weight: 1.25 });
    const all = (await find({ filter, sort: '-product_name' })).rows.map((row) => row.product_name);
    assert.equal(all, ['two', 'three', 'one', 'four']);
    const seen: unknown[] = [];
    for (let after: string | undefined, left = 9; left > 0; left -= 1) {
      const { rows, next, total } = await find({ filter, sort: '-product_name', limit: 1, after });
      seen.push(...rows.map((row) => row.product_name));
      assert.is(total, 4);
      if (next === undefined) break;
      after = next;
    }
    assert.equal(seen, all);
    const { rows } = await find({ filter, sort: '-product_name', limit: 2, offset: 2 });
    assert.equal(
      rows.map((row) => row.product_name),
      all.slice(2),
    );
  }));

const BY_REQUEST = { isFromClient: () => true };

test('refuses alternatives that say nothing, too much or something else', () =>
  inShop(async ({ faults }) => {
    const many = (count: number): Input[] => Array.from({ length: count }, (_, index) => ({ product_id: index }));
    const cases: readonly (readonly [or: unknown, parameter: string, message: RegExp])[] = [
      ['x', 'filter[or]', /numbered alternatives/],
      [null, 'filter[or]', /numbered alternatives/],
      [[], 'filter[or]', /numbered alternatives/],
      [{}, 'filter[or]', /numbered alternatives/],
      [{ product_stock: 1 }, 'filter[or]', /numbered alternatives/],
      [many(11), 'filter[or]', /at most 10/],
      [[{ product_stock: 1 }, {}], 'filter[or][1]', /has no condition/],
      [[{ product_stock: undefined }], 'filter[or][0]', /has no condition/],
      [['product_stock'], 'filter[or][0]', /has no condition/],
      [[{ or: [{ product_stock: 1 }] }], 'filter[or][0][or]', /stands once/],
      [[{ product_active: 1 }], 'filter[or][0][product_active]', /cannot stand within/],
      [[{ product_active: 'any', product_stock: 1 }], 'filter[or][0][product_active]', /write filter\[product_active]/],
      [[{ product_stok: 1 }], 'filter[or][0][product_stok]', /Did you mean "product_stock"/],
      [[{ product_text: 'a' }], 'filter[or][0][product_text]', /not filterable/],
      [[{ product_stock: { gt: 'x' } }], 'filter[or][0][product_stock][gt]', /must be a number/],
      [[{ product_stock: { near: 1 } }], 'filter[or][0][product_stock][near]', /not an operator/],
      [
        many(10).map((one) => ({ ...one, product_stock: 1, product_name: 'a', product_code: 'b' })),
        'filter',
        /at most 30/,
      ],
      // A relation that only points here.
      [[{ deal: { null: 1 } }], 'filter[or][0][deal]', /not a column/],
      [[{ deal_id: 1 }], 'filter[or][0][deal_id]', /not a column/],
      [[{ 'review.review_active': 0 }], 'filter[or][0][review.review_active]', /asks for removed rows/],
    ];
    for (const [or, parameter, message] of cases) {
      const found = await faults({ filter: { or, product_name: 'one' } }, BY_REQUEST);
      assert.match(found[parameter] ?? JSON.stringify(found), message, JSON.stringify(or));
    }
  }));

test('a statement of other alternatives is another statement, and one of other values the same', () =>
  inShop(async ({ model, database }) => {
    const { recorded, reads } = record(database);
    const searcher = createSearcher(model);
    const ask = async (filter: Input): Promise<readonly [sql: string, ids: unknown[]]> => {
      const { rows } = await searcher.search(recorded, 'product', { filter, total: 0 });
      return [reads.at(-1)?.sql ?? '', rows.map((row) => row.product_id)];
    };
    const [first, some] = await ask(either({ product_stock: 1 }, { product_name: 'five' }));
    const [again, others] = await ask(either({ product_stock: 2 }, { product_name: 'four' }));
    assert.is(again, first);
    assert.equal(
      [some, others],
      [
        [1, 5],
        [2, 3, 4],
      ],
    );
    const [joined, none] = await ask(either({ product_stock: 2, product_name: 'four' }));
    assert.is.not(joined, first);
    assert.equal(none, []);
    const [plain, one] = await ask({ product_stock: 2, product_name: 'two' });
    assert.is.not(plain, joined);
    assert.equal(one, [2]);
    const [mixed, two] = await ask({ product_stock: 2, ...either({ product_name: 'two' }) });
    assert.is.not(mixed, plain);
    assert.equal(two, [2]);
  }));

test.run();
