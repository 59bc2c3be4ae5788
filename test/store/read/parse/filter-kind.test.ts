import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SearchError } from '../../../../src/store/read/answer.ts';
import { judgeRows } from '../../../../src/store/read/judge.ts';
import { createSearcher } from '../../../../src/store/read/searcher.ts';
import { withWorld } from '../_world.ts';

const test = suite('filters by kind');

const TYPES = ['time', 'week', 'month', 'date', 'datetime', 'email', 'url', 'slug', 'color', 'countrylist', 'small'];
const SCHEMA = {
  name: 'item',
  singular: 'Item',
  plural: 'Items',
  fields: [
    ...TYPES.map((type) => ({ name: type, type, filterable: true, sortable: type !== 'url' })),
    { name: 'mask', type: 'mask', filterable: true, attributes: { 'data-mask': '99-aa' } },
    { name: 'late', type: 'time', filterable: true, attributes: { min: '20:00' } },
  ],
};

const at = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [`item_${name}`, value]));

const ROWS = [
  at({
    time: '12:00:00',
    week: '2026-W05',
    month: '2026-01',
    date: '2026-01-31',
    datetime: '2026-01-31 23:59:59',
    email: 'ann@example.org',
    url: 'https://example.org/a',
    slug: 'old-wool',
    color: '#3366ff',
    countrylist: 'DE',
    small: 7,
    mask: '12-ab',
    late: '21:00:00',
  }),
  at({
    time: '09:45:00',
    week: '2025-W52',
    month: '2025-12',
    date: '2025-12-31',
    datetime: '2025-12-31 00:00:00',
    email: 'bob@example.org',
    url: 'https://example.org/b',
    slug: 'new-linen',
    color: '#000000',
    countrylist: 'FR',
    small: 9,
    mask: '34-cd',
    late: '23:00:00',
  }),
  at({ time: null }),
];

/** Field, operator, value; the keys of the rows, or the words of the refusal. */
type Case = readonly [field: string, operator: string, value: unknown, found: string | RegExp];

/** A text that a body takes for the first row's value, and one that it refuses. */
const FORMS: readonly (readonly [field: string, form: unknown, wrong: string | undefined])[] = [
  ['time', '12:00', '25:00'],
  ['time', '2026-05-05T12:00:00+02:00', 'noon'],
  ['week', '2026-W05', '2026-W54'],
  ['month', '2026-01', '2026-13'],
  ['date', '2026-01-31T23:30:00-05:00', '2026-02-30'],
  ['date', '2026-01-31 10:00', '31.1.2026'],
  ['datetime', '2026-02-01T01:59:59+02:00', '2026-01-31 25:00:00'],
  ['email', ' ann@example.org ', 'ann'],
  ['url', ' https://example.org/a', 'example'],
  ['slug', 'Old Wool', undefined],
  ['color', '3366FF', 'blue'],
  ['countrylist', 'de', 'XX'],
  ['small', ' 7 ', 'seven'],
  ['mask', '12-ab', 'ab-12'],
  ['late', '21:00', '21'],
];

const listForms = (): Case[] =>
  FORMS.flatMap(([field, form, wrong]): Case[] => [
    [field, 'eq', form, '1'],
    [field, 'ne', form, '2,3'],
    [field, 'in', [form], '1'],
    [field, 'nin', [form], '2,3'],
    ...(wrong === undefined
      ? []
      : ['eq', 'ne', 'in', 'nin'].map((operator): Case => [field, operator, wrong, /must /])),
  ]);

/** A period of the first row's time, and the row below it. */
const PERIODS: readonly (readonly [field: string, period: string])[] = [
  ['date', '2026'],
  ['date', '2026-01'],
  ['datetime', '2026'],
  ['datetime', '2026-01'],
  ['datetime', '2026-01-31'],
  ['month', '2026'],
];

const listPeriods = (): Case[] =>
  PERIODS.flatMap(([field, period]): Case[] => [
    [field, 'eq', period, '1'],
    [field, 'ne', period, '2,3'],
    [field, 'in', [period], '1'],
    [field, 'in', period, '1'],
    [field, 'nin', [period], '2,3'],
    [field, 'gt', period, ''],
    [field, 'gte', period, '1'],
    [field, 'lt', period, '2'],
    [field, 'lte', period, '1,2'],
    [field, 'between', [period, period], '1'],
  ]);

const CASES: readonly Case[] = [
  ...listForms(),
  ...listPeriods(),
  ['time', 'lte', '12:00', '1,2'],
  ['time', 'gt', '9:45', '1'],
  ['time', 'gte', 'noon', /must be a time/],
  ['week', 'gte', '2026-W99', /must be a week/],
  ['email', 'gte', 'b', '2'],
  ['datetime', 'in', ['2025', '2026-01-31 23:59:59'], '1,2'],
  ['datetime', 'nin', ['2025', '2026-01-31'], '3'],
  ['datetime', 'eq', '2026-13', /must be a date/],
  ['datetime', 'eq', '2026-02-30', /must be a date/],
  ['date', 'lt', '2026-00', /must be a date/],
  // A rule that is narrower than the type does not hide older rows.
  ['late', 'lt', '21:30', '1'],
  ['late', 'eq', '10:00', ''],
];

test('reads a value as a body does, and refuses what no row can hold, whatever the operator', () =>
  withWorld(
    async ({ model, database, insert }) => {
      await insert('item', ...ROWS);
      const searcher = createSearcher(model);
      for (const [field, operator, value, wanted] of CASES) {
        const name = `item_${field}`;
        const filter = { [name]: { [operator]: value } };
        const said = `${field} ${operator} ${JSON.stringify(value)}`;
        try {
          const { rows } = await searcher.search(database, 'item', { filter });
          assert.is(rows.map((row) => row.item_id).join(), String(wanted), said);
        } catch (error) {
          if (!(error instanceof SearchError)) throw error;
          assert.instance(wanted, RegExp, `${said}: ${JSON.stringify(error.validation)}`);
          assert.match(error.validation[`filter[${name}][${operator}]`] ?? '', wanted as RegExp, said);
        }
        if (wanted instanceof RegExp) continue;
        // The rows as they are being written, and a role's rule for them.
        const given = ROWS.map((row, index) => ({ item_id: index + 1, ...row }));
        const verdicts = await judgeRows({ model, database }, 'item', given, { anyOf: [filter] });
        const judged = verdicts.flatMap((verdict, index) => (verdict === undefined ? [] : [index + 1]));
        assert.is(judged.join(), wanted, `rule: ${said}`);
      }
    },
    false,
    [SCHEMA],
  ));

test.run();
