// Also on PostgreSQL, which compares ranges of numbers where SQLite compares the stored values.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot } from '../boot.ts';

/** Three values of a type in their order, as hard as it has them. */
interface Ends {
  readonly type: string;
  readonly more?: object;
  readonly values: readonly [unknown, unknown, unknown];
}

const ENDS: Readonly<Record<string, Ends>> = {
  date: { type: 'date', values: ['0999-12-31', '2024-02-29', '9999-12-31'] },
  at: { type: 'datetime', values: ['1969-12-31 23:59:59', '1970-01-01 00:00:00', '2026-01-31 23:59:59'] },
  time: { type: 'time', values: ['00:00:00', '00:00:01', '23:59:59'] },
  week: { type: 'week', values: ['2026-W52', '2026-W53', '2027-W01'] },
  month: { type: 'month', values: ['2025-12', '2026-01', '2026-10'] },
  number: { type: 'number', values: [1 - 2 ** 53, 2 ** 53 - 2, 2 ** 53 - 1] },
  step: { type: 'number', more: { attributes: { step: '0.001' } }, values: [-0.001, 0, 9.999] },
  range: { type: 'range', values: [0, 9, 10] },
  small: { type: 'small', values: [0, 1, 9] },
  float: { type: 'float', values: [0.3, 0.1 + 0.2, 1.797e308] },
  decimal: {
    type: 'decimal',
    more: { precision: 15, scale: 3 },
    values: ['-0.001', '9.000', '10.000'],
  },
  price: { type: 'price', values: [-0.01, 0.1, 9_999_999_999_999.99] },
};
/** Columns whose values make a timeline: two values that are not the same, however close. */
const KEYS: Readonly<Record<string, { readonly type: string; readonly values: readonly [unknown, unknown] }>> = {
  word: { type: 'text', values: ['a', 'A'] },
  accent: { type: 'text', values: ['é', 'e\u0301'] },
  long: { type: 'text', values: [`${'x'.repeat(250)}1`, `${'x'.repeat(250)}2`] },
  digits: { type: 'text', values: ['1', '01'] },
  ratio: { type: 'float', values: [0.3, 0.1 + 0.2] },
  count: { type: 'number', values: [2 ** 53 - 1, 2 ** 53 - 2] },
  day: { type: 'date', values: ['2026-01-31', '2026-02-01'] },
  stars: { type: 'stars', values: [0.5, 5] },
  amount: { type: 'decimal', values: ['-0.01', '0.01'] },
};

const key = (name: string) => ({ name: `${name}_key`, type: 'text' });
const toSchema = (name: string, fields: readonly object[], exclude: readonly object[]) => ({
  ...{ name, singular: name, plural: name, fields, exclude },
});
const FILES = {
  'config/schema/slot.json': toSchema(
    'slot',
    Object.entries(ENDS).flatMap(([name, { type, more }]) => [
      key(name),
      { name: `${name}_from`, type, ...more },
      { name: `${name}_until`, type, ...more },
    ]),
    Object.keys(ENDS).map((name) => ({ columns: [`${name}_key`], range: [`${name}_from`, `${name}_until`] })),
  ),
  'config/schema/seat.json': toSchema(
    'seat',
    [
      ...Object.entries(KEYS).map(([name, { type }]) => ({ name, type })),
      ...['from', 'until'].map((name) => ({ name, type: 'date' })),
    ],
    Object.keys(KEYS).map((name) => ({ columns: [name], range: ['from', 'until'] })),
  ),
};

const test = suite('exclude by type');

test('periods of every type touch and overlap as their values do', async () => {
  const site = await boot({ template: 'none', files: FILES });
  try {
    for (const [name, { values }] of Object.entries(ENDS)) {
      const [a, b, c] = values;
      const table: readonly (readonly [from: unknown, until: unknown, status: number])[] = [
        [a, b, 200],
        [b, c, 200],
        [a, c, 409],
        [b, b, 200],
        [c, a, 422],
        [a, b, 409],
        [null, a, 200],
        [c, null, 200],
        [b, null, 409],
        [null, null, 409],
      ];
      for (const [from, until, status] of table) {
        const row = { [`slot_${name}_key`]: 'one', [`slot_${name}_from`]: from, [`slot_${name}_until`]: until };
        const made = await site.app.emit('system-model-create', { schema: 'slot', ...row });
        assert.is(made.getStatus(), status, JSON.stringify([row, made.getMessage()]));
        const beside = { 409: `slot_${name}_from`, 422: `slot_${name}_until` }[status];
        assert.equal(Object.keys(made.getValidation() as object), beside === undefined ? [] : [beside]);
      }
    }
  } finally {
    await site.close();
  }
});

test('values that only look the same have timelines of their own', async () => {
  const site = await boot({ template: 'none', files: FILES });
  try {
    for (const [name, { values }] of Object.entries(KEYS)) {
      for (const [index, value] of [...values, ...values].entries()) {
        const status = index < values.length ? 200 : 409;
        const row = { [`seat_${name}`]: value, seat_from: '2026-01-01', seat_until: '2026-01-02' };
        const made = await site.app.emit('system-model-create', { schema: 'seat', ...row });
        assert.is(made.getStatus(), status, JSON.stringify([row, made.getMessage()]));
      }
    }
  } finally {
    await site.close();
  }
});

test.run();
