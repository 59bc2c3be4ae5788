import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  encodeJson,
  isJson,
  isShallow,
  isUnstorable,
  MAX_DEPTH,
  parseJsonText,
} from '../../../src/model/json/json-value.ts';

const test = suite('model: json value');

const nest = (levels: number): unknown =>
  levels === 0 ? 1 : levels % 2 === 0 ? [nest(levels - 1)] : { a: nest(levels - 1) };

test('JSON is what can be written and read again, so deep and no deeper', () => {
  for (const value of [
    null,
    true,
    0,
    -1.5,
    '',
    'a',
    [],
    {},
    [[]],
    { a: { b: [1, 'x', null] } },
    nest(MAX_DEPTH),
    Object.create(null),
  ])
    assert.ok(isJson(value), JSON.stringify(value));
  for (const value of [
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1n,
    Symbol('a'),
    () => 1,
    new Date(0),
    Buffer.from('a'),
    new Map(),
    [undefined],
    { a: undefined },
    nest(MAX_DEPTH + 1),
  ])
    assert.not.ok(isJson(value), String(value));
  assert.ok(isShallow(nest(MAX_DEPTH)));
  assert.not.ok(isShallow(nest(MAX_DEPTH + 1)));
  assert.ok(isShallow({ a: {} }, 1));
});

test('names that reach a prototype are left out, also where an escape hides them', () => {
  assert.is(encodeJson({ a: 1, b: ['prototype'] }), '{"a":1,"b":["prototype"]}');
  assert.is(encodeJson(JSON.parse('{"a":{"\\u005f_proto__":1,"toString":2,"b":3}}')), '{"a":{"b":3}}');
  assert.is(encodeJson(JSON.parse('{"constructor":1}')), '{}');
  assert.is(encodeJson(''), null);
});

test('a text that no database holds is found at any depth, in keys too', () => {
  for (const value of ['a\0', '\ud800', 'x\udc00y', ['a', ['\0']], { a: { b: '\ud83d' } }, { 'a\0': 1 }])
    assert.ok(isUnstorable(value), JSON.stringify(value));
  for (const value of ['', 'a', '\u{1f600}', ['é', { a: '😀' }], { '😀': 1 }, 5, null, Buffer.from([0])])
    assert.not.ok(isUnstorable(value), JSON.stringify(value));
});

test('the text of an input stands for JSON where it is JSON, stays text where it is none, and is refused where it is broken', () => {
  const table: readonly (readonly [string, unknown])[] = [
    ['{"a":[1]}', { a: [1] }],
    [' [] ', []],
    ['"[1]"', '[1]'],
    ['5', 5],
    ['-0.5e3', -500],
    ['true', true],
    ['null', null],
    ['007', '007'],
    ['1 of 2', '1 of 2'],
    ['truely', 'truely'],
    ['"half', '"half'],
    ['words', 'words'],
    ['9007199254740993', '9007199254740993'],
    ['', ''],
  ];
  for (const [text, value] of table) assert.equal(parseJsonText(text), value, text);
  const broken = ['{"a":', '[1,]', '{"a":9007199254740993}', '['.repeat(40) + ']'.repeat(40)];
  for (const text of broken) assert.not.ok(isJson(parseJsonText(text)), text);
  assert.equal(parseJsonText({ a: '[1]' }), { a: '[1]' });
});

test.run();
