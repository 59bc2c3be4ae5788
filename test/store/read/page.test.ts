import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import type { SearchResult } from '../../../src/store/read/answer.ts';
import { createSearcher } from '../../../src/store/read/searcher.ts';
import { inShop, type Shop } from './_shop.ts';

const test = suite('pages');

/** mulberry32: the same seed gives the same rows. */
function createDraw(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SORTS = [
  'product_id',
  '-product_id',
  'product_stock',
  '-product_stock',
  'product_weight,-product_name',
  '-product_weight,product_name',
  'product_open,product_stock,-product_weight',
  '-product_open,-product_stock,product_code',
  'product_code',
  '-product_code,product_day',
  'product_data.size',
  '-product_data.size,product_stock',
];

function toProduct(draw: () => number, index: number): Row {
  const some = <T>(list: readonly T[]): T => list[Math.floor(draw() * list.length)] as T;
  const size = some([1, 2, 2.5, '1', 'x', true, null, [], undefined]);
  return {
    product_name: some(['a', 'A', 'b', 'é', null]),
    product_stock: some([null, -1, 0, 1]),
    product_weight: some([null, 0.5, 1.5]),
    product_open: some([null, 0, 1]),
    product_code: draw() < 0.5 ? null : `c${index}`,
    product_day: some([null, '2026-01-01', '2026-01-02']),
    product_data: size === undefined ? null : JSON.stringify({ size }),
    product_active: 1,
    maker_id: 1,
  };
}

const ids = ({ rows }: SearchResult): number[] => rows.map((row) => Number(row.product_id));

async function walk(shop: Shop, input: Row, limit: number, between?: () => Promise<void>): Promise<SearchResult[]> {
  const pages: SearchResult[] = [];
  for (let after: string | undefined; ; ) {
    const page: SearchResult = await shop.find({ ...input, limit, ...(after === undefined ? {} : { after }) });
    pages.push(page);
    assert.ok(pages.length < 200, 'an end');
    after = page.next;
    if (after === undefined) return pages;
    await between?.();
  }
}

test('H5: gives each row once by cursor, both ways, with nulls, ties and every direction', () =>
  inShop(async (shop) => {
    const draw = createDraw(7);
    await shop.insert('product', ...Array.from({ length: 40 }, (_, index) => toProduct(draw, index)));
    for (const sort of SORTS) {
      const all = ids(await shop.find({ sort, limit: 100 }));
      assert.is(new Set(all).size, 45, sort);
      for (const limit of [1, 3, 7]) {
        const pages = await walk(shop, { sort, total: 0 }, limit);
        assert.equal(pages.flatMap(ids), all, `${sort} by ${limit}`);
        let before = pages.at(-1)?.previous;
        const back: number[] = ids(pages.at(-1) as SearchResult);
        while (before !== undefined) {
          const page = await shop.find({ sort, limit, before, total: 0 });
          back.unshift(...ids(page));
          before = page.previous;
        }
        assert.equal(back, all, `${sort} back by ${limit}`);
      }
      const words = await walk(shop, { sort, q: 'a' }, 2);
      const found = ids(await shop.find({ sort, q: 'a', limit: 100 }));
      assert.equal(words.flatMap(ids), found, `${sort} among words`);
      const [, second] = await walk(shop, { sort }, 5);
      const skipped = await shop.find({ sort, limit: 5, offset: 2, after: (await shop.find({ sort, limit: 5 })).next });
      assert.equal(ids(skipped).slice(0, 3), ids(second as SearchResult).slice(2), `${sort} with an offset`);
    }
  }));

test('misses and repeats nothing while rows come and go', () =>
  inShop(async (shop) => {
    const draw = createDraw(11);
    await shop.insert('product', ...Array.from({ length: 30 }, (_, index) => toProduct(draw, index)));
    for (const [round, sort] of SORTS.entries()) {
      const stable = new Set(ids(await shop.find({ sort, limit: 100 })));
      const come = async (): Promise<void> => {
        const [gone] = [...stable].sort(() => draw() - 0.5);
        await shop.insert('product', toProduct(draw, 1000 * (round + 1) + Math.floor(draw() * 1e6)));
        const isCursorRow = draw() < 0.5;
        if (!isCursorRow || gone === undefined) return;
        stable.delete(gone);
        await shop.database.kysely
          .updateTable('product')
          .set({ product_active: 0 })
          .where('product_id', '=', gone)
          .execute();
      };
      const seen = (await walk(shop, { sort }, 4, come)).flatMap(ids);
      assert.is(new Set(seen).size, seen.length, `${sort}: none twice`);
      for (const id of stable) assert.ok(seen.includes(id), `${sort}: ${id} is seen`);
    }
  }));

test('sorts alike on both databases: nothing first, then numbers, then texts, in binary order', () =>
  inShop(async ({ names, insert }) => {
    assert.equal(await names({ sort: 'product_stock' }), ['four', 'five', 'one', 'two', 'three']);
    assert.equal(await names({ sort: '-product_stock' }), ['three', 'two', 'one', 'five', 'four']);
    assert.equal(await names({ sort: 'product_data.size' }), ['four', 'one', 'five', 'two', 'three']);
    assert.equal(await names({ sort: '-product_data.size' }), ['three', 'two', 'five', 'one', 'four']);
    assert.equal(await names({ sort: 'product_data.colour,-product_id' }), ['five', 'four', 'three', 'two', 'one']);
    await insert('product', { product_name: 'Zoo', maker_id: 1, product_active: 1 });
    await insert('product', { product_name: 'éa', maker_id: 1, product_active: 1 });
    const sorted = ['Zoo', 'five', 'four', 'one', 'three', 'two', 'éa'];
    assert.equal(await names({ sort: 'product_name' }), sorted);
  }));

test('refuses sorts, fields and cursors that cannot be', () =>
  inShop(async ({ faults, find }) => {
    const first = async (input: Row): Promise<string> => Object.values(await faults(input))[0] ?? '';
    assert.match(await first({ sort: 'product_data' }), 'sort by a key within it');
    assert.match(await first({ sort: 'product_name.x' }), 'is not JSON');
    assert.match(await first({ sort: 'product_meta.k' }), 'is not sortable');
    assert.match(await first({ sort: 'product_data."' }), 'sort by a key within it');
    assert.match(await first({ sort: 'maker_name' }), 'is not sortable');
    assert.match(await first({ sort: Array.from({ length: 6 }, () => 'product_id') }), 'at most 5');
    assert.match(await first({ fields: ['product_name', 'maker_secrt'] }), 'Did you mean "maker_secret"');
    const forge = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');
    for (const after of [
      forge('product_stock,product_id', 'x', 1),
      forge('product_stock,product_id', 1.5, 1),
      forge('product_stock,product_id', 1, null),
      forge('product_stock,product_id', 1, '1'),
      forge('product_stock,product_id', 1),
      forge('-product_stock,-product_id', 1, 1),
      forge('product_stock,product_id', 1e300, 1),
      'x',
      '',
      '%%',
    ].filter(Boolean)) {
      assert.match(await first({ sort: 'product_stock', after }), 'not a cursor of this search', after);
    }
    assert.match(
      await first({ sort: 'product_name', after: forge('product_name,product_id', 'a\u0000', 1) }),
      'not a cursor',
    );
    const { next } = await find({ sort: 'product_data.size', limit: 1 });
    assert.match(await first({ sort: 'product_data.colour', after: next }), 'not a cursor of this search');
  }));

test('shows what a list leaves out', () =>
  inShop(async ({ find, insert, model, database }) => {
    const review = (index: number) => ({ review_text: `r${index}`, product_id: 2, review_active: 1 });
    await insert('review', ...Array.from({ length: 100 }, (_, index) => review(index)));
    const look = async (): Promise<Row> => (await find({ expand: 'review', filter: { product_id: 2 } })).rows[0] ?? {};
    assert.is(((await look()).review as unknown[]).length, 100);
    assert.not('review_more' in (await look()));
    await insert('review', review(100));
    const row = await look();
    assert.is((row.review as unknown[]).length, 100);
    assert.is(row.review_more, true);
    const searcher = createSearcher(model);
    const detail = async (id: number): Promise<Row> =>
      (await searcher.detail(database, 'product', { column: 'product_id', value: id })) ?? {};
    assert.is(((await detail(2)).review as unknown[]).length, 101);
    assert.not('review_more' in (await detail(2)));
    await insert('review', ...Array.from({ length: 900 }, (_, index) => review(index)));
    const whole = await detail(2);
    assert.is((whole.review as unknown[]).length, 1000);
    assert.is(whole.review_more, true);
    const unique = await searcher.detail(database, 'product', { column: 'product_code', value: 'A' });
    assert.not('review_more' in (unique ?? {}));
  }));

test('refuses an expansion that could bring too many rows', () =>
  inShop(async ({ faults, find }) => {
    assert.ok(await find({ expand: 'review,label,parent', limit: 50, total: 0 }).catch(() => true));
    const fault = (await faults({ expand: 'review,label', limit: 100, fields: 'product_id' })).expand ?? '';
    assert.is(fault, '');
    const over = (await faults({ expand: 'review,label,parent', limit: 100 })).expand ?? '';
    assert.match(over, '20100 rows');
    assert.match(over, 'limits.expandRows');
    assert.match(over, '"limit" to 99');
  }));

test.run();
