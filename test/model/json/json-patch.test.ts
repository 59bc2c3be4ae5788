import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PatchOperation } from '../../../src/core/errors.ts';
import { applyPatch, toPointer } from '../../../src/model/json/json-patch.ts';
import { parsePath, printPath } from '../../../src/model/json/json-text.ts';

const test = suite('model/json/json-patch');

const given = { a: 1, list: [1, 2, 3], 'b/~c': { d: null } };

for (const [patch, wanted] of [
  [[{ op: 'add', path: '/x', value: 2 }], { ...given, x: 2 }],
  [[{ op: 'add', path: '/list/1', value: 9 }], { ...given, list: [1, 9, 2, 3] }],
  [[{ op: 'add', path: '/list/-', value: 9 }], { ...given, list: [1, 2, 3, 9] }],
  [[{ op: 'add', path: '', value: [] }], []],
  [[{ op: 'replace', path: '/b~1~0c/d', value: 1 }], { ...given, 'b/~c': { d: 1 } }],
  [[{ op: 'remove', path: '/list/0' }], { ...given, list: [2, 3] }],
  [[{ op: 'move', from: '/a', path: '/list/0' }], { list: [1, 1, 2, 3], 'b/~c': { d: null } }],
  [[{ op: 'copy', from: '/list', path: '/b~1~0c/d' }], { ...given, 'b/~c': { d: [1, 2, 3] } }],
  [
    [
      { op: 'test', path: '/list', value: [1, 2, 3] },
      { op: 'remove', path: '/list' },
    ],
    { a: 1, 'b/~c': { d: null } },
  ],
] as const satisfies readonly (readonly [readonly PatchOperation[], unknown])[]) {
  test(`${JSON.stringify(patch)} is applied, and the old document stays`, () => {
    const before = structuredClone(given);
    assert.equal(applyPatch(given, patch), wanted);
    assert.equal(given, before);
  });
}

test('a key that moves to another name keeps its place', () => {
  const renamed = applyPatch({ a: 1, b: 2, c: 3 }, [{ op: 'move', from: '/b', path: '/x' }]);
  assert.is(JSON.stringify(renamed), '{"a":1,"x":2,"c":3}');
});

for (const operation of [
  { op: 'remove', path: '/nothing' },
  { op: 'replace', path: '/list/3', value: 1 },
  { op: 'add', path: '/list/5', value: 1 },
  { op: 'add', path: '/list/01', value: 1 },
  { op: 'add', path: '/a/b', value: 1 },
  { op: 'add', path: 'a', value: 1 },
  { op: 'add', path: '/__proto__/x', value: 1 },
  { op: 'add', path: '/constructor', value: 1 },
  { op: 'move', from: '/list', path: '/list/0' },
  { op: 'test', path: '/a', value: 2 },
  { op: 'erase', path: '/a' } as unknown as PatchOperation,
] as const satisfies readonly PatchOperation[]) {
  test(`${JSON.stringify(operation)} is refused`, () => {
    assert.throws(
      () => applyPatch(given, [operation]),
      (error: unknown) => error instanceof RangeError,
    );
  });
}

test('a printed path is read back', () => {
  for (const path of [[], ['fields', 2, 'type'], ['data', 'a b', 'x'], ['$schema'], ['a"]b', 0, 1], ['my-key', 'b']])
    assert.equal(parsePath(printPath(path)), path);
  assert.is(parsePath('fields['), undefined);
  assert.is(toPointer(['a/b', 0, '~']), '/a~1b/0/~0');
});

test.run();
