import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linkModel } from '../../../src/model/link.ts';
import { toDefinitions } from '../rename/_definitions.ts';

const test = suite('model/link of computed fields');

const LINE = {
  ...{ name: 'line', singular: 'Line', plural: 'Lines' },
  fields: [
    { name: 'cost', type: 'decimal' },
    { name: 'weight', type: 'float' },
    { name: 'amount', type: 'computed', expression: 'cost * 2' },
    { name: 'notes', type: 'computed', expression: 'note.count' },
  ],
};
const NOTE = {
  ...{ name: 'note', singular: 'Note', plural: 'Notes' },
  fields: [{ name: 'text', type: 'text' }],
  relations: [{ schema: 'line', kind: '1:1' }],
};

const link = (fields: readonly object[], more: object = {}, role?: object) =>
  linkModel(
    toDefinitions({
      'schema/sale': {
        ...{ name: 'sale', singular: 'Sale', plural: 'Sales' },
        fields: [
          { name: 'title', type: 'text' },
          { name: 'detail', type: 'textarea' },
          { name: 'tags', type: 'tag' },
          ...fields,
        ],
        relations: [{ schema: 'line', kind: '1:N' }],
        ...more,
      },
      'schema/line': LINE,
      'schema/note': NOTE,
      ...(role === undefined ? {} : { 'role/guest': role }),
    }),
  );

const computed = (expression: string | undefined, more: object = {}): object => ({
  ...{ name: 'value', type: 'computed' },
  ...(expression === undefined ? {} : { expression }),
  ...more,
});

const PROBLEMS: readonly (readonly [field: object, code: string, message: RegExp])[] = [
  [computed(undefined), 'MODEL_EXPRESSION', /has no expression/],
  [computed('titel'), 'MODEL_EXPRESSION', /at character 1: The schema "sale" has no field "titel"/],
  [computed('value + 1'), 'MODEL_EXPRESSION', /computed of itself: value → value/],
  [computed('tags'), 'MODEL_EXPRESSION', /Nothing can be computed of "tags", a field of type tag/],
  [computed('line.sum(weight)'), 'MODEL_EXPRESSION', /"weight" is a number/],
  [computed('line.sum(notes)'), 'MODEL_EXPRESSION', /counts related rows itself/],
  [computed('line.sum(price)'), 'MODEL_EXPRESSION', /The schema "line" has no field "price"/],
  [computed('length(title)', { unique: true }), 'MODEL_FIELD_FLAG', /unique, but no column stores it/],
  [computed('concat(detail)', { unique: true, stored: true }), 'MODEL_FIELD_FLAG', /too long for an index/],
  [computed('length(title)', { required: true }), 'MODEL_FIELD_FLAG', /may not be required/],
  [computed('length(title)', { default: 1 }), 'MODEL_FIELD_DEFAULT', /has no default/],
];

test('a problem says where, what and the remedy', () => {
  for (const [field, code, message] of PROBLEMS) {
    const { problems } = link([field]);
    const [found] = problems.filter(({ severity }) => severity !== 'advice');
    assert.is(found?.code, code, JSON.stringify(field));
    assert.match(String(found?.message), message);
    assert.ok((found?.hint ?? '').length > 5, JSON.stringify(field));
    assert.is(found?.line === undefined, false);
  }
});

test('a circle of several fields is named', () => {
  const fields = ['b', 'c', 'a'].map((next, index) => computed(`${next} + 1`, { name: 'abc'[index] }));
  const messages = link(fields).problems.map(({ message }) => message);
  assert.ok(
    messages.some((message) => message.includes('a → b → c → a')),
    messages.join('\n'),
  );
});

test('only a stored one may be in an index or in a rule of several columns', () => {
  for (const isStored of [false, true]) {
    const { problems } = link([computed('length(title)', { stored: isStored })], {
      indexes: [{ columns: ['value', 'title'] }],
      unique: [{ columns: ['sale_value', 'sale_title'] }],
    });
    assert.is(problems.filter(({ severity }) => severity !== 'advice').length, isStored ? 0 : 2);
  }
});

test('a stored count of ruled rows is advised against', () => {
  const role = { slug: 'guest', name: 'Guest', permissions: [], data: { line: { search: true } } };
  for (const isStored of [false, true]) {
    const codes = link([computed('line.count', { stored: isStored })], {}, role).problems.map(({ code }) => code);
    assert.is(codes.includes('MODEL_STORED_RULED'), isStored);
  }
});

test('a value of private fields is private, and the column has the kind of its values', () => {
  const fields = [
    { name: 'secret', type: 'text', private: true },
    computed('concat(secret, title)'),
    computed('line.sum(amount)', { name: 'total' }),
    computed('concat(detail)', { name: 'long' }),
  ];
  const columns = link(fields).model?.schemas.get('sale')?.byName;
  assert.is(columns?.get('value')?.isPrivate, true);
  assert.is(columns?.get('total')?.isPrivate, false);
  assert.equal([columns?.get('total')?.field.type, columns?.get('total')?.field.scale], ['decimal', 2]);
  assert.is(columns?.get('long')?.field.type, 'textarea');
});

test.run();
