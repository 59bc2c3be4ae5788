import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXCLUDE_SAMPLE, parseExcludeText, printExclude } from '../../../src/model/filter/exclude-text.ts';
import type { Exclude } from '../../../src/model/shape.ts';

const test = suite('model/filter/exclude-text');

const RANGE = ['from', 'until'];
const TEXTS: readonly (readonly [string, Exclude])[] = [
  [EXCLUDE_SAMPLE, { columns: ['tool_id'], range: RANGE }],
  ['from,until', { range: RANGE }],
  ['tool_id,place:from,until', { columns: ['tool_id', 'place'], range: RANGE }],
  ['tool_id:from,until:Taken', { columns: ['tool_id'], range: RANGE, message: 'Taken' }],
  [':from,until:Sorry, taken', { range: RANGE, message: 'Sorry, taken' }],
  ['a:from,until:Taken: see it, or not', { columns: ['a'], range: RANGE, message: 'Taken: see it, or not' }],
];

for (const [text, rule] of TEXTS) {
  test(`a text as a rule, and back: ${text}`, () => {
    assert.equal(parseExcludeText(text), rule);
    assert.is(printExclude(rule), text);
  });
}

test('blanks do not matter', () => {
  const rule = { columns: ['tool_id', 'place'], range: RANGE, message: 'Taken' };
  assert.equal(parseExcludeText(' tool_id , place : from , until : Taken '), rule);
});

for (const text of ['', 'from', 'a:from', 'a:from,until,more', 'a b:from,until', 'a,:from,until', ':', 'a:b:c']) {
  test(`no rule: "${text}"`, () => assert.is(parseExcludeText(text), undefined));
}

test.run();
