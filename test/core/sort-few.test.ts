import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sortFew } from '../../src/core/bus.ts';

const test = suite('core/sort-few');

test('sorts as Array.sort does, and keeps the order of equal items', () => {
  const lists = [[], [1], [2, 1], [1, 2], [3, 1, 2, 3, 1], [5, 4, 3, 2, 1, 0]];
  for (const numbers of lists) {
    const items = numbers.map((number, index) => ({ number, index }));
    const sorted = [...items].sort((a, b) => a.number - b.number);
    sortFew(items, (a, b) => a.number - b.number);
    assert.equal(items, sorted);
  }
});

test.run();
