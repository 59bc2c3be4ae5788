import type { Row } from '../../../src/database/row-statement.ts';
import { insertLink, insertRow } from '../../../src/store/write/row-sql.ts';
import type { World } from './_world.ts';

const flags = { filterable: true, sortable: true };
const active = { name: 'active', type: 'active' };
const computed = (name: string, expression: string, more: object = {}): object => ({
  ...{ name, type: 'computed', expression },
  ...flags,
  ...more,
});

/** Sales with lines and tags; a sale belongs to a customer. @param more Further keys of every computed field. */
export const toShop = (more: object = {}): readonly object[] => [
  {
    ...{ name: 'customer', singular: 'Customer', plural: 'Customers' },
    fields: [
      { name: 'name', type: 'text', ...flags },
      { name: 'city', type: 'text' },
      computed('label', "concat(name, ', ', coalesce(city, '?'))", more),
      computed('sales', 'sale.count', more),
      active,
    ],
  },
  {
    ...{ name: 'sale', singular: 'Sale', plural: 'Sales' },
    fields: [
      { name: 'title', type: 'text', searchable: true, ...flags },
      { name: 'tax', type: 'decimal', precision: 5, scale: 3, ...flags },
      { name: 'note', type: 'text' },
      { name: 'day', type: 'date', ...flags },
      { name: 'weight', type: 'float', ...flags },
      computed('lines', 'line.count', more),
      computed('net', 'line.sum(amount)', more),
      computed('gross', 'round(net * (1 + tax), 2)', more),
      computed('mean', 'net / lines', more),
      computed('large', 'net >= 100', more),
      computed('year', 'year(day)', more),
      computed('hint', 'concat(note, title)', more),
      computed('double', 'weight * 2', more),
      computed('points', 'tag.sum(points)', more),
      computed('late', "if(day > '2026-02-01', 'late', null)", more),
      active,
    ],
    relations: [
      { schema: 'customer', kind: '1:1' },
      { schema: 'line', kind: '1:N' },
      { schema: 'tag', kind: 'N:N' },
    ],
  },
  {
    ...{ name: 'line', singular: 'Line', plural: 'Lines' },
    fields: [
      { name: 'count', type: 'number', ...flags },
      { name: 'cost', type: 'decimal', ...flags },
      computed('amount', 'cost * count', more),
      active,
    ],
  },
  {
    ...{ name: 'tag', singular: 'Tag', plural: 'Tags' },
    fields: [{ name: 'points', type: 'number', ...flags }],
  },
];

const SALES: readonly Row[] = [
  { sale_title: 'A', sale_tax: '0.190', sale_note: 'n', sale_day: '2026-01-31', sale_weight: 0.1, customer_id: 1 },
  { sale_title: 'B', sale_tax: '0.070', sale_note: null, sale_day: '2026-02-28', sale_weight: null, customer_id: 1 },
  { sale_title: 'C', sale_tax: null, sale_note: null, sale_day: null, sale_weight: -0.5, customer_id: 2 },
  { sale_title: 'D', sale_tax: '0.190', sale_note: 'x', sale_day: '2025-12-31', sale_weight: 3, customer_id: 2 },
];
const LINES: readonly (readonly [sale: number, count: number | null, cost: string, active: number])[] = [
  [1, 3, '12.50', 1],
  [1, 1, '100.00', 1],
  [1, 9, '999.00', 0],
  [2, 2, '0.05', 1],
  [2, null, '7.00', 1],
  [4, 1, '-0.10', 1],
];

export const LINE_COUNT = LINES.length;

/** Two customers, four sales (the third has no line), six lines (the third is removed), three tags. */
export async function fillShop({ model, database }: World): Promise<void> {
  const of = (name: string) => model.schemas.get(name) as never;
  await database.write(async () => {
    await insertRow(database, of('customer'), { customer_name: 'Ann', customer_city: 'Ulm', customer_active: 1 });
    await insertRow(database, of('customer'), { customer_name: 'Bob', customer_city: null, customer_active: 1 });
    for (const row of SALES) await insertRow(database, of('sale'), { ...row, sale_active: 1 });
    for (const [sale, count, cost, isActive] of LINES) {
      const row = { line_count: count, line_cost: cost, line_active: isActive, sale_id: sale };
      await insertRow(database, of('line'), row);
    }
    for (const points of [5, 7, null]) await insertRow(database, of('tag'), { tag_points: points });
    for (const [sale, tag] of [
      [1, 1],
      [1, 2],
      [1, 3],
      [4, 2],
    ])
      await insertLink(database, 'sale_tag', { sale_id: sale, tag_id: tag });
  });
}
