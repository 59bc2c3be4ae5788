import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toDiff } from '../../src/edit/diff.ts';

const test = suite('cli/diff');

const CASES: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['the same', 'a\nb\n', 'a\nb\n', []],
  ['a line in another’s place', 'a\nb\nc\n', 'a\nx\nc\n', ['    a', '  - b', '  + x', '    c']],
  ['a line more', 'a\nc\n', 'a\nb\nc\n', ['    a', '  + b', '    c']],
  ['a line less', 'a\nb\nc\n', 'a\nc\n', ['    a', '  - b', '    c']],
  ['at both ends', 'a\nb\n', 'x\na\nb\ny\n', ['  + x', '    a', '    b', '  + y']],
  ['far apart', 'a\nb\nc\nd\ne\n', 'A\nb\nc\nd\nE\n', ['  - a', '  + A', '    b', '    …', '    d', '  - e', '  + E']],
  ['several in others’ place stand in pairs', 'a\nb\n', 'x\ny\n', ['  - a', '  + x', '  - b', '  + y']],
];

for (const [name, before, after, lines] of CASES) test(name, () => assert.equal(toDiff(before, after), lines));

test('a long line is shown where it becomes another, and only so many lines are', () => {
  const long = 'x'.repeat(400);
  const [from, to] = toDiff(`${long}a`, `${long}b`);
  assert.match(from ?? '', /^ {2}- …x+a$/);
  assert.match(to ?? '', /^ {2}\+ …x+b$/);
  const many = (letter: string): string => `${Array.from({ length: 1000 }, (_, at) => `${letter}${at}`).join('\n')}\n`;
  const lines = toDiff(many('a'), many('b'), 4);
  assert.equal(lines, ['  - a0', '  + b0', '  - a1', '  + b1', '    … and 1996 more lines']);
});

test.run();
