import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readPageLimit } from '../../../src/core/text/page-limit.ts';

const test = suite('core/text/page-limit');

const cases: readonly (readonly [given: unknown, limit: number | undefined])[] = [
  [undefined, 50],
  ['', 50],
  [1, 1],
  ['100', 100],
  ['7', 7],
  [0, undefined],
  ['101', undefined],
  [-1, undefined],
  ['1.5', undefined],
  ['1e2', undefined],
  ['ten', undefined],
  [null, undefined],
];

for (const [given, limit] of cases)
  test(`${JSON.stringify(given)} is ${limit ?? 'refused'}`, () => {
    assert.is(readPageLimit(given), limit);
  });

test.run();
