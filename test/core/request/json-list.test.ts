import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  dropLastLine,
  findFirstLine,
  findLastLine,
  findListLength,
  printEnvelope,
  reverseLines,
  setJsonLines,
  setJsonList,
  setJsonText,
  toEnvelope,
  toJson,
  toJsonLines,
} from '../../../src/core/request/json-list.ts';

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

const ROWS = ['{"a":1}', '{"a":"ü, \\n and 😀"}', '{"a":[1,{"b":null}]}'];

lists('lines have the items in order, whichever is taken away', () => {
  for (let count = 0; count <= ROWS.length; count += 1) {
    const texts = ROWS.slice(0, count);
    const lines = toJsonLines(texts);
    assert.is(lines.count, count);
    assert.is(findFirstLine(lines), texts[0]);
    assert.is(findLastLine(lines), texts.at(-1));
    assert.equal(reverseLines(lines), toJsonLines(texts.toReversed()));
    if (count > 0) assert.equal(dropLastLine(lines), toJsonLines(texts.slice(0, -1)));
    const target = { total: 9 };
    setJsonLines(target, 'rows', lines);
    assert.is(findListLength(target, 'rows'), count);
    assert.is(toJson(target), `{"total":9,"rows":[${texts.join()}]}`);
    assert.equal((target as unknown as { rows: unknown }).rows, JSON.parse(`[${texts.join()}]`));
  }
});

lists('an answer is the same text as bytes and as text, wherever its lists are and whatever is around them', () => {
  const long = Array.from({ length: 300 }, (_, n) => `{"id":${n},"text":"Faden ü 😀"}`);
  const makes: readonly ((target: Record<string, unknown>) => void)[] = [
    (target) => setJsonLines(target, 'rows', toJsonLines(long)),
    (target) => setJsonLines(target, 'few', toJsonLines(ROWS)),
    (target) => setJsonText(target, 'author', '{"id":1}'),
    (target) => Object.assign(target, { total: 1, none: undefined }),
    (target) => Object.assign(target, { next: 'ü' }),
  ];
  for (let order = 0; order < 3125; order += 1) {
    const target: Record<string, unknown> = {};
    for (let rest = order, place = 0; place < 5; place += 1, rest = Math.floor(rest / 5)) makes[rest % 5]?.(target);
    const printed = printEnvelope(target);
    assert.is(String(printed), toEnvelope(target));
    assert.is(typeof printed !== 'string', Object.hasOwn(target, 'rows'));
    assert.equal(JSON.parse(String(printed)).results, JSON.parse(JSON.stringify(target)));
  }
});

lists.run();
