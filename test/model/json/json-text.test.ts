import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseJsonText, printPath } from '../../../src/model/json/json-text.ts';

const test = suite('model/json/json-text');

const GOOD = [
  '{}',
  '[]',
  'null',
  ' true ',
  'false',
  '0',
  '-1.5e+3',
  '""',
  '"\\u00e9\\n\\"/\\/"',
  '[1,[2,[3]]]',
  '{"a":{"b":[{"c":null}]},"":1}',
  '\r\n\t{ "a" : 1 }\r\n',
];

for (const text of GOOD) {
  test(`reads ${JSON.stringify(text)} as JSON does`, () => {
    const read = parseJsonText(text);
    assert.is(read.error, undefined);
    assert.equal(read.value, JSON.parse(text));
  });
}

const BAD: readonly (readonly [string, number, number, RegExp])[] = [
  ['', 1, 1, /a value is missing before the end/],
  ['{', 1, 2, /"}" is missing before the end of the file/],
  ['{\n  "a": 1,\n}', 2, 9, /"," after the last part/],
  ['[1,]', 1, 3, /"," after/],
  ['{"a" 1}', 1, 6, /":" is missing/],
  ['{"a":1 "b":2}', 1, 8, /"," or a closing bracket is missing before "b"/],
  ['[1 2]', 1, 4, /"," or a closing bracket is missing/],
  ['[1', 1, 3, /before the end of the file/],
  ['{"a":"x\ny"}', 1, 6, /not closed/],
  ['"\\x"', 1, 1, /wrong escape/],
  ['{"a":1,\n"a":2}', 2, 1, /appears twice/],
  ['{"__proto__":{}}', 1, 2, /refused/],
  ['{} {}', 1, 4, /nothing may follow/],
  ["{'a':1}", 1, 2, /'a' is not a text in double quotes/],
  ['{"a":tru}', 1, 6, /tru is not a text/],
  ['01', 1, 2, /nothing may follow/],
  ['+1', 1, 1, /\+1 is not a text/],
  ['{"a":1, // no\n}', 1, 9, /JSON has no comments/],
  ['['.repeat(300), 1, 202, /200 deep/],
];

for (const [text, line, column, message] of BAD) {
  test(`${JSON.stringify(text.slice(0, 30))} is not JSON`, () => {
    const { error: fault } = parseJsonText(text);
    assert.equal([fault?.line, fault?.column], [line, column]);
    assert.match(fault?.message ?? '', message);
  });
}

test('a text as JSON.stringify prints it has the same faults and places', () => {
  const nest = (depth: number): unknown => (depth === 0 ? 1 : { a: nest(depth - 1) });
  const printed = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  const right = parseJsonText(printed({ a: [1, { b: 'x' }], '': {} }));
  assert.equal([right.value, right.error], [{ a: [1, { b: 'x' }], '': {} }, undefined]);
  assert.equal(right.findPlace(['a', 1, 'b']), { line: 5, column: 7 });
  assert.equal(right.findPlace(['']), { line: 8, column: 3 });
  assert.is(parseJsonText(printed(nest(200))).error, undefined);
  assert.match(parseJsonText(printed(nest(201))).error?.message ?? '', /200 deep/);
  assert.match(parseJsonText('{\n  "a": 1,\n  "a": 1\n}\n').error?.message ?? '', /twice/);
  assert.match(parseJsonText('{\n  "__proto__": 1\n}\n').error?.message ?? '', /refused/);
  assert.match(parseJsonText('{\n  "a": 1\n}\n}\n').error?.message ?? '', /nothing may follow/);
});

test('places of values, of keys, and of the nearest parent', () => {
  const text = parseJsonText('{\n  "a": [\n    { "b": 1 },\n    2\n  ]\n}');
  assert.equal(text.findPlace([]), { line: 1, column: 1 });
  assert.equal(text.findPlace(['a']), { line: 2, column: 3 });
  assert.equal(text.findPlace(['a', 0, 'b']), { line: 3, column: 7 });
  assert.equal(text.findPlace(['a', 1]), { line: 4, column: 5 });
  assert.equal(text.findPlace(['a', 0, 'gone', 'deep']), { line: 3, column: 5 });
  assert.equal(parseJsonText('').findPlace(['a']), { line: 1, column: 1 });
});

test('paths as problems print them', () => {
  assert.is(printPath([]), '');
  assert.is(printPath(['fields', 2, 'type']), 'fields[2].type');
  assert.is(printPath(['$schema']), '$schema');
  assert.is(printPath(['attributes', 'data-x', 'a b']), 'attributes.data-x["a b"]');
});

test.run();
