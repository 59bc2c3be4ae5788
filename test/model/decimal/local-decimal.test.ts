// Decimals as people write them: nothing that a form shows comes back as another value, in any language that Intl has.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readLocalDecimal, toLocalDecimal } from '../../../src/model/decimal/local-decimal.ts';

const test = suite('local decimal');

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Languages that Intl has, some countries of each, and all systems of digits. */
function listTags(): string[] {
  const pairs = LETTERS.flatMap((a) => LETTERS.map((b) => `${a}${b}`));
  const languages = [...pairs, ...pairs.flatMap((pair) => LETTERS.map((c) => `${pair}${c}`))].filter(
    (tag) => Intl.NumberFormat.supportedLocalesOf(tag).length > 0,
  );
  const countries = ['AT', 'BR', 'CH', 'EG', 'ES', 'GB', 'IN', 'LI', 'MA', 'MX', 'PK', 'ZA'];
  const systems = Intl.supportedValuesOf('numberingSystem');
  return [
    ...languages,
    ...languages.flatMap((tag) => countries.map((country) => `${tag}-${country}`)),
    ...systems.flatMap((system) => ['ar', 'de', 'en', 'hi'].map((tag) => `${tag}-u-nu-${system}`)),
  ];
}

const VALUES: readonly (readonly [string, number])[] = [
  ['12.50', 2],
  ['1.234', 3],
  ['-1.234', 3],
  ['0.001', 3],
  ['1234', 0],
  ['-1234567', 0],
  ['999999999999.999', 3],
  ['-0.05', 2],
];

test('what a form shows comes back as the same value in every language', () => {
  const tags = listTags();
  assert.ok(tags.length > 1000, String(tags.length));
  const wrong = tags.flatMap((tag) =>
    VALUES.filter(([plain, scale]) => {
      const read = readLocalDecimal(tag, toLocalDecimal(tag, plain), { scale });
      return read === undefined || !('plain' in read) || read.plain !== plain;
    }).map(([plain]) => `${tag} ${plain} ${toLocalDecimal(tag, plain)}`),
  );
  assert.equal(wrong, []);
});

test('a language has its own digits and decimal sign, and no groups in a form', () => {
  assert.is(toLocalDecimal('de', '1234567.50'), '1234567,50');
  assert.is(toLocalDecimal('en', '-1234.5'), '-1234.5');
  assert.is(toLocalDecimal('ar-EG', '12.50'), '١٢٫٥٠');
  assert.is(toLocalDecimal('fa', '-7'), '-۷');
});

/** Language, text, digits after the point, and what it means: `whole or part` where that is not clear. */
const READ: readonly (readonly [string, string, number, string | undefined])[] = [
  ['de', '12,50', 2, '12.50'],
  ['de', '1.234,5', 2, '1234.5'],
  ['de', '1.234.567', 2, '1234567'],
  ['de', '1 234 567,8', 2, '1234567.8'],
  ['de', ',5', 2, '0.5'],
  ['de', '5,', 2, '5'],
  ['de', '12.5', 2, '12.5'],
  ['de', '12.50', 2, '12.50'],
  ['de', '0.234', 3, '0.234'],
  ['de', '1234.567', 3, '1234.567'],
  ['de', '007,5', 2, '7.5'],
  ['de', '+5', 2, '5'],
  ['de', '−5', 2, '-5'],
  ['de', '５，５', 2, '5.5'],
  ['de', '1.234', 3, '1234 or 1.234'],
  ['de', '1.234', 2, '1234 or 1.234'],
  ['de', '-12.345', 3, '-12345 or -12.345'],
  // No decimals: the sign can but group.
  ['de', '1.234', 0, '1234'],
  ['de', '1,234.5', 2, undefined],
  ['de', '1.23,4', 2, undefined],
  ['de', '1.23.456', 2, undefined],
  ['de', '1,2,3', 2, undefined],
  ['de', '12²', 2, undefined],
  ['de', '1e3', 2, undefined],
  ['de', '', 2, undefined],
  ['de', '-', 2, undefined],
  ['de', ',', 2, undefined],
  ['de', '--5', 2, undefined],
  ['en', '1,234.50', 2, '1234.50'],
  ['en', '1,234', 2, '1234'],
  ['en', '1,234', 3, '1234 or 1.234'],
  ['en', '1.234', 3, '1.234'],
  ['en', '12,50', 2, undefined],
  ['en', '1.234.567', 2, undefined],
  ['en-IN', '12,34,567.5', 2, '1234567.5'],
  ['en', '12,34,567.5', 2, undefined],
  ['fr', '1 234,5', 2, '1234.5'],
  ['fr', '1\u202f234,5', 2, '1234.5'],
  // A point groups nothing in French.
  ['fr', '1.234', 3, '1.234'],
  ['de-CH', '1’234.50', 2, '1234.50'],
  ['de-AT', '1.234,50', 2, '1234.50'],
  ['ar-EG', '١٬٢٣٤٫٥', 2, '1234.5'],
  ['en', '١٢٫٥', 2, '12.5'],
  ['fy', '5,50-', 2, '-5.50'],
];
for (const [tag, typed, scale, means] of READ) {
  test(`in ${tag} with ${scale} decimals, "${typed}" is ${means}`, () => {
    const read = readLocalDecimal(tag, typed, { scale });
    assert.is(read && ('plain' in read ? read.plain : `${read.whole} or ${read.part}`), means);
  });
}

test('the currency of the field may stand beside the number, and no other', () => {
  const read = (tag: string, typed: string) => readLocalDecimal(tag, typed, { scale: 2, currency: 'EUR' });
  for (const typed of ['12,50 €', '€12,50', 'EUR 12,50', '12,50\u00a0€', '12,50EUR'])
    assert.equal(read('de', typed), { plain: '12.50' }, typed);
  assert.equal(read('en', '-€12.50'), { plain: '-12.50' });
  for (const typed of ['12,50 $', 'USD 12,50', '€', '€€5']) assert.is(read('de', typed), undefined, typed);
  assert.is(readLocalDecimal('de', '12,50 €', { scale: 2 }), undefined);
});

test.run();
