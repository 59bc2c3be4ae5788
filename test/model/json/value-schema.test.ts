import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toNullable, toValueSchema } from '../../../src/model/json/value-schema.ts';
import type { ColumnModel } from '../../../src/model/model.ts';
import { FIELD_TYPES, type Field } from '../../../src/model/shape.ts';

const test = suite('value schema');

const column = (field: Partial<Field> & Pick<Field, 'type'>, more: Partial<ColumnModel> = {}): ColumnModel =>
  ({ name: 'x_v', field: { name: 'v', ...field }, label: 'Label', isRequired: false, ...more }) as ColumnModel;

/** The schema without descriptions. */
function toRules(field: Partial<Field> & Pick<Field, 'type'>): Record<string, unknown> {
  const { description: _, title: __, ...rules } = toValueSchema(column(field));
  return rules;
}

test('bounds are said: of the type, of attributes, of rules', () => {
  const cases: [Partial<Field> & Pick<Field, 'type'>, Record<string, unknown>][] = [
    [{ type: 'text' }, { type: 'string', maxLength: 255 }],
    [
      { type: 'text', attributes: { minlength: 2, maxlength: 9 } },
      { type: 'string', minLength: 2, maxLength: 9 },
    ],
    [
      {
        type: 'text',
        validation: [
          { method: 'char_lt', parameters: 9 },
          { method: 'char_gt', parameters: 1 },
        ],
      },
      { type: 'string', maxLength: 8, minLength: 2 },
    ],
    [
      { type: 'text', attributes: { pattern: '[a-z]+' } },
      { type: 'string', maxLength: 255, pattern: '^(?:[a-z]+)$' },
    ],
    [
      { type: 'text', validation: [{ method: 'one', parameters: ['a', 2] }] },
      { type: 'string', maxLength: 255, enum: ['a', '2'] },
    ],
    [
      { type: 'number', attributes: { min: 1, max: 9 } },
      { type: 'integer', minimum: 1, maximum: 9 },
    ],
    [
      { type: 'number', attributes: { step: 5 }, validation: [{ method: 'gt', parameters: 0 }] },
      { type: 'integer', multipleOf: 5, exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    ],
    [
      { type: 'number', attributes: { step: 'any' } },
      { type: 'number', format: 'double' },
    ],
    [{ type: 'range' }, { type: 'integer', minimum: 0, maximum: 100 }],
    [{ type: 'stars' }, { type: 'number', format: 'double', minimum: 0, maximum: 5, multipleOf: 0.5 }],
    [
      { type: 'price', attributes: { step: 0.01, min: 0, max: 1 } },
      { type: 'number', format: 'double', minimum: 0, maximum: 1 },
    ],
    [
      { type: 'select', options: [{ key: 'a', value: 'A' }] },
      { type: 'string', enum: ['a'] },
    ],
    [{ type: 'date' }, { type: 'string', format: 'date' }],
    [{ type: 'uuid' }, { type: 'string', format: 'uuid' }],
  ];
  for (const [field, rules] of cases) assert.equal(toRules(field), rules, JSON.stringify(field));
});

test('every type has a schema that JSON can hold', () => {
  for (const type of FIELD_TYPES) {
    const schema = toValueSchema(column({ type }));
    assert.equal(JSON.parse(JSON.stringify(schema)), schema, type);
    assert.is(schema.description, 'Label', type);
  }
});

test('groups are nested, with what they need, and nothing unknown', () => {
  const name = column({ type: 'text', required: true }, { name: 'name', isRequired: true });
  const day = column({ type: 'date' }, { name: 'day' });
  const inner = column({ type: 'fieldset' }, { name: 'inner', parts: [day] });
  const group = toValueSchema(column({ type: 'fieldset', multiple: true }, { parts: [name, inner] }));
  assert.equal(group, {
    type: 'array',
    maxItems: 1000,
    description: 'Label',
    items: {
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', maxLength: 255, description: 'Label' },
        inner: {
          type: ['object', 'null'],
          additionalProperties: false,
          properties: { day: { type: ['string', 'null'], format: 'date', description: 'Label' } },
          description: 'Label',
        },
      },
    },
  });
  assert.equal(toNullable({ enum: [0, 1] }), { enum: [0, 1, null] });
});

test.run();
