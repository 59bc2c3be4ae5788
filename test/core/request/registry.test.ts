import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Registry } from '../../../src/core/request/registry.ts';

const paths = suite('registry paths');

paths('sets, reads and removes by segments, making objects on the way', () => {
  const registry = new Registry();
  assert.is(registry.set('a', 'b', 0, 'x'), registry);
  assert.is(registry.get('a', 'b', 0), 'x');
  assert.is(registry.exists('a', 'b'), true);
  registry.remove('a', 'b', 0);
  assert.is(registry.exists('a', 'b', 0), false);
  assert.equal(registry.get('a'), { b: {} });
});

paths('reads a list by its index and removes from it without a hole', () => {
  const registry = new Registry({ list: ['a', 'b', 'c'] });
  assert.is(registry.getDot('list.1'), 'b');
  registry.removeDot('list.0');
  assert.equal(registry.get('list'), ['b', 'c']);
});

paths('replaces a scalar on the way of a deeper path', () => {
  assert.equal(new Registry({ a: 1 }).set('a', 'b', 2).get(), { a: { b: 2 } });
});

paths('takes null for nothing, and an empty text, list or object for empty', () => {
  const registry = new Registry({ none: null, text: '', list: [], zero: 0 });
  assert.is(registry.exists('none'), false);
  for (const key of ['none', 'text', 'list', 'missing']) assert.is(registry.isEmpty(key), true, key);
  assert.is(registry.isEmpty('zero'), false);
});

paths('uses another delimiter where one is given', () => {
  const registry = new Registry().setDot('a/b.c/0', 1, '/');
  assert.equal(registry.get(), { a: { 'b.c': { 0: 1 } } });
  assert.is(registry.getDot('a/b.c/0', '/'), 1);
  assert.is(registry.isDot('a/b.c', '/'), true);
  assert.is(registry.removeDot('a/b.c', '/').isDot('a/b.c', '/'), false);
});

paths('prints as indented JSON', () => {
  assert.is(String(new Registry({ a: 1 })), '{\n  "a": 1\n}');
});

paths.run();

const refused = suite('registry prototype names');

for (const name of ['__proto__', 'constructor', 'prototype']) {
  refused(`never takes ${name} for a segment`, () => {
    const registry = new Registry(JSON.parse(`{"${name}": {"x": 1}, "kept": 1}`));
    registry.set(name, 'x', 1).set('a', name, 'x', 1).setDot(`b.${name}.x`, 1);
    assert.is(registry.get(name), undefined);
    assert.is(registry.get('a', name), undefined);
    assert.is(registry.getDot(`b.${name}.x`), undefined);
    registry.remove('toString', name);
    assert.is(({} as Record<string, unknown>).x, undefined);
    assert.is(registry.get('kept'), 1);
  });
}

refused('reads own properties only', () => {
  assert.is(new Registry({ a: {} }).get('a', 'toString'), undefined);
});

refused.run();
