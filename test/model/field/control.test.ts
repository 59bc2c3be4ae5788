import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toControl, toFormEncoding } from '../../../src/model/field/control.ts';
import { fieldKinds } from '../../../src/model/field/field-kind.ts';
import type { ColumnModel } from '../../../src/model/model.ts';
import { FIELD_TYPES, type Field, type FieldType } from '../../../src/model/shape.ts';

const test = suite('control');

const column = (field: Partial<Field> & Pick<Field, 'type'>, more: Partial<ColumnModel> = {}): ColumnModel =>
  ({
    name: `x_${field.type}`,
    field: { name: field.type, ...field },
    label: 'Label',
    isRequired: field.required === true,
    ...more,
  }) as ColumnModel;

test('every type has a control that HTML knows', () => {
  const elements = ['input', 'textarea', 'select', 'radios', 'checkboxes', 'fieldset', 'none'];
  const inputs = ['text', 'email', 'password', 'search', 'url', 'color', 'number', 'range', 'date', 'time'];
  const more = ['datetime-local', 'week', 'month', 'checkbox', 'file'];
  for (const type of FIELD_TYPES) {
    const control = toControl(column({ type }));
    assert.ok(elements.includes(control.element), type);
    if (control.element === 'input') assert.ok([...inputs, ...more].includes(String(control.type)), type);
    else assert.is(control.type, undefined, type);
    assert.is(control.element === 'none', fieldKinds[type].isSystem, `${type} is edited unless Treadle sets it`);
    for (const name of Object.keys(control.attributes)) assert.match(name, /^(?!on)[a-z-]+$/, type);
  }
});

test('attributes: the type’s own, narrowed by rules and definition, never widened', () => {
  const cases: [Partial<Field> & Pick<Field, 'type'>, Record<string, unknown>][] = [
    [
      { type: 'text', required: true },
      { maxlength: 255, required: true },
    ],
    [
      { type: 'text', attributes: { maxlength: 1000, placeholder: 'x' } },
      { maxlength: 255, placeholder: 'x' },
    ],
    [{ type: 'text', validation: [{ method: 'char_lte', parameters: 40 }] }, { maxlength: 40 }],
    [
      { type: 'number', validation: [{ method: 'gte', parameters: 1 }], attributes: { max: 9, step: 2 } },
      { min: 1, max: 9, step: 2 },
    ],
    [
      { type: 'small', attributes: { min: -5, max: 10 } },
      { min: 0, max: 10, step: 1 },
    ],
    [{ type: 'price' }, { step: '0.01' }],
    [{ type: 'image', attributes: { accept: '.png' } }, { accept: '.png' }],
    [{ type: 'imagelist' }, { accept: 'image/*', multiple: true }],
    [{ type: 'checkbox', required: true }, { value: '1' }],
    [{ type: 'date', attributes: { min: '2026-01-01' } }, { min: '2026-01-01' }],
  ];
  for (const [field, attributes] of cases)
    assert.equal(toControl(column(field)).attributes, attributes, JSON.stringify(field));
});

test('choices, lists, boxes and groups', () => {
  const options = [{ key: 'a', value: 'A' }];
  assert.equal(toControl(column({ type: 'select', options })).options, options);
  const countries = toControl(column({ type: 'countrylist' })).options;
  assert.is(countries.length, 249);
  assert.ok(countries.some(({ key, value }) => key === 'FR' && value === 'France'));
  assert.equal(toControl(column({ type: 'countrylist', options })).options, options);
  const list = toControl(column({ type: 'checkboxes', options }));
  assert.equal([list.name, list.isMultiple, list.element], ['x_checkboxes[]', true, 'checkboxes']);
  assert.is(toControl(column({ type: 'switch' })).unticked, '0');
  const part = column({ type: 'price' }, { name: 'price' });
  const group = toControl(column({ type: 'fieldset', fieldset: 'line', multiple: true }, { parts: [part] }));
  assert.equal([group.element, group.isMultiple, group.parts.map(({ name }) => name)], ['fieldset', true, ['price']]);
});

test('a form with files is encoded for them, also where they lie in a group', () => {
  const plain = column({ type: 'text' });
  const nested = column({ type: 'fieldset' as FieldType }, { parts: [column({ type: 'file' })] });
  assert.is(toFormEncoding([plain]), 'application/x-www-form-urlencoded');
  assert.is(toFormEncoding([plain, column({ type: 'imagelist' })]), 'multipart/form-data');
  assert.is(toFormEncoding([plain, nested]), 'multipart/form-data');
});

test.run();
