import { SearchError, type SearchResult } from '../../../src/store/read/answer.ts';
import type { SearchOptions } from '../../../src/store/read/search.ts';
import { createSearcher } from '../../../src/store/read/searcher.ts';
import { type World, withWorld } from './_world.ts';

const flags = (...names: string[]) => Object.fromEntries(names.map((name) => [name, true]));
const all = flags('filterable', 'sortable');

/** A shop: every type that a search handles differently, and relations of every kind, in both directions. */
export const SHOP = [
  {
    name: 'maker',
    singular: 'Maker',
    plural: 'Makers',
    fields: [
      { name: 'name', type: 'text', ...flags('searchable', 'filterable', 'sortable') },
      { name: 'secret', type: 'text' },
      { name: 'active', type: 'active' },
    ],
  },
  {
    name: 'product',
    singular: 'Product',
    plural: 'Products',
    fields: [
      { name: 'name', type: 'text', ...all, searchable: true },
      { name: 'text', type: 'markdown', searchable: true },
      { name: 'meta', type: 'meta', filterable: true },
      { name: 'data', type: 'rawjson', ...all },
      { name: 'tags', type: 'tag', filterable: true },
      { name: 'stock', type: 'number', ...all },
      { name: 'weight', type: 'float', ...all },
      { name: 'open', type: 'switch', ...all },
      { name: 'day', type: 'date', ...all },
      { name: 'at', type: 'datetime', ...all },
      { name: 'code', type: 'text', unique: true, ...all },
      { name: 'active', type: 'active' },
    ],
    relations: [
      { schema: 'maker', kind: '1:1' },
      { schema: 'product', kind: '1:0', name: 'parent' },
      { schema: 'review', kind: '1:N' },
      { schema: 'label', kind: 'N:N' },
    ],
    // Searches that fix a condition have its value in their text.
    indexes: [
      { columns: ['open', '-stock'], where: { open: true } },
      { columns: ['name', '-day'], where: { stock: { gte: 3 }, day: { null: false } } },
      { columns: ['-weight', 'name'], where: { stock: [0, 5] } },
      { columns: ['day', 'name'], where: { open: { ne: true } } },
    ],
  },
  {
    name: 'review',
    singular: 'Review',
    plural: 'Reviews',
    fields: [
      { name: 'text', type: 'text', filterable: true },
      { name: 'stars', type: 'small', filterable: true },
      { name: 'data', type: 'rawjson', filterable: true },
      { name: 'active', type: 'active' },
    ],
  },
  {
    name: 'label',
    singular: 'Label',
    plural: 'Labels',
    fields: [{ name: 'name', type: 'text', filterable: true }],
  },
  {
    name: 'deal',
    singular: 'Deal',
    plural: 'Deals',
    fields: [{ name: 'amount', type: 'number', filterable: true }],
    relations: [{ schema: 'product', kind: '1:1' }],
  },
] as const;

type Input = Readonly<Record<string, unknown>>;

export interface Shop extends World {
  find(input?: Input, options?: SearchOptions, schema?: string): Promise<SearchResult>;
  /** Names of the found products, in order. */
  names(input: Input, options?: SearchOptions): Promise<unknown[]>;
  /** Errors of a search, by parameter. */
  faults(input: Input, options?: SearchOptions, schema?: string): Promise<Readonly<Record<string, string>>>;
}

const DATA = [
  { size: 5, colour: 'red', deep: { list: ['x', { y: 'z' }] }, on: true },
  { size: 12, colour: 'Blue', deep: { list: [7] }, on: false },
  { size: '5', colour: null, 'a b': 'blank', é: 'accent' },
  ['first', 2],
  { size: 5.5 },
];

async function fill({ insert }: World): Promise<void> {
  await insert('maker', { maker_name: 'Ann Weaver', maker_secret: 's1', maker_active: 1 });
  await insert('maker', { maker_name: 'Bob', maker_secret: 's2', maker_active: 0 });
  const product = (name: string, row: Input) => ({ product_name: name, product_active: 1, maker_id: 1, ...row });
  const json = (value: unknown) => JSON.stringify(value);
  const time = { product_day: '2026-01-31', product_at: '2026-01-31 10:00:00' };
  await insert(
    'product',
    product('one', { product_data: json(DATA[0]), product_stock: 1, product_weight: 0.5, product_code: 'A', ...time }),
    product('two', { product_data: json(DATA[1]), product_stock: 2, product_tags: '["a","5"]', product_open: 1 }),
    product('three', { product_data: json(DATA[2]), product_stock: 2, product_tags: '[5,"b"]', product_code: 'b' }),
    product('four', { product_data: json(DATA[3]), product_meta: '{"k":"v"}', product_weight: 1.25, maker_id: 2 }),
    product('five', { product_data: json(DATA[4]), product_stock: -3, product_day: '2025-12-01', parent_id: 1 }),
    product('gone', { product_active: 0, product_stock: 9, product_data: json(DATA[0]) }),
  );
  await insert(
    'review',
    { review_text: 'good', review_stars: 5, product_id: 1, review_active: 1, review_data: '{"from":"web"}' },
    { review_text: 'bad', review_stars: 1, product_id: 1, review_active: 1 },
    { review_text: 'hidden', review_stars: 3, product_id: 2, review_active: 0 },
    { review_text: 'good', review_stars: 4, product_id: 3, review_active: 1 },
  );
  await insert('label', { label_name: 'new' }, { label_name: 'old' });
  await insert('product_label', { product_id: 1, label_id: 1 }, { product_id: 1, label_id: 2 });
  await insert('product_label', { product_id: 4, label_id: 2 });
  await insert('deal', { deal_amount: 10, product_id: 2 });
}

export async function inShop(fn: (shop: Shop) => Promise<void>): Promise<void> {
  await withWorld(
    async (world) => {
      await fill(world);
      const searcher = createSearcher(world.model);
      const find: Shop['find'] = (input = {}, options = {}, schema = 'product') =>
        searcher.search(world.database, schema, input, options);
      await fn({
        ...world,
        find,
        names: async (input, options) => (await find(input, options)).rows.map((row) => row.product_name),
        faults: async (input, options, schema) => {
          try {
            await find(input, options, schema);
          } catch (error) {
            if (error instanceof SearchError) return error.validation;
            throw error;
          }
          return {};
        },
      });
    },
    false,
    SHOP,
  );
}
