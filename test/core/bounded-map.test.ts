import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BoundedMap } from '../../src/core/bounded-map.ts';

const test = suite('core/bounded-map');

const fill = (map: BoundedMap<number>, keys: string): BoundedMap<number> => {
  for (const [index, key] of [...keys].entries()) map.set(key, index);
  return map;
};

test('a new entry drops the one that was not read or set for longest', () => {
  const map = fill(new BoundedMap(3), 'abc');
  assert.is(map.get('a'), 0);
  map.set('b', 9).set('d', 3);
  assert.equal(
    [...map],
    [
      ['a', 0],
      ['b', 9],
      ['d', 3],
    ],
  );
});

test('setting a known key drops nothing', () => {
  assert.equal([...fill(new BoundedMap(2), 'aba').keys()], ['b', 'a']);
});

test('getOrCreate creates once', () => {
  const map = new BoundedMap<number>(2);
  assert.equal([map.getOrCreate('a', () => 1), map.getOrCreate('a', () => 2)], [1, 1]);
});

test('onDrop is told each dropped value, not deleted ones', () => {
  const dropped: number[] = [];
  const map = fill(new BoundedMap(2, { onDrop: (value) => dropped.push(value) }), 'abcd');
  map.delete('d');
  assert.equal(dropped, [0, 1]);
});

test('what may not be dropped stays, even beyond the limit', () => {
  const map = fill(new BoundedMap(2, { canDrop: (value) => value > 0 }), 'abc');
  assert.equal([...map.keys()], ['a', 'c']);
  assert.is(fill(new BoundedMap(1, { canDrop: () => false }), 'ab').size, 2);
});

test.run();
