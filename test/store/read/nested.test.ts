import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import { createSearcher } from '../../../src/store/read/searcher.ts';
import { record } from './_explain.ts';
import { inShop } from './_shop.ts';

const test = suite('relations of related rows');

type Input = Readonly<Record<string, unknown>>;
const GUEST = { isFromClient: () => true };

test('adds the relations of related rows, one statement for each', () =>
  inShop(async ({ database, model }) => {
    const { recorded, reads } = record(database);
    const searcher = createSearcher(model);
    const find = async (input: Input): Promise<readonly Row[]> => {
      reads.length = 0;
      return (await searcher.search(recorded, 'product', { total: 0, sort: 'product_id', ...input })).rows;
    };
    const rows = await find({ expand: 'parent.review,parent.label' });
    assert.is(reads.length, 4, 'rows, parents, their reviews, their labels');
    const parent = rows[4]?.parent as Row;
    assert.equal(
      (parent.review as Row[]).map((row) => row.review_text),
      ['good', 'bad'],
    );
    assert.equal(
      (parent.label as Row[]).map((row) => row.label_name),
      ['new', 'old'],
    );
    assert.is(rows[0]?.parent, null);
    const deep = await find({ expand: 'parent.parent.review', filter: { product_id: 5 } });
    assert.is((deep[0]?.parent as Row | undefined)?.parent, null);
    const both = await find({ expand: 'review,parent.review', filter: { product_id: { in: [1, 5] } } });
    assert.equal(both[0]?.review, (both[1]?.parent as Row | undefined)?.review, 'a level shows rows as the first does');
  }));

test('fields pick columns of related rows', () =>
  inShop(async ({ find, faults }) => {
    const look = async (input: Input): Promise<Row> =>
      (await find({ total: 0, filter: { product_id: 5 }, ...input })).rows[0] as Row;
    const fields = 'product_name,parent.product_code,parent.review.review_text';
    assert.equal(await look({ expand: 'parent.review', fields }), {
      product_id: 5,
      product_name: 'five',
      parent: {
        product_id: 1,
        product_code: 'A',
        review: [
          { review_id: 1, review_text: 'good' },
          { review_id: 2, review_text: 'bad' },
        ],
      },
    });
    const inner = await look({ expand: 'parent.parent', fields: 'parent.product_name' });
    assert.is(inner.product_name, 'five', 'a level that names no column shows all');
    assert.equal(inner.parent, { product_id: 1, product_name: 'one', parent: null }, 'its keys are not shown');
    const flat = await look({ expand: 'maker', fields: 'product_name,maker.maker_name' });
    assert.equal(flat, { product_id: 5, product_name: 'five', maker_name: 'Ann Weaver' }, 'a 1:1 is in the row');
    const cases: readonly (readonly [Input, string, RegExp])[] = [
      [{ fields: 'parent.product_name' }, 'fields', /Add "parent" to "expand"/],
      [{ fields: 'parent.review.review_text', expand: 'parent' }, 'fields', /Add "parent.review" to "expand"/],
      [{ fields: 'parent.product_nam', expand: 'parent' }, 'fields', /Did you mean "product_name"/],
      [{ fields: 'maker.maker_nam', expand: 'maker' }, 'fields', /Did you mean "maker.maker_name"/],
      [{ fields: 'nothing.at_all' }, 'fields', /not a column of product/],
      [{ expand: 'parent.revew' }, 'expand', /Did you mean "review"/],
      [{ expand: 'parent.maker.x' }, 'expand', /is 1:1/],
      [{ expand: 'parent.parent.parent.review' }, 'expand', /3 relations/],
      [{ expand: 'nothing.review' }, 'expand', /not a relation of product/],
      [{ expand: 'constructor.prototype' }, 'expand', /not a relation of product/],
    ];
    for (const [input, parameter, message] of cases)
      assert.match((await faults(input, GUEST))[parameter] ?? '', message, JSON.stringify(input));
  }));

test('refuses what may bring too many rows, on a page before it is read', () =>
  inShop(async ({ faults, model, database, insert }) => {
    const over = (await faults({ expand: 'parent.review,review', limit: 100 })).expand ?? '';
    assert.match(over, /"expand" of parent, parent.review, review on 100 rows may bring 20100 rows/);
    assert.match(over, /Lower "limit" to 99/);
    assert.equal(await faults({ expand: 'parent.review,review', limit: 99 }), {});
    const searcher = createSearcher({
      ...model,
      settings: { ...model.settings, limits: { ...model.settings.limits, expandRows: 150 } },
    });
    const review = model.schemas.get('product')?.relations.find(({ name }) => name === 'review');
    const parent = model.schemas.get('product')?.relations.find(({ name }) => name === 'parent');
    if (review === undefined || parent === undefined) throw new Error('The shop has no such relation');
    const inner = [{ relation: review, fields: undefined, inner: [] }];
    const detail = (expand: readonly never[]) =>
      searcher.detail(database, 'product', { column: 'product_id', value: 5 }, { expand });
    const row = await detail([{ relation: parent, fields: undefined, inner }] as never);
    const found = row?.parent as Row | undefined;
    assert.is((found?.review as Row[] | undefined)?.length, 2);
    const twice = [...inner, { relation: { ...review, name: 'again' }, fields: undefined, inner: [] }];
    await insert(
      'review',
      ...Array.from({ length: 60 }, () => ({ review_text: 'x', product_id: 1, review_active: 1 })),
    );
    try {
      await detail([{ relation: parent, fields: undefined, inner: twice }] as never);
      assert.unreachable();
    } catch (error) {
      assert.match(String(error), 'limits.expandRows');
    }
  }));

test.run();
