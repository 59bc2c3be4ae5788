import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SizedMap, sizeOfKey, sizeOfText } from '../../src/core/sized-map.ts';

const map = suite('core/sized-map');

map('counts one byte for each character of ASCII text, and two where a character needs more', () => {
  const cases: [string, number][] = [
    ['', 0],
    ['warp', 4],
    ['wärp', 8],
    ['織り', 4],
  ];
  for (const [text, bytes] of cases) assert.is(sizeOfText(text), bytes, text);
  assert.is(sizeOfKey('warp') - sizeOfKey(''), 4);
});

map('drops the entries that were not read or set for longest', () => {
  const kept = new SizedMap<number>(10);
  for (const key of ['a', 'b', 'c']) kept.set(key, 1, 3);
  kept.get('a');
  kept.set('d', 1, 3);
  assert.equal(
    ['a', 'b', 'c', 'd'].filter((key) => kept.get(key) !== undefined),
    ['a', 'c', 'd'],
  );
  kept.set('a', 1, 11);
  assert.is(kept.get('a'), undefined, 'larger than all of it');
  assert.is(kept.bytes, 6);
});

map.run();
