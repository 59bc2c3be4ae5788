import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeRounded, findRoundedNumber, isExactNumber } from '../../../src/model/field/exact-number.ts';
import { createFakeRandom } from '../../clock.ts';

const test = suite('exact-number');

test('whole numbers that print as they are written are exact, others are not', () => {
  for (const number of [
    '0',
    '-0',
    '7',
    '-9007199254740991',
    '9007199254740991',
    '9007199254740992',
    '9007199254740994',
    '901656910939770900',
    '100000000000000000000',
    '1.797e308',
    '-1.7976931348623157e+308',
    '0.1',
    '0.30000000000000004',
    '12345678901234567890.5',
    '9007199254740993e0',
  ])
    assert.ok(isExactNumber(number), number);
  for (const number of [
    '9007199254740993',
    '-9007199254740993',
    '901656910939770881',
    '9223372036854775807',
    '-9223372036854775808',
    '123456789012345678901',
    `1${'0'.repeat(330)}`,
  ])
    assert.not(isExactNumber(number), number);
});

test('the first such number of a JSON text is found with its key; texts in quotes are none', () => {
  const CASES: readonly (readonly [string, { number: string; key: string | undefined } | undefined])[] = [
    ['{"id":901656910939770881}', { number: '901656910939770881', key: 'id' }],
    ['{"a":1,"b":{"c":[1,-9007199254740993]}}', { number: '-9007199254740993', key: 'c' }],
    ['[9223372036854775807]', { number: '9223372036854775807', key: undefined }],
    ['9223372036854775807', { number: '9223372036854775807', key: undefined }],
    ['{"a":"901656910939770881","b":"x:901656910939770881"}', undefined],
    ['{"901656910939770881":1}', undefined],
    ['{"a\\"":"\\\\","b":901656910939770881}', { number: '901656910939770881', key: 'b' }],
    ['{"price":2.5,"big":9007199254740994}', undefined],
    ['{"uuid":"0123456789012345"}', undefined],
    ['{"open":"9007199254740993', undefined],
    ['- 9007199254740993', { number: '9007199254740993', key: undefined }],
  ];
  for (const [text, expected] of CASES) assert.equal(findRoundedNumber(text), expected, text);
});

test('under the keys of decimals, digits after the point are not lost either', () => {
  const exact = new Set(['price']);
  const find = (text: string) => findRoundedNumber(text, exact)?.number;
  for (const number of ['12.505', '9999999999999.99', '0.30000000000000004', '1.5000000000000000000', '1.25e-10'])
    assert.is(find(`{"price":${number}}`), undefined, number);
  for (const number of ['9999999999999.9901', '0.10000000000000000001', '-12.500000000000000001', '901656910939770881'])
    assert.is(find(`{"name":"x","price":${number}}`), number, number);
  assert.is(find('{"other":12.500000000000000001,"price":1}'), undefined);
  assert.match(
    describeRounded({ number: '12.500000000000000001', key: 'price' }),
    /^price: the number 12\.500000000000000001 has more digits/,
  );
});

test('what is found is what comes back with other digits', () => {
  const random = createFakeRandom(7);
  for (let round = 0; round < 2000; round += 1) {
    const length = 14 + ((random(1)[0] ?? 0) % 10);
    const digits =
      [...random(length)]
        .map((byte) => byte % 10)
        .join('')
        .replace(/^0+/, '') || '1';
    const isChanged = String(JSON.parse(digits)) !== digits;
    assert.is(findRoundedNumber(`{"n":${digits}}`) !== undefined, isChanged, digits);
  }
});

test.run();
