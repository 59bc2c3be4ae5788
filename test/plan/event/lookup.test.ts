import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lookupId, optionalLookupId, tick } from '../../../src/plan/event/value.ts';

/** Shapes of keys by which rows are found, and of ticks. */
const test = suite('plan/event/value: lookups and ticks');

for (const [value, found] of [
  [7, 7],
  ['7', 7],
  [' 7 ', 7],
  ['', 0],
  ['7.5', 0],
  ['x', 0],
  [{}, 0],
  [Number.MAX_VALUE, 0],
] as const)
  test(`${JSON.stringify(value)} finds the row ${found}`, () => {
    assert.is(lookupId('An id.').parse(value), found);
    assert.is(optionalLookupId('An id.').parse(value), found);
  });

test('nothing finds no row, and an optional key tells it from an odd value', () => {
  for (const value of [undefined, null]) {
    assert.is(lookupId('An id.').parse(value), 0);
    assert.is(optionalLookupId('An id.').parse(value), undefined);
  }
});

test('a tick is true, 1 and on', () => {
  for (const value of [true, 1, '1', 'on']) assert.is(tick('A tick.').parse(value), true);
  for (const value of [false, 0, '0', '', 'true', 'yes', null, undefined, {}])
    assert.is(tick('A tick.').parse(value), false);
});

test.run();
