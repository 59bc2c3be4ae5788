import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSentFile } from '../../../src/core/request/sent-file.ts';
import { validators } from '../../../src/model/field/validate.ts';
import { parseJsonText } from '../../../src/model/json/json-value.ts';
import { toValueSchema } from '../../../src/model/json/value-schema.ts';
import { FIELD_TYPES, type Field, type FieldType, type Validation } from '../../../src/model/shape.ts';
import { type FieldBench, onFields, toSchema } from './_fields.ts';

const test = suite('field table');
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addFormat('decimal', true);

/** An image of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const DATA = `data:image/png;base64,${PIXEL.toString('base64')}`;
const png = createSentFile('../../x.html', 'text/html', PIXEL);
const exe = createSentFile('x.png', 'image/png', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200, 1)]));
const html = createSentFile('x.txt', 'text/plain', Buffer.from('<!doctype html><script>alert(1)</script>'));
const UPLOAD = /^\/upload\/[A-Za-z0-9_-]{22}\.png$/;
const options = [
  { key: 'a', value: 'A' },
  { key: 'b', value: 'B' },
];
const LONG = 'x'.repeat(256);
const NUL = 'a\u0000b';
const HALF = 'a\ud83d';

interface Case {
  /** The value that is sent. */
  readonly good: unknown;
  /** The value in a detail; a regular expression if Treadle generates it. Default: the value that was sent. */
  readonly stored?: unknown;
  readonly bad: readonly [unknown, unknown, unknown, ...unknown[]];
  readonly more?: Partial<Field>;
}

/** One row per type: a good value with its stored form, and three bad ones. */
const TYPES: Readonly<
  Record<
    Exclude<FieldType, 'none' | 'password' | 'uuid' | 'ipaddress' | 'active' | 'created' | 'updated' | 'computed'>,
    Case
  >
> = {
  text: { good: 'Ann 😀', bad: [LONG, NUL, { a: 1 }, HALF] },
  email: { good: ' ann@example.museum ', stored: 'ann@example.museum', bad: ['ann', 'a b@c.de', 'ann@localhost'] },
  search: { good: 'wool', bad: [LONG, ['a', 'b'], NUL] },
  url: {
    good: 'https://example.org/a?b=1#c',
    bad: ['javascript:alert(1)', 'example.org', `https://a.b/${'é'.repeat(1030)}`],
  },
  mask: {
    good: '(030) 555-1234',
    bad: ['030 5551234', '(030) 555-123x', NUL],
    more: { attributes: { 'data-mask': '(999) 999-9999' } },
  },
  slug: { good: ' Crème Brûlée! ', stored: 'creme-brulee', bad: [`${'x-'.repeat(200)}y`, ['a'], { a: 1 }] },
  color: { good: '3366FF', stored: '#3366ff', bad: ['#36f', 'red', '#3366fg'] },
  textarea: { good: 'a\nb', bad: [NUL, ['a'], { a: 1 }] },
  wysiwyg: {
    good: '<p onclick="x()">a<script>b</script></p>',
    stored: '<p>a</p>',
    bad: ['x'.repeat(200_001), ['a'], NUL],
  },
  markdown: { good: '# a', bad: [{ a: 1 }, ['a'], NUL] },
  code: { good: '<b>\t</b>', bad: [{ a: 1 }, ['a'], HALF] },
  number: { good: '-5', stored: -5, bad: ['1.5', 'x', 2 ** 53] },
  range: { good: '30', stored: 30, bad: [101, -1, 'x'] },
  small: { good: 255, bad: [256, -1, 1.5] },
  float: { good: '1.25e2', stored: 125, bad: ['x', '1,5', [1, 2]] },
  price: { good: '9.90', stored: 9.9, bad: ['9.999', 'x', 1e15] },
  decimal: { good: ' +012.5 ', stored: '12.50', bad: ['12.505', 1e15, '1,5'] },
  stars: { good: 4.5, bad: [5.5, -1, 4.2] },
  date: { good: '2026-02-28', bad: ['2026-02-30', '28.2.2026', 5] },
  time: { good: '09:30', stored: '09:30:00', bad: ['24:00', '9:3', 'x'] },
  datetime: {
    good: '2026-01-31T09:30:00+02:00',
    stored: '2026-01-31 07:30:00',
    bad: ['2026-13-01 00:00:00', 'soon', '2026-01-31 25:00'],
  },
  week: { good: '2026-W53', bad: ['2027-W53', '2026-W00', '2026-5'] },
  month: { good: '2026-12', bad: ['2026-13', '2026-1', 'May'] },
  checkbox: { good: ['0', 'on'], stored: 1, bad: ['maybe', 2, { a: 1 }] },
  switch: { good: 'false', stored: 0, bad: ['x', -1, ['y']] },
  select: { good: 'a', bad: ['c', 'A', ['a', 'b']], more: { options } },
  countrylist: { good: 'fr', stored: 'FR', bad: ['XX', 'FRA', 'France'] },
  radios: { good: 'b', bad: ['c', ' ', { a: 1 }], more: { options } },
  multiselect: { good: ['a', 'b', 'a'], stored: ['a', 'b'], bad: [['c'], 'a,c', { x: 'a' }], more: { options } },
  checkboxes: { good: 'a', stored: ['a'], bad: ['c', [{ a: 1 }], { x: 'a' }], more: { options } },
  file: {
    good: DATA,
    stored: UPLOAD,
    bad: [exe, html, 'data:image/png,notbase64', '/upload/../../.env', 'javascript:x'],
  },
  image: {
    good: png,
    stored: UPLOAD,
    bad: [html, `data:text/plain;base64,${Buffer.from('text').toString('base64')}`, '//evil.example/x.png'],
  },
  filelist: { good: ['https://example.org/a,b.pdf', '/images/a.png'], bad: [[exe], ['ftp://a.b/c'], 'javascript:x'] },
  imagelist: {
    good: { 0: '/images/a.png', 1: '/images/b.png' },
    stored: ['/images/a.png', '/images/b.png'],
    bad: [[html], [1], [`/upload/${'A'.repeat(22)}.png`]],
  },
  tag: { good: 'a, b,,a', stored: ['a', 'b'], bad: [[LONG], { x: 1 }, [['a']]] },
  textlist: { good: 'a, b\nc', stored: ['a, b', 'c'], bad: [[LONG], [{}], Array(1001).fill('a')] },
  textarealist: { good: 'a\nb\n\nc', stored: ['a\nb', 'c'], bad: [[NUL], { x: 1 }, [['a']]] },
  wysiwyglist: {
    good: ['<b>a</b><script>x</script>'],
    stored: ['<b>a</b>'],
    bad: [['x'.repeat(100_001), 'y'.repeat(100_000)], [{}], [NUL]],
  },
  meta: {
    good: '{"colour":"green","n":1}',
    stored: { colour: 'green', n: 1 },
    bad: [['a'], { a: { b: 1 } }, { [NUL]: 1 }],
  },
  latlng: { good: '48.123456789, 2.5', stored: [48.12345679, 2.5], bad: ['91, 0', [0, 181], '1'] },
  rawjson: {
    good: { a: [1, null, 'x'] },
    stored: { a: [1, null, 'x'] },
    bad: [JSON.parse('['.repeat(40) + ']'.repeat(40)), { a: NUL }, [HALF], parseJsonText('{"a":')],
  },
  fieldset: {
    good: {
      0: { name: 'Tea', price: '2.50', day: '2026-01-31T10:00' },
      2: { name: 'Oil', price: 4 },
      3: { name: '', price: '' },
    },
    stored: [
      { name: 'Tea', price: 2.5, day: '2026-01-31' },
      { name: 'Oil', price: 4, day: null },
    ],
    bad: [[{ price: 1 }], [{ name: 'Tea', price: 'x' }], ['Tea'], { name: 'Tea' }],
    more: { fieldset: 'line', multiple: true },
  },
  table: {
    good: [['S', 9], { size: 'M' }],
    stored: [
      { size: 'S', price: 9 },
      { size: 'M', price: null },
    ],
    bad: [[{ weight: 1 }], [[1, 2, 3]], 'x'],
    more: { columns: ['size', 'price'] },
  },
  multirange: {
    good: [10, 50],
    stored: '10;50',
    bad: ['x', '10;101', [NUL]],
    more: { attributes: { min: 0, max: 100 } },
  },
};

const LINE = {
  name: 'line',
  singular: 'Line',
  plural: 'Lines',
  fields: [
    { name: 'name', type: 'text', required: true },
    { name: 'price', type: 'price' },
    { name: 'day', type: 'date' },
  ],
};

const fields: Field[] = FIELD_TYPES.map((type) => ({
  name: type,
  type,
  ...(TYPES as Partial<Record<FieldType, Case>>)[type]?.more,
  ...(type === 'computed' ? { expression: 'concat(text, number)' } : {}),
}));
const DEFINITIONS = { schema: { item: toSchema('item', fields) }, fieldset: { line: LINE } };

const readBack = async ({ emit }: FieldBench, id: unknown): Promise<Record<string, unknown>> =>
  (await emit('system-model-detail', { schema: 'item', item_id: id })).getResults() as Record<string, unknown>;
const count = async ({ database }: FieldBench, table: string): Promise<number> =>
  (await database.kysely.selectFrom(table).selectAll().execute()).length;

const jsonText = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? String(value);

/** A shown value matches the JSON Schema of its column. */
function assertDescribed({ model }: FieldBench, type: string, value: unknown): void {
  const column = model.schemas.get('item')?.byName.get(`item_${type}`);
  assert.ok(column);
  const check = ajv.compile(toValueSchema(column));
  assert.ok(check(value), `${type}: ${JSON.stringify(value)} ${JSON.stringify(check.errors)}`);
}

test('each type keeps a good value in its one form and refuses bad ones with a message at its column', () =>
  onFields(DEFINITIONS, async (bench) => {
    for (const [type, { good, stored = good, bad }] of Object.entries(TYPES)) {
      const column = `item_${type}`;
      const made = await bench.emit('system-model-create', { schema: 'item', [column]: good });
      assert.is(made.getMessage(), undefined, `${type} takes ${jsonText(good)}`);
      const row = await readBack(bench, made.getResults('item_id'));
      if (stored instanceof RegExp) assert.match(String(row[column]), stored, type);
      else assert.equal(row[column], stored, type);
      assertDescribed(bench, type, row[column]);
      const before = await count(bench, 'item');
      for (const value of bad) {
        const refused = await bench.emit('system-model-create', { schema: 'item', [column]: value });
        assert.is(refused.getStatus(), 422, `${type} refuses ${jsonText(value)}`);
        assert.equal(Object.keys(refused.getValidation() as object), [column], `${type} ${jsonText(value)}`);
      }
      assert.is(await count(bench, 'item'), before, type);
      // A value that was read can be sent again unchanged.
      const same = await bench.emit('system-model-update', {
        schema: 'item',
        item_id: row.item_id,
        [column]: row[column],
      });
      assert.is(same.getMessage(), undefined, `${type} takes what it gave`);
      assert.equal((await readBack(bench, row.item_id))[column], row[column], `${type} is stable`);
      const cleared = await bench.emit('system-model-update', { schema: 'item', item_id: row.item_id, [column]: '' });
      assert.is(cleared.isError(), false, `${type} can be cleared`);
      const nothing = type === 'checkbox' || type === 'switch' ? 0 : null;
      assert.is((await readBack(bench, row.item_id))[column], nothing, type);
    }
    assert.is((await bench.listFiles()).length, 2, 'no refused file is left');
  }));

test('what Treadle sets cannot be sent, and a password is never given back', () =>
  onFields(DEFINITIONS, async (bench) => {
    const sent = {
      item_uuid: 'mine',
      item_ipaddress: '10.0.0.1',
      item_active: 0,
      item_created: '2000-01-01 00:00:00',
      item_updated: 'x',
      item_none: 'x',
    };
    const made = await bench.emit('system-model-create', { schema: 'item', ...sent, item_password: 'correct horse' });
    const row = await readBack(bench, made.getResults('item_id'));
    assert.match(String(row.item_uuid), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.is(row.item_ipaddress, '192.0.2.7');
    assert.is(row.item_active, 1);
    assert.is(row.item_created, '2026-01-31 12:00:00');
    assert.is(row.item_updated, '2026-01-31 12:00:00');
    assert.not('item_none' in row);
    assert.not('item_password' in row);
    const [raw] = await bench.database.kysely.selectFrom('item').select('item_password').execute();
    assert.match(String(raw?.item_password), /^\$scrypt\$/);
    for (const value of ['x'.repeat(1025), NUL, { a: 1 }]) {
      const refused = await bench.emit('system-model-create', { schema: 'item', item_password: value });
      assert.equal(Object.keys(refused.getValidation() as object), ['item_password'], jsonText(value));
      assert.not.match(JSON.stringify(refused), 'xxxxx');
    }
  }));

test('every type has its rows', () => {
  const special = ['none', 'password', 'uuid', 'ipaddress', 'active', 'created', 'updated', 'computed'];
  assert.equal([...Object.keys(TYPES), ...special].sort(), [...FIELD_TYPES].sort());
});

interface RuleCase {
  readonly type?: FieldType;
  readonly parameters?: Validation['parameters'];
  readonly good: unknown;
  readonly bad: readonly [unknown, unknown, unknown];
  /** Value of the other column in the comparison. */
  readonly other?: unknown;
}

/** One row per method. */
const METHODS: Readonly<Record<string, RuleCase>> = {
  required: { good: '0', bad: ['', '  ', null] },
  empty: { good: 'a', bad: ['', null, '   '] },
  ne: { parameters: 'root', good: 'Root', bad: ['root', 'root', 'root'] },
  one: { parameters: ['a', 2], good: '2', bad: ['b', 'A', '3'] },
  unique: { type: 'text', good: 'one', bad: ['taken', 'taken', 'taken'] },
  char_lt: { parameters: 3, good: '😀😀', bad: ['abc', '😀😀😀', 'abcd'] },
  char_lte: { parameters: 3, good: 'abc', bad: ['abcd', '😀😀😀😀', 'a b c'] },
  char_gt: { parameters: 2, good: 'abc', bad: ['ab', '😀😀', 'a'] },
  char_gte: { parameters: 2, good: 'ab', bad: ['a', '😀', 'é'] },
  word_lt: { parameters: 3, good: 'a  b', bad: ['a b c', 'a\nb\nc', ' a b c d'] },
  word_lte: { parameters: 2, good: ' a b ', bad: ['a b c', 'a\tb\tc', 'a b c d'] },
  word_gt: { parameters: 1, good: 'a b', bad: ['a', ' a ', 'a-b'] },
  word_gte: { parameters: 2, good: 'a b', bad: ['a', ' a', 'a_b'] },
  number: { good: '-1.5e3', bad: ['x', '0x10', '1,0'] },
  float: { good: '10', bad: ['x', '1.0.0', 'NaN'] },
  price: { good: '10', bad: ['9.999', '1e3', '€5'] },
  lt: { parameters: 5, good: '4.9', bad: ['5', '6', 'x'] },
  lte: { parameters: 5, good: '5', bad: ['5.1', '6', 'x'] },
  gt: { parameters: 5, good: '5.1', bad: ['5', '4', 'x'] },
  gte: { parameters: 5, good: '5', bad: ['4.9', '-5', 'x'] },
  column_lt: { type: 'number', other: 10, good: 9, bad: [10, 11, 100] },
  column_lte: {
    type: 'date',
    other: '2026-01-10',
    good: '2026-01-10',
    bad: ['2026-01-11', '2026-02-01', '2027-01-01'],
  },
  column_gt: { type: 'number', other: 10, good: 100, bad: [10, 9, -11] },
  column_gte: {
    type: 'datetime',
    other: '2026-01-10 10:00:00',
    good: '2026-01-10 10:00:00',
    bad: ['2026-01-10 09:59:59', '2026-01-01', '2025-01-01'],
  },
  date: { good: '2026-02-28', bad: ['2026-02-30', '2026-2-1', '28.2.2026'] },
  time: { good: '23:59:59', bad: ['24:00:00', '9:00', '23:59'] },
  datetime: { good: '2026-01-31 10:00:00', bad: ['2026-01-31', '2026-01-31T10:00:00', '2026-01-31 10:00'] },
  pastdate: { type: 'date', good: '2026-01-30', bad: ['2026-01-31', '2026-02-01', 'NOW()'] },
  presentdate: { type: 'datetime', good: 'NOW()', bad: ['2026-01-30', '2026-02-01', '2025-01-31'] },
  futuredate: { type: 'date', good: '2026-02-01', bad: ['2026-01-31', '2026-01-30', 'NOW()'] },
  email: { good: 'a@b.photography', bad: ['a@b', 'a@b..c', 'a b@c.de'] },
  url: { good: 'ftp://a.b/c', bad: ['a.b', 'data:x', 'https://a b'] },
  hex: { good: '#12aBcd', bad: ['12345', 'zzzzzz', '#123456789'] },
  cc: { good: '4111 1111 1111 1111', bad: ['4111111111111112', '1234', 'x'] },
  regexp: { parameters: '/^[a-z]+(-[a-z]+)*$/', good: 'a-bc', bad: ['A', 'a--b', `${'a-'.repeat(500)}!`] },
};

const toRuleFields = (method: string, { type = 'textarea', parameters, other }: RuleCase): Field[] => {
  const given = other === undefined ? parameters : 'other';
  const rule: Validation = {
    method,
    message: `${method} is broken`,
    ...(given === undefined ? {} : { parameters: given }),
  };
  return [
    { name: 'v', type, validation: [rule] },
    { name: 'other', type: other === undefined ? 'text' : type },
  ];
};

test('each method takes a good value and refuses bad ones with its message, on create and on update', async () => {
  const schema = Object.fromEntries(
    Object.entries(METHODS).map(([method, rule]) => [
      `r_${method}`,
      toSchema(`r_${method}`, toRuleFields(method, rule)),
    ]),
  );
  await onFields({ schema }, async ({ emit }) => {
    for (const [method, { good, bad, other }] of Object.entries(METHODS)) {
      const name = `r_${method}`;
      const stage = { schema: name, ...(other === undefined ? {} : { [`${name}_other`]: other }) };
      if (method === 'unique') await emit('system-model-create', { ...stage, [`${name}_v`]: 'taken' });
      const made = await emit('system-model-create', { ...stage, [`${name}_v`]: good });
      assert.is(made.getMessage(), undefined, `${method} takes ${jsonText(good)}`);
      const id = made.getResults(`${name}_id`);
      const key = { schema: name, [`${name}_id`]: id };
      for (const value of bad) {
        const status = method === 'unique' ? 409 : 422;
        for (const [event, given] of [
          ['system-model-create', stage],
          ['system-model-update', key],
        ] as const) {
          const refused = await emit(event, { ...given, [`${name}_v`]: value });
          assert.is(refused.getStatus(), status, `${method} refuses ${jsonText(value)} in ${event}`);
          assert.equal(refused.getValidation(), { [`${name}_v`]: `${method} is broken` }, method);
        }
      }
      const kept = await emit('system-model-detail', key);
      assert.ok(kept.getResults(`${name}_v`) !== null, method);
    }
  });
});

test('formulas and templates are in rows under the field’s own name, and see no password', () =>
  onFields(
    {
      schema: {
        sale: toSchema('sale', [
          { name: 'price', type: 'price' },
          { name: 'pin', type: 'password' },
          { name: 'gross', type: 'none', list: { format: 'formula', parameters: ['{{sale_price}} * 1.5'] } },
          { name: 'title', type: 'none', detail: { format: 'custom', parameters: ['For {{sale_price}}{{sale_pin}}'] } },
        ]),
      },
    },
    async ({ emit }) => {
      await emit('system-model-create', { schema: 'sale', sale_price: 10, sale_pin: 'secret' });
      const row = { sale_id: 1, sale_price: 10, gross: 15, title: 'For 10' };
      const found = await emit('system-model-search', { schema: 'sale' });
      assert.equal(found.getResults('rows'), [row]);
      assert.is(found.getResults('total'), 1);
      assert.equal((await emit('system-model-detail', { schema: 'sale', sale_id: 1 })).getResults(), row);
      const chosen = await emit('system-model-search', { schema: 'sale', fields: 'sale_id' });
      assert.equal(chosen.getResults('rows'), [{ sale_id: 1 }]);
    },
  ));

test('every method has its row', () => {
  assert.equal(Object.keys(METHODS).sort(), Object.keys(validators).sort());
});

test.run();
