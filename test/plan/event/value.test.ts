// What the shapes of stage keys make of values that queries, forms and code give.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as z from 'zod';
import { languageTag } from '../../../src/feature/auth/language.ts';
import {
  anything,
  flag,
  lookupId,
  nullableLookupId,
  onlyText,
  onlyTrue,
  optionalLookupId,
  text,
  tick,
} from '../../../src/plan/event/value.ts';

const test = suite('plan/event/value');

const SHAPES = {
  text: [text, undefined, ['', undefined], ['a', 'a'], [5, '5'], [null, undefined]],
  onlyText: [onlyText, undefined, ['', ''], ['a', 'a'], [5, ''], [null, ''], [['a'], '']],
  onlyTrue: [onlyTrue, false, [true, true], ['true', false], [1, false], [null, false]],
  flag: [flag, false, [1, true], ['1', true], [0, false], [true, false], ['', false], [null, false]],
  'a flag that is on': [(words: string) => flag(words, 1), true, [0, false], ['0', false], ['', false], [null, true]],
  anything: [anything, undefined, [null, null], [[1], [1]]],
  lookupId: [
    lookupId,
    0,
    [7, 7],
    ['7', 7],
    [' 7 ', 0],
    ['7.0', 0],
    ['+7', 0],
    ['7e0', 0],
    ['0x7', 0],
    ['', 0],
    ['x', 0],
    [-1, 0],
    [1.5, 0],
    [null, 0],
    [['7'], 0],
  ],
  optionalLookupId: [optionalLookupId, undefined, [7, 7], ['7', 7], ['', 0], ['x', 0], [null, 0], [['7'], 0]],
  nullableLookupId: [nullableLookupId, undefined, [7, 7], ['', 0], ['x', 0], [null, undefined]],
  tick: [tick, false, [true, true], [1, true], ['1', true], ['on', true], ['true', false], [0, false], [null, false]],
  languageTag: [languageTag, undefined, ['', ''], ['de', 'de'], [5, '5'], [['de'], '["de"]'], [null, 'null']],
} as const satisfies Record<
  string,
  readonly [(description: string) => z.ZodType, absent: unknown, ...(readonly [value: unknown, made: unknown])[]]
>;

for (const [name, [make, absent, ...cases]] of Object.entries(SHAPES)) {
  test(`${name} takes every value and may be absent`, () => {
    const shape = z.object({ key: make('A sentence.') });
    assert.is(shape.parse({}).key, absent);
    for (const [value, made] of cases) assert.equal(shape.parse({ key: value }).key, made, JSON.stringify(value));
    assert.match(String(shape.shape.key.description), /\.$/);
  });
}

test('a text takes no list', () => {
  assert.not(z.object({ key: text('') }).safeParse({ key: ['a'] }).success);
});

test.run();
