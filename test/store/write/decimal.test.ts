import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countUnits, printUnits } from '../../../src/database/stored-decimal.ts';
import { fromUnits } from '../../../src/model/decimal/decimal.ts';
import type { SchemaModel } from '../../../src/model/model.ts';
import { getSearcher } from '../../../src/store/read/searcher.ts';
import { findReturning, type ReturningClause } from '../../../src/store/read/sql/returning.ts';
import { findMatches, findRows, insertRows, updateRows } from '../../../src/store/write/bulk.ts';
import { NO_KEYS } from '../../../src/store/write/live-key.ts';
import { insertOne, updateOne } from '../../../src/store/write/one-row.ts';
import { deleteRow, findActiveHolder, insertRow, readColumns, updateRow } from '../../../src/store/write/row-sql.ts';
import { DIALECT } from '../../database/_where.ts';
import { createNext } from '../read/_decimal.ts';
import { type World, withWorld } from '../read/_world.ts';

const test = suite('writes of decimals');

const SCHEMA = {
  ...{ name: 'bill', singular: 'Bill', plural: 'Bills' },
  fields: [
    { name: 'amount', type: 'decimal', scale: 2, unique: true },
    { name: 'rate', type: 'decimal', scale: 6 },
    { name: 'note', type: 'text', searchable: true },
    { name: 'active', type: 'active' },
  ],
};

interface Bills extends World {
  readonly schema: SchemaModel;
  readonly returning: ReturningClause;
}

const withBills = (fn: (bills: Bills) => Promise<void>): Promise<void> =>
  withWorld(
    async (world) => {
      const schema = world.model.schemas.get('bill') as SchemaModel;
      await fn({ ...world, schema, returning: findReturning(world.model, 'bill', world.database) as ReturningClause });
    },
    true,
    [SCHEMA],
  );

const row = (bill_amount: string | null, bill_rate: string | null = null) => ({
  ...{ bill_amount, bill_rate, bill_note: 'a', bill_active: 1 },
});
const shape = (amount: string | null, rate: string | null = null) => ({ bill_amount: amount, bill_rate: rate });
const pick = (found: Readonly<Record<string, unknown>> | undefined) =>
  found && { bill_amount: found.bill_amount, bill_rate: found.bill_rate };

test('a row is written by one statement, guarded by its values, and comes back as text', () =>
  withBills(async ({ database, schema, returning }) => {
    const made = await insertOne(database, schema, { row: row('12.50', '-0.000001'), live: NO_KEYS, returning });
    assert.equal(pick(made), shape('12.50', '-0.000001'));
    const id = Number(made?.bill_id);
    const change = (amount: string | null, guard: Readonly<Record<string, unknown>>) =>
      updateOne(database, schema, id, {
        ...{ row: { bill_amount: amount }, live: NO_KEYS, returning, rowFilter: undefined },
        ...{ original: made ?? {}, guard },
      });
    assert.is(await change('1.00', { bill_amount: '12.51' }), undefined);
    assert.is(await change('1.00', { bill_rate: null }), undefined);
    assert.equal(
      pick(await change('-0.05', { bill_amount: '12.50', bill_rate: '-0.000001' })),
      shape('-0.05', '-0.000001'),
    );
    assert.equal(pick(await change(null, { bill_amount: '-0.05' })), shape(null, '-0.000001'));
    assert.equal(pick(await change('9999999999999.99', { bill_amount: null })), shape('9999999999999.99', '-0.000001'));
  }));

test('a row of a transaction is written, found and deleted by the text', () =>
  withBills(async ({ database, schema }) => {
    await database.write(async () => {
      const id = await insertRow(database, schema, row('12.50'));
      const by = { column: 'bill_id', value: id };
      const read = async () => readColumns(database, schema, by, ['bill_amount', 'bill_rate']);
      assert.equal(await read(), shape('12.50'));
      assert.not(await updateRow(database, schema, id, { row: { bill_rate: '1.5' }, guard: { bill_amount: '12.49' } }));
      assert.ok(await updateRow(database, schema, id, { row: { bill_rate: '1.5' }, guard: { bill_amount: '12.50' } }));
      assert.equal(await read(), shape('12.50', '1.500000'));
      for (const [value, found] of [
        ['12.5', id],
        [12.5, id],
        ['12.505', undefined],
        ['x', undefined],
      ] as const) {
        const other = await readColumns(database, schema, { column: 'bill_amount', value, isActive: true }, [
          'bill_id',
        ]);
        assert.is(other?.bill_id, found, String(value));
      }
      assert.is(await findActiveHolder(database, schema, { bill_amount: '12.50', bill_rate: '1.5' }), id);
      await updateRow(database, schema, id, { row: { bill_amount: '0.001' } }).then(
        () => assert.unreachable('It was rounded.'),
        (error: Error) => assert.match(error.message, /bill_amount cannot store 0\.001/),
      );
      const gone = await deleteRow(database, schema, id, { columns: ['bill_amount', 'bill_rate'] });
      assert.equal(gone, shape('12.50', '1.500000'));
    });
  }));

test('many rows are written and found by the text', () =>
  withBills(async ({ database, schema, model }) => {
    const key = { name: 'bill_amount', type: 'numeric(15,2)', scale: 2 };
    const columns = [{ name: 'bill_id', type: 'bigint' }, key, { name: 'bill_rate', type: 'numeric(15,6)', scale: 6 }];
    const active = { name: 'bill_active', type: 'bigint' };
    const all = [...columns, active];
    const texts = [
      [1, '12.50', '0.000001', 1],
      [2, '-0.05', null, 1],
      [3, '-9999999999999.99', '-999999999.999999', 1],
    ];
    await database.write(async () => {
      await insertRows(
        database,
        'bill',
        all,
        texts.map((text) => JSON.stringify(text)),
      );
      await updateRows(database, schema, [columns[2] as never], ['[2,"0.500000"]']);
    });
    const byId = await findRows(database, schema, [1, 2, 3], ['bill_amount', 'bill_rate']);
    const rows = [1, 2, 3].map((id) => byId.get(id));
    assert.equal(rows.map(pick), [
      shape('12.50', '0.000001'),
      shape('-0.05', '0.500000'),
      shape('-9999999999999.99', '-999999999.999999'),
    ]);
    const found = await findMatches(database, schema, key, ['12.50', '-0.05', '7.00']);
    assert.equal(
      [...found].map(([value, { id }]) => [value, id]),
      [
        ['12.50', 1],
        ['-0.05', 2],
      ],
    );
    const { rows: searched } = await getSearcher(model).search(database, 'bill', { sort: 'bill_id' });
    assert.equal((JSON.parse(JSON.stringify(searched)) as never[]).map(pick), rows.map(pick));
  }));

if (DIALECT === 'sqlite') {
  test('SQLite counts and prints the units of every decimal of 15 digits exactly', () =>
    withBills(async ({ database }) => {
      const next = createNext(37);
      for (let scale = 0; scale <= 15; scale += 1) {
        const units = [0, 1, -1, 10 ** 15 - 1, 1 - 10 ** 15, 5, -5];
        while (units.length < 3000) units.push(Math.floor((next() * 2 - 1) * 10 ** (1 + Math.floor(next() * 15))));
        const texts = units.map((value) => fromUnits(value + 0, scale));
        const counted = await sql<{ n: number; text: string }>`select ${countUnits(sql`value->>1`, scale)} as n,
          (select ${printUnits(sql`own.n`, scale)} from (select cast(item.value->>0 as integer) as n) as own) as text
          from json_each(${JSON.stringify(units.map((one, index) => [one + 0, texts[index]]))}) as item`.execute(
          database.kysely,
        );
        assert.equal(
          counted.rows.map(({ n }) => n),
          units.map((one) => one + 0),
          `units ${scale}`,
        );
        assert.equal(
          counted.rows.map(({ text }) => text),
          texts,
          `texts ${scale}`,
        );
      }
    }));
}

test.run();
