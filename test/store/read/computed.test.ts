import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Grant } from '../../../src/core/access.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { SearchError } from '../../../src/store/read/answer.ts';
import type { SearchOptions } from '../../../src/store/read/search.ts';
import { createSearcher, type Searcher } from '../../../src/store/read/searcher.ts';
import { fillShop, toShop } from './_computed-shop.ts';
import { type World, withWorld } from './_world.ts';

const test = suite('searches of computed fields');

interface Shop extends World {
  readonly searcher: Searcher;
}

const withShop = (fn: (shop: Shop) => Promise<void>): Promise<void> =>
  withWorld(
    async (world) => {
      await fillShop(world);
      await fn({ ...world, searcher: createSearcher(world.model) });
    },
    true,
    toShop(),
  );

/** Rows may be JSON texts until somebody reads them. */
const read = (value: unknown): Row[] => JSON.parse(JSON.stringify(value)) as Row[];

async function find({ searcher, database }: Shop, input: Row, options?: SearchOptions): Promise<Row[]> {
  return read((await searcher.search(database, 'sale', input, options)).rows);
}

const COMPUTED: readonly (readonly [name: string, values: readonly unknown[]])[] = [
  ['sale_lines', [2, 2, 0, 1]],
  ['sale_net', ['137.50', '0.10', '0.00', '-0.10']],
  ['sale_gross', ['163.63', '0.11', null, '-0.12']],
  ['sale_mean', [68.75, 0.05, null, -0.1]],
  ['sale_large', [1, 0, 0, 0]],
  ['sale_year', [2026, 2026, null, 2025]],
  ['sale_hint', ['nA', 'B', 'C', 'xD']],
  ['sale_double', [0.2, null, -1, 6]],
  ['sale_points', [12, 0, 0, 7]],
  ['sale_late', [null, 'late', null, null]],
  ['customer_label', ['Ann, Ulm', 'Ann, Ulm', 'Bob, ?', 'Bob, ?']],
  ['customer_sales', [2, 2, 2, 2]],
];

test('rows show computed values: in lists, in chosen fields, beside related rows and in details', () =>
  withShop(async (shop) => {
    const { searcher, database } = shop;
    const rows = await find(shop, {});
    const expanded = await find(shop, { expand: 'line' });
    const page = await find(shop, { limit: 2, offset: 1 });
    for (const [name, values] of COMPUTED) {
      assert.equal(
        rows.map((row) => row[name]),
        values,
        name,
      );
      assert.equal(
        expanded.map((row) => row[name]),
        values,
        name,
      );
      assert.equal(
        page.map((row) => row[name]),
        values.slice(1, 3),
        name,
      );
      const chosen = await find(shop, { fields: `${name},sale_title`, sort: 'sale_title' });
      assert.equal(
        chosen.map((row) => [Object.keys(row), row[name]]),
        values.map((value) => [['sale_id', name, 'sale_title'], value]),
        name,
      );
      for (const [index, value] of values.entries()) {
        const [row] = read([await searcher.detail(database, 'sale', { column: 'sale_id', value: index + 1 })]);
        assert.equal(row?.[name], value, `${name} of ${index + 1}`);
      }
    }
    const [detail] = read([await searcher.detail(database, 'sale', { column: 'sale_id', value: 1 })]);
    assert.equal(
      ((detail?.line ?? []) as Row[]).map((line) => line.line_amount),
      ['37.50', '100.00'],
    );
    assert.equal(
      ((expanded[1]?.line ?? []) as Row[]).map((line) => line.line_amount),
      ['0.10', null],
    );
  }));

const FILTERS: readonly (readonly [filter: Row, titles: string])[] = [
  [{ sale_net: '137.5' }, 'A'],
  [{ sale_net: { gte: '0' } }, 'ABC'],
  [{ sale_net: { in: '0.1,-0.1' } }, 'BD'],
  [{ sale_net: { between: '-1,0.05' } }, 'CD'],
  [{ sale_gross: { null: 1 } }, 'C'],
  [{ sale_lines: 2 }, 'AB'],
  [{ sale_lines: { ne: 2 } }, 'CD'],
  [{ sale_mean: { gt: 0.049 } }, 'AB'],
  [{ sale_large: 1 }, 'A'],
  [{ sale_hint: { contains: 'a' } }, 'A'],
  [{ sale_hint: { starts: 'x' } }, 'D'],
  [{ sale_year: { nin: [2026] } }, 'CD'],
  [{ sale_late: { null: 0 } }, 'B'],
  [{ sale_double: 0.2 }, 'A'],
  [{ customer_label: 'Bob, ?' }, 'CD'],
  [{ 'line.line_amount': { lt: '0.1' } }, 'D'],
  [{ 'customer.customer_label': 'Ann, Ulm' }, 'AB'],
];

test('filters compare computed values, those of related rows too', () =>
  withShop(async (shop) => {
    for (const [filter, titles] of FILTERS) {
      const rows = await find(shop, { filter, total: 1 });
      assert.is(rows.map((row) => row.sale_title).join(''), titles, JSON.stringify(filter));
    }
    await find(shop, { filter: { 'customer.customer_sales': 1 } }).then(
      () => assert.unreachable(),
      (error) => assert.ok(error instanceof SearchError && /not filterable/.test(error.message), String(error)),
    );
  }));

test('sorts and cursors follow computed values', () =>
  withShop(async (shop) => {
    const { searcher, database } = shop;
    const SORTS = {
      sale_net: 'DCBA',
      '-sale_mean': 'ABDC',
      sale_gross: 'CDBA',
      '-sale_hint': 'DACB',
      sale_double: 'BCAD',
      '-sale_late': 'BDCA',
      sale_year: 'CDAB',
    };
    for (const [sort, titles] of Object.entries(SORTS)) {
      const all = (await find(shop, { sort })).map((row) => row.sale_title).join('');
      assert.is(all, titles, sort);
      let walked = '';
      let input: Row | undefined = { sort, limit: 1 };
      while (input !== undefined) {
        const result: Awaited<ReturnType<Searcher['search']>> = await searcher.search(database, 'sale', input);
        walked += read(result.rows)
          .map((row) => row.sale_title)
          .join('');
        input = result.next === undefined ? undefined : { sort, limit: 1, after: result.next };
      }
      assert.is(walked, titles, `pages of ${sort}`);
    }
  }));

test('groups, sums and averages take computed values', () =>
  withShop(async (shop) => {
    const group = (input: Row) => find(shop, input);
    assert.equal(await group({ group: 'sale_lines', sum: 'sale_net' }), [
      { sale_lines: 0, count: 1, total: '0.00' },
      { sale_lines: 1, count: 1, total: '-0.10' },
      { sale_lines: 2, count: 2, total: '137.60' },
    ]);
    assert.equal(await group({ group: 'sale_large' }), [
      { sale_large: 0, count: 3 },
      { sale_large: 1, count: 1 },
    ]);
    assert.equal(await group({ sum: 'sale_lines', count: 'sale_gross' }), [{ count: 3, total: 5 }]);
  }));

test('q and computed values go together', () =>
  withShop(async (shop) => {
    const rows = await find(shop, { q: 'a', sort: '-sale_net', filter: { sale_large: 1 } });
    assert.equal(
      rows.map((row) => row.sale_net),
      ['137.50'],
    );
  }));

test('counts and sums leave out related rows and columns that the caller may not see', () =>
  withShop(async (shop) => {
    const { searcher, database } = shop;
    const see = (grants: Readonly<Record<string, Grant | undefined>>): SearchOptions => ({
      see: (schema) => (schema in grants ? grants[schema] : {}),
    });
    const cheap = see({ line: { rows: { anyOf: [{ line_cost: { lt: 50 } }] } } });
    const rows = await find(shop, {}, cheap);
    assert.equal(
      rows.map((row) => row.sale_net),
      ['37.50', '0.10', '0.00', '-0.10'],
    );
    assert.equal(
      rows.map((row) => row.sale_lines),
      [1, 2, 0, 1],
    );
    assert.equal((await find(shop, { filter: { sale_net: { gt: 50 } } }, cheap)).length, 0);
    assert.equal((await find(shop, { sort: '-sale_lines' }, cheap)).map((row) => row.sale_title).join(''), 'BDAC');
    assert.equal(
      (await find(shop, { group: 'sale_lines' }, cheap)).map((row) => [row.sale_lines, row.count]),
      [
        [0, 1],
        [1, 2],
        [2, 1],
      ],
    );
    const [detail] = read([await searcher.detail(database, 'sale', { column: 'sale_id', value: 1 }, cheap)]);
    assert.is(detail?.sale_net, '37.50');
    const nothing = await find(shop, {}, see({ line: undefined, tag: undefined }));
    assert.equal(
      nothing.map((row) => [row.sale_lines, row.sale_net, row.sale_points]),
      Array(4).fill([0, '0.00', 0]),
    );
    const costless = see({ line: { read: new Set(['line_count', 'line_active']) } });
    const [row] = await find(shop, {}, costless);
    assert.is(Object.hasOwn(row as Row, 'sale_net'), false);
    assert.is(row?.sale_lines, 2);
    for (const input of [{ sort: 'sale_net' }, { filter: { sale_gross: 1 } }, { fields: 'sale_mean' }]) {
      await searcher.search(database, 'sale', input, { ...costless, isFromClient: () => true }).then(
        () => assert.unreachable(JSON.stringify(input)),
        (error) => assert.ok(error instanceof SearchError, String(error)),
      );
    }
    const masked = see({
      line: { rows: { masks: new Map([['line_cost', [[{ line_count: 3 }]]]]) } },
    });
    assert.equal(
      (await find(shop, {}, masked)).map((one) => [one.sale_lines, one.sale_net]),
      [
        [2, '37.50'],
        [2, '0.00'],
        [0, '0.00'],
        [1, '0.00'],
      ],
    );
  }));

test.run();
