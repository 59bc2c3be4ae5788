import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { INDEX_SAMPLE, parseIndexText, printIndex } from '../../../src/model/filter/index-text.ts';
import type { Index } from '../../../src/model/shape.ts';

const test = suite('model/filter/index-text');

const TEXTS: readonly (readonly [string, Index])[] = [
  [INDEX_SAMPLE, { columns: ['published', '-views'], where: { published: true } }],
  ['talk_id,profile_id', { columns: ['talk_id', 'profile_id'] }],
  [
    'views where views.gte=100 and views.lt=900 and status=live',
    { columns: ['views'], where: { views: { gte: 100, lt: 900 }, status: 'live' } },
  ],
  ['views where day.null=false', { columns: ['views'], where: { day: { null: false } } }],
];

for (const [text, index] of TEXTS) {
  test(`a text as an index, and back: ${text}`, () => {
    assert.equal(parseIndexText(text), index);
    assert.is(printIndex(index), text);
  });
}

test('blanks and the case of the words do not matter', () => {
  assert.equal(parseIndexText('  published , -views  WHERE published = true AND views.gte= 5 '), {
    columns: ['published', '-views'],
    where: { published: true, views: { gte: 5 } },
  });
});

const NONE = ['', 'a,,b', 'A', 'a where', 'a where b', 'a where b and c=1', 'a b', '1'];

for (const text of NONE) test(`no index: "${text}"`, () => assert.is(parseIndexText(text), undefined));

const AS_JSON: readonly Index[] = [
  { columns: ['a'], where: { b: 'x and y=1' } },
  { columns: ['a'], where: { b: 'true' } },
  { columns: ['a'], where: { b: ['x', 'y'] } },
  { columns: ['a'], where: { b: null } },
];

for (const index of AS_JSON) {
  test(`what no text says is printed as JSON: ${JSON.stringify(index)}`, () => {
    assert.is(printIndex(index), JSON.stringify(index));
  });
}

test.run();
