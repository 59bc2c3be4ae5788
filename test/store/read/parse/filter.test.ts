import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inShop, type Shop } from '../_shop.ts';

const test = suite('filters');

type Input = Readonly<Record<string, unknown>>;
type Case = readonly [filter: Input, names: string];

/** Checks names by filter, as one text. */
async function check({ names }: Shop, cases: readonly Case[]): Promise<void> {
  for (const [filter, expected] of cases) {
    assert.is((await names({ filter })).join(' '), expected, JSON.stringify(filter));
    assert.is((await names({ filter, total: 0 })).join(' '), expected);
  }
}

test('compares columns by every operator', () =>
  inShop((shop) =>
    check(shop, [
      [{ product_stock: 2 }, 'two three'],
      [{ product_stock: '-3' }, 'five'],
      [{ product_stock: 1.5 }, ''],
      [{ product_stock: { ne: 1.5 } }, 'one two three four five'],
      [{ product_stock: { lt: 1.5 } }, 'one five'],
      [{ product_stock: { lte: 1.5 } }, 'one five'],
      [{ product_stock: { gt: 1.5 } }, 'two three'],
      [{ product_stock: { gte: 1.5 } }, 'two three'],
      [{ product_stock: { lt: 1e300 } }, 'one two three five'],
      [{ product_stock: { gt: -1e300 } }, 'one two three five'],
      [{ product_stock: { in: '1,1.5,2' } }, 'one two three'],
      [{ product_stock: { nin: [2] } }, 'one four five'],
      [{ product_stock: { null: 1 } }, 'four'],
      [{ product_stock: { null: '0' } }, 'one two three five'],
      [{ product_stock: null }, 'four'],
      [{ product_weight: 0.5 }, 'one'],
      [{ product_weight: { between: '0.4,1' } }, 'one'],
      [{ product_weight: { in: [0.5, '1.25'] } }, 'one four'],
      [{ product_open: 'true' }, 'two'],
      [{ product_open: { in: [1] } }, 'two'],
      [{ product_day: '2026-01-31' }, 'one'],
      [{ product_day: { lt: '2026' } }, 'five'],
      [{ product_at: { gte: '2026-01-31', lte: '2026-01-31' } }, 'one'],
      [{ product_at: { contains: '10:00' } }, 'one'],
      [{ product_name: { starts: 'T' } }, 'two three'],
      [{ product_name: { ends: 'E' } }, 'one three five'],
      [{ product_name: { contains: '_' } }, ''],
      [{ product_name: { gt: 'four', lt: 'three' } }, 'one'],
      [{ product_code: { gt: 'A' } }, 'three'],
      [{ product_code: { in: ['A', 'B'] } }, 'one'],
      [{ product_active: 0 }, 'gone'],
      [{ product_active: 'any', product_stock: 9 }, 'gone'],
      [{ product_id: { gte: 4 } }, 'four five'],
    ]),
  ));

test('looks within JSON, texts as texts and numbers as numbers', () =>
  inShop((shop) =>
    check(shop, [
      [{ 'product_data.colour': 'red' }, 'one'],
      [{ 'product_data.colour': 'blue' }, ''],
      [{ 'product_data.colour': { contains: 'BLU' } }, 'two'],
      [{ 'product_data.colour': { null: 1 } }, 'three four five'],
      [{ 'product_data.colour': { null: 0 } }, 'one two'],
      [{ 'product_data.colour': { ne: 'red' } }, 'two three four five'],
      [{ 'product_data.colour': { in: 'red,Blue' } }, 'one two'],
      [{ 'product_data.colour': { nin: 'red' } }, 'two three four five'],
      [{ 'product_data.size': 5 }, 'one three'],
      [{ 'product_data.size': '5.0' }, 'one'],
      [{ 'product_data.size': { gt: 5 } }, 'two five'],
      [{ 'product_data.size': { in: '5.5,12' } }, 'two five'],
      [{ 'product_data.size': { between: '5.1,12' } }, 'two five'],
      [{ 'product_data.on': 'true' }, 'one'],
      [{ 'product_data.on': false }, 'two'],
      [{ 'product_data.on': 1 }, ''],
      [{ 'product_data.deep.list.0': 'x' }, 'one'],
      [{ 'product_data.deep.list.1.y': 'z' }, 'one'],
      [{ 'product_data.deep.list': { has: 'x' } }, 'one'],
      [{ 'product_data.deep.list': { has: 7 } }, 'two'],
      [{ 'product_data.deep': { null: 0 } }, 'one two'],
      [{ 'product_data.deep': 'x' }, ''],
      [{ 'product_data.0': 'first' }, 'four'],
      [{ 'product_data.1': 2 }, 'four'],
      [{ 'product_data.a b': 'blank' }, 'three'],
      [{ 'product_data.é': 'accent' }, 'three'],
      [{ "product_data.it's": { null: 1 } }, 'one two three four five'],
      [{ product_data: { colour: 'red' } }, 'one'],
      [{ product_data: { deep: { list: { has: 'x' } } } }, 'one'],
      [{ product_tags: 'a' }, 'two'],
      [{ product_tags: { has: '5' } }, 'two three'],
      [{ product_tags: { in: 'a,b' } }, 'two three'],
      [{ product_tags: { nin: 'a' } }, 'one three four five'],
      [{ product_tags: { ne: 'a' } }, 'one three four five'],
      [{ product_tags: { null: 1 } }, 'one four five'],
      [{ 'product_meta.k': 'v' }, 'four'],
      [{ product_meta: 'v' }, ''],
    ]),
  ));

test('finds rows by related ids and columns', () =>
  inShop((shop) =>
    check(shop, [
      [{ maker_id: 2 }, 'four'],
      [{ maker_name: 'Bob' }, 'four'],
      [{ 'maker.maker_name': { contains: 'weav' } }, 'one two three five'],
      [{ maker: { maker_name: 'Bob' } }, 'four'],
      [{ parent_id: 1 }, 'five'],
      [{ 'parent.product_name': 'one' }, 'five'],
      [{ 'parent.product_data.size': 5 }, 'five'],
      [{ parent: { null: 0 } }, 'five'],
      [{ parent: { null: 1 } }, 'one two three four'],
      [{ review_id: 2 }, 'one'],
      [{ 'review.review_text': 'good' }, 'one three'],
      [{ 'review.review_text': { in: 'bad,hidden' } }, 'one'],
      [{ 'review.review_stars': { gte: 4 }, 'review.review_text': 'good' }, 'one three'],
      [{ 'review.review_data.from': 'web' }, 'one'],
      [{ review: { null: 1 } }, 'two four five'],
      [{ label_id: 2 }, 'one four'],
      [{ label_id: { in: [1] } }, 'one'],
      [{ 'label.label_name': 'old' }, 'one four'],
      [{ label: { null: '1' } }, 'two three five'],
      [{ deal_id: 1 }, 'two'],
      [{ 'deal.deal_amount': { gt: 9 } }, 'two'],
      [{ deal: { null: 0 } }, 'two'],
    ]),
  ));

test('asks through what leads here for own code only', () =>
  inShop(async ({ faults, names, find }) => {
    const outside = { isFromClient: () => true };
    for (const filter of [{ deal_id: 1 }, { 'deal.deal_amount': 10 }, { deal: { null: 0 } }]) {
      const [fault = ''] = Object.values(await faults({ filter }, outside));
      assert.match(fault, 'is not a column of product', JSON.stringify(filter));
    }
    assert.equal(await names({ filter: { 'review.review_text': 'bad' } }, outside), ['one']);
    const [fault = ''] = Object.values(await faults({ filter: { product_id: 4 } }, outside, 'label'));
    assert.match(fault, 'is not a column of label', 'a join table tells of both ends');
    const labels = await find({ filter: { product_id: 4 } }, {}, 'label');
    assert.equal(
      labels.rows.map(({ label_name }) => label_name),
      ['old'],
    );
    const byCode = (...path: string[]) => path.join() !== 'filter,deal,null';
    assert.equal(
      await names({ filter: { deal: { null: 0 } } }, { isFromClient: byCode }),
      ['two'],
      'by what brought it',
    );
  }));

test('only own code may ask for removed rows, with any operator', () =>
  inShop(async ({ faults, names }) => {
    const removed: readonly Input[] = [
      ...[0, '0', 'any', -1, '-1', false, null, [0, 1]].map((value) => ({ filter: { product_active: value } })),
      ...['eq', 'ne', 'in', 'nin', 'null', 'lt', 'gte'].map((key) => ({ filter: { product_active: { [key]: 0 } } })),
      { in: { product_active: '0,1' } },
      { span: { product_active: '0,1' } },
      { null: 'product_active' },
      { notnull: ['product_active'] },
      { filter: { maker_active: 0 } },
      { filter: { 'maker.maker_active': 0 } },
      { filter: { 'review.review_active': { ne: 1 } } },
      { filter: { product_active: 'any' }, group: 'product_day' },
    ];
    const outside = { isFromClient: () => true };
    for (const input of removed) {
      const [fault = ''] = Object.values(await faults(input, outside));
      assert.match(fault, /removed rows, but a request may only send 1|must be 1, 0 or any/, JSON.stringify(input));
    }
    for (const value of [1, '1', true, { eq: 1 }]) {
      assert.equal(await faults({ filter: { product_active: value } }, outside), {}, JSON.stringify(value));
    }
    const open = { ...outside, isRemovedOpen: true };
    assert.equal(await names({ filter: { product_active: 0 } }, open), ['gone']);
    assert.equal(await names({ filter: { product_active: 0 } }), ['gone']);
  }));

test('finds nothing by the id of a removed row', () =>
  inShop(async ({ names }) => {
    assert.equal(await names({ filter: { review_id: 1 } }), ['one']);
    assert.equal(await names({ filter: { review_id: 3 } }), []);
  }));

test('refuses what cannot be, each by its parameter', () =>
  inShop(async ({ faults }) => {
    const cases: readonly (readonly [Input, RegExp])[] = [
      [{ product_nam: 1 }, /Did you mean "product_name"/],
      [{ product_text: 'x' }, /is not filterable/],
      [{ 'product_name.x': 1 }, /product_name is not JSON/],
      [{ 'product_data.': 1 }, /is not a valid path/],
      [{ 'product_data.a"b': 1 }, /is not a valid path/],
      [{ 'product_data.a[0]': 1 }, /is not a valid path/],
      [{ 'product_data.a\\b': 1 }, /is not a valid path/],
      [{ 'product_data.a\u0000': 1 }, /is not a valid path/],
      [{ [`product_data.${'x'.repeat(65)}`]: 1 }, /is not a valid path/],
      [{ 'product_data.a.b.c.d.e.f.g.h.i': 1 }, /is not a valid path/],
      [{ product_data: { contains: 'x' } }, /is a list/],
      [{ product_data: { gt: 1 } }, /is a list/],
      [{ product_stock: 'x' }, /must be a number/],
      [{ product_stock: { in: ['x'] } }, /must be a number/],
      [{ product_stock: { contains: '1' } }, /for text only/],
      [{ product_stock: { has: '1' } }, /for lists only/],
      [{ product_name: 'a\u0000' }, /U\+0000/],
      [{ product_name: { contains: '\u0000' } }, /U\+0000/],
      [{ 'product_data.colour': '\u0000' }, /U\+0000/],
      [{ product_name: { toString: 'x' } }, /not an operator/],
      [{ product_name: ['x', {}] }, /must be one value/],
      [{ product_active: { toString: 'x' } }, /must be 1, 0 or any/],
      [{ 'review.review_tex': 'x' }, /Did you mean "review.review_text"/],
      [{ 'maker.maker_secret': 'x' }, /is not filterable/],
      [{ review: 'x' }, /add a column after a dot/],
      [{ review: { null: 'x' } }, /must be 1 or 0/],
      [{ label_id: { gt: 1 } }, /use eq or in/],
    ];
    for (const [filter, message] of cases) {
      const found = await faults({ filter });
      assert.match(Object.values(found)[0] ?? '', message, JSON.stringify(filter));
      assert.ok(Object.keys(found)[0]?.startsWith('filter'));
    }
    const many = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`product_data.k${index}`, 1]));
    assert.match((await faults({ filter: many })).filter ?? '', 'at most 30');
    assert.match(
      (await faults({ filter: { product_stock: Array.from({ length: 1001 }, () => 1) } }))['filter[product_stock]'] ??
        '',
      '1000',
    );
  }));

test("takes the older system's names", () =>
  inShop(async ({ names }) => {
    assert.equal(await names({ like: { 'product_data.colour': 'RE' } }), ['one']);
    assert.equal(await names({ in: { product_tags: ['a', 'b'] } }), ['two', 'three']);
    assert.equal(await names({ span: { 'product_data.size': [5.1, ''] } }), ['two', 'five']);
    assert.equal(await names({ null: 'product_stock' }), ['four']);
    assert.equal(await names({ notnull: ['product_data.deep'] }), ['one', 'two']);
  }));

test.run();
