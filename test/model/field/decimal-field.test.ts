// A field of decimals: which rule a value breaks, what its definition may say, how it is shown, and its samples.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readLimits } from '../../../src/cli/fake/limits.ts';
import { createChance } from '../../../src/cli/fake/random.ts';
import { makeValue } from '../../../src/cli/fake/value.ts';
import { parseField, toFieldText } from '../../../src/cli/keys/field.ts';
import { toInputType, toValueType } from '../../../src/cli/types/value.ts';
import { inLocale, type Locale } from '../../../src/core/text/translate.ts';
import { readField } from '../../../src/feature/admin-definition/schema/field-read.ts';
import { toFingerprint, toStoredFingerprint } from '../../../src/form/fingerprint.ts';
import { toControl } from '../../../src/model/field/control.ts';
import { toDecimalExample } from '../../../src/model/field/field-kind-decimal.ts';
import { compileValidator } from '../../../src/model/field/validate.ts';
import { readFormat } from '../../../src/model/format/field-format.ts';
import { toFormatted } from '../../../src/model/format/format.ts';
import { computeFormula } from '../../../src/model/format/format-formula.ts';
import { toBodySchema, toNullable, toValueSchema } from '../../../src/model/json/value-schema.ts';
import { type Definitions, linkModel } from '../../../src/model/link.ts';
import type { ColumnModel, SchemaModel } from '../../../src/model/model.ts';
import { parseDefinition } from '../../../src/model/parse.ts';
import type { Field } from '../../../src/model/shape.ts';

const test = suite('decimal field');

const german: Locale = { tag: 'de', name: 'Deutsch', find: () => undefined, offered: [], isInPath: true };
const DECIMAL: Field = { name: 'price', type: 'decimal', precision: 6, scale: 2 };

function link(...fields: object[]) {
  const parse = (kind: 'schema' | 'settings', file: string, value: unknown) => {
    const { source, problems } = parseDefinition(kind, file, JSON.stringify(value));
    if (!source) throw new Error(JSON.stringify(problems));
    return source;
  };
  const schema = { name: 'good', singular: 'Good', plural: 'Goods', fields };
  const empty = Object.fromEntries(['fieldset', 'rest', 'scope', 'webhook', 'app', 'role'].map((k) => [k, new Map()]));
  const files = {
    ...empty,
    schema: new Map([['good', parse('schema', 'config/schema/good.json', schema)]]),
    settings: parse('settings', 'config/settings.json', {}),
    broken: new Set(),
  };
  return linkModel(files as unknown as Definitions);
}

function compile(field: object) {
  const { model } = link({ ...DECIMAL, label: 'Price', ...field });
  const schema = model?.schemas.get('good') as SchemaModel;
  const validate = compileValidator(schema);
  return (value: unknown): unknown => validate({ good_price: value }, 'create').good_price;
}

/** Keys of the field, the value, and its error after the label; undefined for a value that fits. */
const VALUES: readonly (readonly [object, unknown, string | undefined])[] = [
  [{}, '1234.50', undefined],
  [{}, 12.5, undefined],
  [{}, '12.500', undefined],
  [{}, '12.505', 'may have at most 2 digits after the decimal sign'],
  [{}, 0.1 + 0.2, 'may have at most 2 digits after the decimal sign'],
  [{ scale: 1 }, '12.25', 'may have at most 1 digit after the decimal sign'],
  [{ scale: 0 }, '12.5', 'must be a whole number'],
  [{}, '12345', 'may have at most 4 digits before the decimal sign'],
  [{ precision: 2 }, '1', 'must be less than 1 and more than -1'],
  [{}, 'a lot', 'must be a decimal number such as 12.50'],
  [{}, '12,50', 'must be a decimal number such as 12.50'],
  [{}, true, 'must be a decimal number such as 12.50'],
  [{ precision: 3 }, 'x', 'must be a decimal number such as 1.50'],
  [{}, { unclear: '1,234' }, 'must be a decimal number of at most 4 digits before the point and 2 after it'],
  [{ attributes: { min: '0.5' } }, '0.49', 'must be at least 0.50'],
  [{ attributes: { max: 10 } }, '10.01', 'must be at most 10.00'],
  [{ attributes: { step: 0.05 } }, '0.12', 'must be a multiple of 0.05'],
  [{ attributes: { step: 0.05 } }, '0.15', undefined],
  [{ attributes: { min: 0.01, step: 0.05 } }, '0.05', 'must be in steps of 0.05 from 0.01'],
  [{ attributes: { min: 0.01, step: 0.05 } }, '0.06', undefined],
  // The same decimal with more zeros.
  [{ validation: [{ method: 'ne', parameters: 12.5 }] }, '12.50', 'must not be 12.5'],
  [{ validation: [{ method: 'one', parameters: ['1.5', 2] }] }, '1.50', undefined],
  [{ validation: [{ method: 'one', parameters: ['1.5', 2] }] }, '2.5', 'must be one of 1.5, 2'],
  [{ validation: [{ method: 'gt', parameters: 1 }] }, '1.00', 'must be more than 1'],
  [{ scale: 3, validation: [{ method: 'price' }] }, '1.500', undefined],
  [{ scale: 3, validation: [{ method: 'price' }] }, '1.505', 'must be an amount such as 9.99'],
];
for (const [keys, value, error] of VALUES) {
  test(`${JSON.stringify(keys)}: ${JSON.stringify(value)} ${error ?? 'fits'}`, () => {
    assert.is(compile(keys)(value), error === undefined ? undefined : `Price ${error}`);
  });
}

test('an error shows numbers in the style of the language', () => {
  inLocale(german, () => {
    assert.is(compile({ attributes: { min: '0.5' } })('0.49'), 'Price must be at least 0,50');
    assert.is(compile({ scale: 3 })({ unclear: '1.234' }), 'Price can be read in two ways: write 1234,000 or 1,234');
  });
});

/** Keys of the field, and the problems: code, path and a part of the message or its remedy. */
const DEFINITIONS: readonly (readonly [object, ...string[]])[] = [
  [{}],
  [{ precision: 15, scale: 15 }],
  [{ currency: 'EUR', attributes: { min: '0.01', max: 9999.99, step: 0.01 }, default: '12.5' }],
  [{ scale: 7 }, 'MODEL_FIELD_DECIMAL scale: Raise "precision" to at least 7, or lower "scale".'],
  [{ currency: 'EUX' }, 'MODEL_FIELD_DECIMAL currency: Take a code such as EUR, or remove "currency".'],
  [{ attributes: { min: 0.005 } }, 'MODEL_FIELD_ATTRIBUTE attributes.min: Raise "scale", or correct the attribute.'],
  [
    { attributes: { step: '0.001' } },
    'MODEL_FIELD_ATTRIBUTE attributes.step: Raise "scale", or correct the attribute.',
  ],
  [
    { attributes: { max: 10000 } },
    'MODEL_FIELD_ATTRIBUTE attributes.max: Raise "precision", or correct the attribute.',
  ],
  [{ attributes: { min: 2, max: 1 } }, 'MODEL_FIELD_ATTRIBUTE attributes: Swap the two, or correct one.'],
  [{ default: '12.505' }, 'MODEL_FIELD_DEFAULT default: Correct "default".'],
  [{ default: 12345 }, 'MODEL_FIELD_DEFAULT default: Correct "default".'],
  [
    { validation: [{ method: 'char_lt', parameters: 5 }] },
    'MODEL_FIELD_DECIMAL validation[0].method: Remove it: decimals have lt, lte, gt, gte, ne, one and the rules that compare columns.',
  ],
  [
    { list: { format: 'markdown' } },
    'MODEL_FIELD_DECIMAL list.format: Remove it: the format "decimal" is the type\'s own.',
  ],
  [
    { list: { format: 'decimal', parameters: ['XXQ'] } },
    'MODEL_FORMAT_PARAMETERS list.parameters: Correct "parameters".',
  ],
  [
    { type: 'float', scale: 2, precision: 6 },
    'MODEL_FIELD_KEY_IDLE precision: Only type decimal has it: remove it.',
    'MODEL_FIELD_KEY_IDLE scale: Only type decimal has it: remove it.',
  ],
];
for (const [keys, ...problems] of DEFINITIONS) {
  test(`a definition with ${JSON.stringify(keys)}`, () => {
    const found = link({ ...DECIMAL, ...keys }).problems;
    assert.equal(
      found.map(({ code, path, hint }) => `${code} ${path?.replace('fields[0].', '')}: ${hint}`),
      problems,
    );
    for (const { message } of found) assert.match(message, /"price"|"min" is 2|"decimal" takes/);
  });
}

test('formats show all digits, exact for 15 of them, and the currency does not cut them', () => {
  const shown = (format: string, value: unknown, ...parameters: string[]) =>
    toFormatted(format, value, parameters).replace(/\u00a0/g, ' ');
  inLocale(german, () => {
    assert.is(shown('decimal', '1234.50', 'EUR'), '1.234,50 €');
    assert.is(shown('decimal', '1234.505', 'EUR'), '1.234,505 €');
    assert.is(shown('decimal', '1234.50', 'JPY'), '1.234,50 ¥');
    assert.is(shown('decimal', '12', 'EUR'), '12 €');
    assert.is(shown('decimal', '-999999999999.999'), '-999.999.999.999,999');
    assert.is(shown('decimal', 'none'), 'none');
    assert.is(shown('price', '1234.505', 'EUR'), '1.234,505 €');
    assert.is(shown('price', '1234.5', 'EUR'), '1.234,50 €');
    assert.is(shown('number', '9999999999999.90'), '9.999.999.999.999,90');
    // Numbers of the other types are as they were.
    assert.is(shown('price', 1234.505, 'EUR'), '1.234,51 €');
    assert.is(shown('number', 1234.5), '1.234,5');
  });
});

test('an amount is in the currency of its field, unless the format names another', () => {
  const field: Field = { ...DECIMAL, currency: 'EUR' };
  assert.equal(readFormat(field, undefined), { format: 'decimal', parameters: ['EUR'] });
  assert.equal(readFormat(field, { format: 'price' }), { format: 'price', parameters: ['EUR'] });
  assert.equal(readFormat(field, { format: 'price', parameters: ['USD'] }).parameters, ['USD']);
  assert.equal(readFormat(field, { format: 'stars' }).parameters, []);
  assert.equal(readFormat(DECIMAL, undefined).parameters, []);
});

test('a formula computes with 15 digits', () => {
  assert.is(computeFormula('0.10 + 0.20'), 0.3);
  assert.is(computeFormula('12.50 * 3'), 37.5);
  assert.is(computeFormula('9007199254740993'), 9007199254740992);
});

test('the input has no bounds, which an input of text cannot have', () => {
  const column = { name: 'good_price', label: 'Price', field: { ...DECIMAL, attributes: { min: 1, max: 5, step: 1 } } };
  assert.equal(toControl(column as unknown as ColumnModel).attributes, { inputmode: 'decimal' });
});

test('JSON has text of the format decimal; a body may have a number, too', () => {
  const column = { name: 'good_price', label: 'Price', field: DECIMAL } as unknown as ColumnModel;
  const { pattern, ...schema } = toValueSchema(column);
  assert.equal(schema, { type: 'string', format: 'decimal', description: 'Price' });
  for (const text of ['12.50', '0.01', '-9999', '5.5']) assert.match(text, new RegExp(String(pattern)));
  for (const text of ['12.505', '12345', '1e3', '.5', '01', '']) assert.not.match(text, new RegExp(String(pattern)));
  const listTypes = ({ anyOf }: Record<string, unknown>) => (anyOf as { type: unknown }[]).map(({ type }) => type);
  assert.equal(listTypes(toBodySchema(column)), ['string', 'number']);
  assert.equal(listTypes(toNullable(toBodySchema(column))), [['string', 'null'], 'number']);
  const one = { ...DECIMAL, validation: [{ method: 'one', parameters: [1.5, '2'] }] };
  assert.equal(toValueSchema({ ...column, field: one } as ColumnModel).enum, ['1.50', '2.00']);
});

test('an example fits digits and bounds', () => {
  const of = (keys: Partial<Field>): string => toDecimalExample({ ...DECIMAL, ...keys });
  assert.is(of({}), '12.50');
  assert.is(of({ precision: 3 }), '1.50');
  assert.is(of({ precision: 2 }), '0.50');
  assert.is(of({ scale: 0 }), '12');
  assert.is(of({ attributes: { min: 100 } }), '100.00');
  assert.is(of({ attributes: { max: 5 } }), '5.00');
});

test('an amount that is typed in another way is no change of the row', () => {
  const column = { name: 'good_price', label: 'Price', field: DECIMAL } as unknown as ColumnModel;
  inLocale(german, () => {
    const stored = toStoredFingerprint(column, '1234.50');
    for (const typed of ['1234,50', '1234,5', '1.234,50', '1234.5', '+1234,500'])
      assert.is(toFingerprint(column, typed), stored, typed);
    for (const typed of ['1234,51', '1.234', '', '-1234,50'])
      assert.is.not(toFingerprint(column, typed), stored, typed);
  });
});

test('rows have text in TypeScript, and code may write a number', () => {
  assert.is(toValueType(DECIMAL, new Map()), 'string');
  assert.is(toInputType(DECIMAL, new Map()), 'string | number');
});

test('made values fit digits, bounds, steps and rules, with all digits', () => {
  const CASES: readonly Partial<Field>[] = [
    {},
    { precision: 15, scale: 15 },
    { precision: 15, scale: 0 },
    { precision: 1, scale: 1 },
    { attributes: { min: '-0.05', max: 0.05 } },
    { attributes: { min: 0.01, step: 0.05 } },
    { attributes: { max: -5 } },
    {
      validation: [
        { method: 'gt', parameters: 2 },
        { method: 'lte', parameters: 3 },
      ],
    },
    { validation: [{ method: 'one', parameters: [1.5, '2'] }] },
  ];
  for (const keys of CASES) {
    const field: Field = { ...DECIMAL, label: 'Price', ...keys };
    const findError = compile(keys);
    const limits = readLimits(field);
    for (let ordinal = 1; ordinal <= 200; ordinal += 1) {
      const chance = createChance(`decimal ${ordinal}`);
      const more = { base: 0, today: 0, fieldsets: new Map(), make: () => undefined };
      const value = makeValue({ field, limits, chance, ordinal, isUnique: ordinal % 2 === 0, ...more });
      assert.is(findError(value), undefined, `${JSON.stringify(keys)}: ${String(value)}`);
    }
  }
});

test('the admin section reads digits and currency of a field, and keeps what it cannot read for the error', () => {
  const before: Field = { name: 'price', type: 'decimal', precision: 12, scale: 2 };
  const read = (posted: object): object => {
    const { precision, scale, currency } = readField({ type: 'decimal', ...posted }, before, false);
    return { precision, scale, currency };
  };
  assert.equal(read({ precision: '10', scale: '3', currency: ' eur ' }), { precision: 10, scale: 3, currency: 'EUR' });
  assert.equal(read({ precision: '', scale: '' }), { precision: undefined, scale: undefined, currency: undefined });
  assert.is((read({ precision: 'ten', scale: '2' }) as { precision: unknown }).precision, 'ten');
});

test('a command line says digits and currency with the type', () => {
  const read = (text: string) => parseField(text);
  const base = { name: 'price', label: 'Price', type: 'decimal' };
  assert.equal(read('price:decimal'), base);
  assert.equal(read('price:decimal(12)'), { ...base, precision: 12 });
  assert.equal(read('price:decimal(12,3,EUR):required'), {
    ...base,
    precision: 12,
    scale: 3,
    currency: 'EUR',
    required: true,
  });
  assert.equal(read('price:decimal(EUR)'), { ...base, currency: 'EUR' });
  for (const text of ['price:decimal', 'price:decimal(12,2)', 'price:decimal(12,2,EUR):required', 'price:decimal(EUR)'])
    assert.is(toFieldText(read(text)), text);
  assert.is(toFieldText({ ...base, type: 'decimal', scale: 3 }), '{"name":"price","type":"decimal","scale":3}');
  for (const [text, error] of [
    ['price:decimal(16,2)', /1 to 15 digits, not 16/],
    ['price:decimal(2,3)', /of 2 digits cannot have 3 after/],
    ['price:decimal(12,2,EUX)', /no currency "EUX"/],
    ['price:decimal()', /is not digits/],
    ['price:decimal(x)', /is not digits/],
    ['price:float(12,2)', /not a field type/],
    ['price:numeric', /not a field type/],
  ] as const)
    assert.throws(() => read(text), error, text);
});

test.run();
