import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compilePatternTest, createPatience, findPatternError } from '../../../src/model/field/text-pattern.ts';
import { compileValidator } from '../../../src/model/field/validate.ts';
import type { SchemaModel } from '../../../src/model/model.ts';
import type { Field } from '../../../src/model/shape.ts';

const test = suite('text pattern');

/** Expressions with polynomial or exponential time on some text; the definition check accepts all of them. */
const EVIL = [
  'a*a*a*a*a*b',
  '(a?){50}a{50}b',
  '\\s+$',
  '^.*.*.*=.*$',
  '(.*)(.*)(.*)(.*)[0-9]',
  `(x|a)${'(a|a)'.repeat(24)}b`,
  `${'a?'.repeat(25)}${'a'.repeat(25)}b`,
  '.*a.*a.*a.*a.*a.*a!',
  'a{1,300}a{1,300}a{1,300}!',
  '^[a-z]*[a-z0-9]*[a-z]*[a-z0-9]*$',
  '(?=.*a)(?=.*b)(?=.*\\d).*z',
  '(?<=a*)b',
  '/^(.*?,){5}P/',
  '[\\s\\S]*[\\s\\S]*[\\s\\S]*€',
  '/^.*$.*^b/m',
  '\\d+\\d+\\d+\\d+x1',
  '(?:a{5}){5}a*a*b',
  '\\bfoo.*bar.*baz.*',
  '<[^>]*<[^>]*<[^>]*>',
  '^\\s*\\S+\\s*\\S+\\s*$',
  'a+b|a+c|a+d|a+e',
  '(-?){30}x',
  '[a]*[ab]*[abc]*[abcd]*z',
  '/^(?:a{0,50}){3}!!$/',
  '.{0,1000}.{0,1000}.{0,1000}Z',
  'a.*a.*b',
  '/\\p{L}+\\p{L}+\\p{L}+\\d/u',
  '^(?:.*a){12}$',
  '/a+a+a+$/i',
  '\\w*\\d*\\w*\\d*\\w*!',
  '(?:x*y*){6}z',
  '^\\w+([-+.]\\w+)*@\\w+([-.]\\w+)*\\.\\w+([-.]\\w+)*$',
];
const TEXTS = [
  'a'.repeat(100_000),
  `${'a'.repeat(99_999)}!`,
  'ab'.repeat(50_000),
  `${' '.repeat(99_999)}x`,
  `${'1'.repeat(99_999)}x`,
  '<'.repeat(100_000),
  `${'-'.repeat(99_999)}€`,
  'a\n'.repeat(50_000),
  `${'a'.repeat(30)}!`,
  `${'a'.repeat(5000)}!`,
  `${'a.'.repeat(50_000)}@`,
];
/** For one evaluation. */
const MOST_MS = 100;

/** Processor time of some work in milliseconds: the least of three, because the machine may be busy. */
function measure(work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least >= MOST_MS; tries += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

test('no pattern that a definition may have blocks the process, for any text', () => {
  assert.ok(EVIL.length >= 30);
  for (const pattern of EVIL) {
    assert.is(findPatternError(pattern), undefined, pattern);
    const matches = compilePatternTest(pattern);
    let interrupted = 0;
    for (const text of TEXTS) {
      // Two timeouts prove as much as eleven.
      if (interrupted === 2) break;
      const took = measure(() => assert.type(matches(text), 'boolean'));
      if (took > 30) interrupted += 1;
      assert.ok(took < MOST_MS, `${pattern} took ${took.toFixed(0)} ms on ${text.slice(0, 8)}…`);
    }
  }
});

const toSchema = (field: Field): SchemaModel =>
  ({
    columns: [{ name: 'x_v', field, label: 'Value', isRequired: false, isUnique: false }],
    exclude: [],
  }) as unknown as SchemaModel;

test('what takes too long is a message of the field, for one value and for a list of them', () => {
  const rule = { method: 'regexp', parameters: 'a*a*a*a*a*b', message: 'Not of that form' };
  for (const [field, value] of [
    [{ name: 'v', type: 'textarea', validation: [rule] }, 'a'.repeat(100_000)],
    [{ name: 'v', type: 'textlist', validation: [rule] }, Array.from({ length: 1000 }, () => 'a'.repeat(255))],
    [{ name: 'v', type: 'text', attributes: { pattern: 'a*a*a*a*a*b' } }, 'a'.repeat(255)],
  ] as const) {
    const validate = compileValidator(toSchema(field as unknown as Field));
    const took = measure(() => assert.equal(Object.keys(validate({ x_v: value }, 'create')), ['x_v']));
    assert.ok(took < 2 * MOST_MS, `${took} ms`);
  }
});

test('watched and plain expressions give what the engine gives', () => {
  const cases: [string, string, boolean][] = [
    ['^[a-z]+$', 'abc', true],
    ['/^[a-z]+$/i', 'ABC', true],
    ['^[a-z0-9]+(-[a-z0-9]+)*$', 'a-b-c', true],
    ['^[a-z0-9]+(-[a-z0-9]+)*$', 'a--b', false],
    ['(?=.*\\d)(?=.*[A-Z]).{8,}', 'passWord1', true],
    ['(?=.*\\d)(?=.*[A-Z]).{8,}', 'password1', false],
    ['^(ab)+c$', `${'ab'.repeat(2000)}c`, true],
    ['#^/a#', '/a', true],
    ['/^\\p{Lu}/u', 'Éa', true],
  ];
  for (const [pattern, text, isMatch] of cases) assert.is(compilePatternTest(pattern)(text), isMatch, pattern);
  const patience = createPatience();
  patience.left = 0;
  assert.not(compilePatternTest('^(a?b)+c$')('ababc', patience), 'nothing is tried once patience is used up');
  assert.not(compilePatternTest('(a+)+')('a'), 'a refused one passes nothing');
});

test('accepts lists if no item contains the separator', () => {
  for (const pattern of ['^\\w+(-\\w+)*$', '(?:\\.\\d+)*', '(\\w+,)*', '^#?[0-9a-f]{6}$'])
    assert.is(findPatternError(pattern), undefined, pattern);
  for (const pattern of ['(\\w\\w+)*', '(-.+)*', '(a+)+', '(\\d+[0-9])*', '(', 'a{1,9999999999}{2}', '(a)\\1'])
    assert.ok(findPatternError(pattern), pattern);
});

test.run();
