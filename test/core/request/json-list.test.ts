import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findListLength, setJsonList, toJson } from '../../../src/core/request/json-list.ts';

const lists = suite('json list');

const make = (): Record<string, unknown> => {
  const target: Record<string, unknown> = { total: 2, none: undefined };
  setJsonList(target, 'rows', ['{"a":1}', '{"a":"ü"}']);
  return target;
};

lists('reads as an ordinary array, the same one each time', () => {
  const target = make();
  assert.equal(target.rows, [{ a: 1 }, { a: 'ü' }]);
  assert.is(target.rows, target.rows);
  assert.equal(Object.keys(target), ['total', 'none', 'rows']);
  assert.ok(Object.hasOwn(target, 'rows'));
});

lists('prints as JSON.stringify does, read or not', () => {
  const text = '{"total":2,"rows":[{"a":1},{"a":"ü"}]}';
  assert.is(toJson(make()), text);
  assert.is(JSON.stringify(make()), text);
  const read = make();
  assert.ok(read.rows);
  assert.is(toJson(read), text);
});

lists('prints what a listener changed', () => {
  const target = make();
  (target.rows as { a: unknown }[])[0] = { a: 'changed' };
  assert.is(toJson(target), '{"total":2,"rows":[{"a":"changed"},{"a":"ü"}]}');
  const replaced = make();
  replaced.rows = [];
  replaced.total = 0;
  assert.is(toJson(replaced), '{"total":0,"rows":[]}');
  const removed = make();
  delete removed.rows;
  assert.is(toJson(removed), '{"total":2}');
  removed.rows = [1];
  assert.is(toJson(removed), '{"total":2,"rows":[1]}');
});

lists('a copy is a plain object', () => {
  assert.equal({ ...make() }.rows, [{ a: 1 }, { a: 'ü' }]);
  assert.equal(structuredClone(make()).rows, [{ a: 1 }, { a: 'ü' }]);
});

lists('knows its length without looking', () => {
  const target = make();
  assert.is(findListLength(target, 'rows'), 2);
  assert.equal(target.rows, [{ a: 1 }, { a: 'ü' }]);
  assert.is(findListLength(target, 'rows'), 2);
  assert.is(findListLength(target, 'total'), undefined);
  assert.is(findListLength(null, 'rows'), undefined);
});

lists('prints what holds no list as JSON.stringify does', () => {
  for (const value of [null, 5, 'x', [1], { a: [1] }]) assert.is(toJson(value), JSON.stringify(value));
  assert.is(toJson(undefined), 'null');
});

lists('an object that inherits a list leaves it to the others', () => {
  const target = { id: 1 };
  setJsonList(target, 'rows', ['{"a":1}']);
  const heir = Object.create(target) as { rows: unknown };
  assert.equal(heir.rows, [{ a: 1 }]);
  assert.is(toJson(target), '{"id":1,"rows":[{"a":1}]}');
});

lists('objects with a list under one key share its accessor, and so their hidden class', () => {
  const getGetter = (text: string): unknown => {
    const target = {};
    setJsonList(target, 'rows', [text]);
    return Object.getOwnPropertyDescriptor(target, 'rows')?.get;
  };
  assert.is(getGetter('1'), getGetter('2'));
});

lists.run();
