// Stored values stay right whatever a migration does to what they are computed of, and after its undo.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TreadleError } from '../../../src/core/errors.ts';
import { readStructure } from '../../../src/database/read-structure.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import type { Model, SchemaModel } from '../../../src/model/model.ts';
import type { Field } from '../../../src/model/shape.ts';
import { createSearcher } from '../../../src/store/read/searcher.ts';
import { insertLink, insertRow } from '../../../src/store/write/row-sql.ts';
import { type SchemaSketch, toModel } from '../model.ts';
import { onSite, type Site } from './_world.ts';

const test = suite('database/migration/computed');

const flags = { filterable: true, sortable: true };
const ACTIVE: Field = { name: 'active', type: 'active' };
const store = (name: string, expression: string, more: Partial<Field> = {}): Field => ({
  ...{ name, type: 'computed', stored: true, expression },
  ...flags,
  ...more,
});

interface Shop {
  readonly sale: SchemaSketch;
  readonly line: SchemaSketch;
  readonly tag: SchemaSketch;
}

const SHOP: Shop = {
  sale: {
    name: 'sale',
    fields: [
      { name: 'title', type: 'text', ...flags },
      { name: 'tax', type: 'decimal', precision: 5, scale: 3, ...flags },
      { name: 'number', type: 'decimal', precision: 8, scale: 2, unique: true, ...flags },
      store('lines', 'line.count'),
      store('net', 'line.sum(amount)'),
      store('gross', 'round(net * (1 + tax), 2)'),
      store('rated', 'tax * 100'),
      store('twice', 'number * 2', { unique: true }),
      store('weight', 'tag.sum(weight) + tag.count'),
      ACTIVE,
    ],
    relations: [
      { schema: 'line', kind: '1:N' },
      { schema: 'tag', kind: 'N:N' },
    ],
    indexes: [{ columns: ['-gross', 'title'] }, { columns: ['title'], where: { rated: { gt: '7.5' } } }],
  },
  line: {
    name: 'line',
    fields: [
      { name: 'count', type: 'number', ...flags },
      { name: 'cost', type: 'decimal', ...flags },
      { name: 'note', type: 'text' },
      { name: 'amount', type: 'computed', expression: 'cost * count' },
      ACTIVE,
    ],
  },
  tag: { name: 'tag', fields: [{ name: 'weight', type: 'decimal', ...flags }] },
};

type FieldChange = Partial<Field> | undefined;
type Changes = Readonly<Record<string, FieldChange>>;

/** Other fields of a schema, by name; undefined for a field that goes. */
function change({ fields, ...sketch }: SchemaSketch, changes: Changes): SchemaSketch {
  const changed = fields.flatMap((field): Field[] => {
    if (!Object.hasOwn(changes, field.name)) return [field];
    const more = changes[field.name];
    return more === undefined ? [] : [{ ...field, ...more }];
  });
  return { ...sketch, fields: changed };
}

const withSale = (changes: Changes): Shop => ({ ...SHOP, sale: change(SHOP.sale, changes) });
const withLine = (changes: Changes): Shop => ({ ...SHOP, line: change(SHOP.line, changes) });
const COMPUTED = ['lines', 'net', 'gross', 'rated', 'twice', 'weight'];

const CASES: Readonly<Record<string, Shop>> = {
  'no change': SHOP,
  'a field more': { ...SHOP, line: { ...SHOP.line, fields: [...SHOP.line.fields, { name: 'more', type: 'text' }] } },
  'another scale of an own field': withSale({ tax: { precision: 6, scale: 4 } }),
  'another scale of a unique field': withSale({ number: { precision: 9, scale: 3 } }),
  'another scale of related rows': withLine({ cost: { scale: 3 } }),
  'a decimal that becomes a number': withLine({ cost: { type: 'number' } }),
  'a number that becomes a decimal': withLine({ count: { type: 'decimal', precision: 6, scale: 1 } }),
  'another type beside': withLine({ note: { type: 'number' } }),
  'a required field beside': withLine({ note: { required: true, default: 'x' } }),
  'a required field in an index': withSale({ title: { required: true, default: 'x' } }),
  'a renamed field of related rows': withLine({
    cost: { name: 'price', was: 'cost' },
    amount: { expression: 'price * count' },
  }),
  'a renamed own field': withSale({
    tax: { name: 'vat', was: 'tax' },
    gross: { expression: 'round(net * (1 + vat), 2)' },
    rated: { expression: 'vat * 100' },
  }),
  'a renamed computed field': withSale({
    net: { name: 'pure', was: 'net' },
    gross: { expression: 'round(pure * (1 + tax), 2)' },
  }),
  'a renamed schema': { ...SHOP, sale: { ...SHOP.sale, name: 'bill', was: 'sale' } },
  'a renamed schema behind pairs': {
    ...SHOP,
    sale: {
      ...change(SHOP.sale, { weight: { expression: 'label.sum(weight) + label.count' } }),
      relations: [
        { schema: 'line', kind: '1:N' },
        { schema: 'label', kind: 'N:N' },
      ],
    },
    tag: { ...SHOP.tag, name: 'label', was: 'tag' },
  },
  'another scale behind pairs': { ...SHOP, tag: change(SHOP.tag, { weight: { scale: 4 } }) },
  'another expression': withSale({ rated: { expression: 'tax * 10' } }),
  'a field that is no longer stored': withSale({ net: { stored: false } }),
  'no computed field any more': {
    ...SHOP,
    sale: { ...change(SHOP.sale, Object.fromEntries(COMPUTED.map((name) => [name, undefined]))), indexes: [] },
  },
  'related rows that are never removed': withLine({ active: undefined }),
};

const list = ({ sale, line, tag }: Shop): SchemaSketch[] => [sale, line, tag];

/** The same, computed by each statement. */
const toPlain = (shop: Shop): SchemaSketch[] =>
  list(shop).map(({ fields, indexes: _, ...sketch }) => ({
    ...sketch,
    fields: fields.map(({ stored, unique, ...field }) =>
      field.type === 'computed' ? field : { ...field, ...(unique === undefined ? {} : { unique }) },
    ),
  }));

const getSchema = (model: Model, name: string): SchemaModel => {
  const schema = model.schemas.get(name);
  assert.ok(schema, name);
  return schema;
};

async function readComputed({ database }: Site, sketches: readonly SchemaSketch[]): Promise<Row> {
  const model = toModel(...sketches);
  const found: Row = {};
  for (const { name } of sketches) {
    const { columns, active } = getSchema(model, name);
    const filter = active === undefined ? {} : { [active]: 'any' };
    const { rows } = await createSearcher(model).search(database, name, { limit: 100, filter });
    const names = columns.filter(({ computed }) => computed !== undefined).map((column) => column.name);
    found[name] = (JSON.parse(JSON.stringify(rows)) as Row[]).map((row) => names.map((column) => row[column]));
  }
  return found;
}

/** The columns have what a statement computes, their indexes are there, and no migration is due. */
async function assertRight(site: Site, shop: Shop, words: string): Promise<void> {
  assert.equal(await readComputed(site, list(shop)), await readComputed(site, toPlain(shop)), words);
  const { steps } = await site.plan(list(shop));
  assert.equal(
    steps.filter(({ refusal }) => refusal?.code !== 'MIGRATION_COLUMN_LEFT').map((step) => step.words),
    [],
    words,
  );
  const names = site
    .tables(...list(shop))
    .flatMap(({ computed }) => computed?.indexes ?? [])
    .map(({ name }) => name);
  const indexes = (await readStructure(site.database)).tables.get(shop.sale.name)?.indexes;
  assert.equal(
    names.filter((name) => !indexes?.has(name)),
    [],
    words,
  );
}

/** A line comes, one changes, one is removed, and all sales change. */
async function write({ database }: Site, shop: Shop, round: number): Promise<void> {
  const model = toModel(...list(shop));
  const [sale, line] = [getSchema(model, shop.sale.name), getSchema(model, 'line')];
  const columns = line.columns.filter(({ computed, field }) => computed === undefined && field.type !== 'active');
  const values = columns.map(({ name, field }): [string, unknown] => [
    name,
    field.type === 'text' ? 'x' : field.type === 'decimal' ? `${round}.5` : round,
  ]);
  await database.write(async () => {
    const { kysely } = database;
    const active = line.active === undefined ? {} : { [line.active]: 1 };
    await insertRow(database, line, { ...Object.fromEntries(values), ...active, [sale.primary]: 1 });
    await kysely.updateTable('line').set({ line_count: round }).where('line_id', '=', 1).execute();
    if (line.active !== undefined)
      await kysely.updateTable('line').set({ line_active: 0 }).where('line_id', '=', 2).execute();
    const tag = getSchema(model, shop.tag.name);
    await kysely
      .updateTable(tag.table)
      .set({ [`${tag.name}_weight`]: round })
      .where(tag.primary, '=', 1)
      .execute();
    await kysely
      .updateTable(sale.table)
      .set({ [`${sale.name}_title`]: `t${round}` })
      .execute();
  });
}

async function fill({ database }: Site): Promise<void> {
  const model = toModel(...list(SHOP));
  const sales = [
    ['0.190', '1.25'],
    ['0.070', '-2.50'],
    [null, null],
  ];
  const lines = [
    [1, 3, '12.00'],
    [1, 1, '100.00'],
    [2, 2, '-1.00'],
  ];
  await database.write(async () => {
    for (const [tax, number] of sales) {
      const row = { sale_title: 'a', sale_tax: tax, sale_number: number, sale_active: 1 };
      await insertRow(database, getSchema(model, 'sale'), row);
    }
    for (const [sale, count, cost] of lines) {
      const row = { sale_id: sale, line_count: count, line_cost: cost, line_active: 1 };
      await insertRow(database, getSchema(model, 'line'), row);
    }
    for (const weight of ['1.25', '-0.5']) await insertRow(database, getSchema(model, 'tag'), { tag_weight: weight });
    for (const [sale, tag] of [
      [1, 1],
      [1, 2],
      [2, 2],
    ])
      await insertLink(database, 'sale_tag', { sale_id: sale, tag_id: tag });
  });
}

for (const [name, shop] of Object.entries(CASES))
  test(name, () =>
    onSite(async (site) => {
      await site.migrate(list(SHOP));
      await fill(site);
      await assertRight(site, SHOP, 'before');
      const { refused } = await site.migrate(list(shop));
      assert.equal(
        refused.map((step) => step.refusal?.code).filter((code) => code !== 'MIGRATION_COLUMN_LEFT'),
        [],
      );
      await assertRight(site, shop, 'after');
      await write(site, shop, 10);
      await assertRight(site, shop, 'after a write');
      if (shop === SHOP) return;
      const undone = await site.undo({ allowLoss: true });
      assert.equal(undone.refused, []);
      await assertRight(site, SHOP, 'undone');
      await write(site, SHOP, 20);
      await assertRight(site, SHOP, 'after a write, undone');
    }),
  );

test('rows that share a value are named if it must be unique, and nothing is changed', () =>
  onSite(async (site) => {
    const plain = withSale({ rated: { stored: false } });
    await site.migrate(list({ ...plain, sale: { ...plain.sale, indexes: [] } }));
    await fill(site);
    await site.database.kysely.updateTable('sale').set({ sale_tax: 1 }).where('sale_id', '<>', 3).execute();
    const before = await site.describe();
    const fault = await site.migrate(list(withSale({ rated: { unique: true } }))).then(
      () => undefined,
      (error: TreadleError) => error,
    );
    assert.equal([fault?.code, fault?.status], ['MIGRATION_ROWS_SHARED', 409]);
    assert.is(
      fault?.message,
      'sale_rated must be unique, but 2 rows (1, 2) of sale share a value. Nothing was changed.',
    );
    assert.equal(await site.describe(), before);
  }));

test.run();
