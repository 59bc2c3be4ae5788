import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findDigitsError, fromUnits, toPlainDecimal, toUnits } from '../../../src/model/decimal/decimal.ts';

const test = suite('decimal');

test('numbers and texts become plain decimals, and nothing else does', () => {
  const CASES: readonly (readonly [string | number, string | undefined])[] = [
    ['12.50', '12.50'],
    ['+012.5', '12.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-0.00', '0.00'],
    ['-0.01', '-0.01'],
    [-0, '0'],
    ['1e3', '1000'],
    ['1.25e1', '12.5'],
    ['1e-7', '0.0000001'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
    [0.1 + 0.2, '0.30000000000000004'],
    [' 7 ', '7'],
    ['1,5', undefined],
    ['1_000', undefined],
    ['0x10', undefined],
    ['1e999', undefined],
    ['NaN', undefined],
    [Number.NaN, undefined],
    [Infinity, undefined],
    ['--1', undefined],
    ['', undefined],
    ['.', undefined],
    ['١٢', undefined],
  ];
  for (const [value, expected] of CASES) assert.is(toPlainDecimal(value), expected, String(value));
});

test('units and back: every text of the scale comes back as it was', () => {
  const CASES: readonly (readonly [string | number, number, number | undefined, string?])[] = [
    ['12.5', 2, 1250, '12.50'],
    ['12.505', 2, undefined],
    ['12.500', 2, 1250, '12.50'],
    ['-0.01', 2, -1, '-0.01'],
    ['0', 0, 0, '0'],
    ['-7', 0, -7, '-7'],
    ['999999999999999', 0, 999_999_999_999_999, '999999999999999'],
    ['1000000000000000', 0, undefined],
    ['9999999999999.99', 2, 999_999_999_999_999, '9999999999999.99'],
    ['0.000000000000001', 15, 1, '0.000000000000001'],
    ['-0.999999999999999', 15, -999_999_999_999_999, '-0.999999999999999'],
    [0.1, 2, 10, '0.10'],
    ['x', 2, undefined],
  ];
  for (const [value, scale, units, text] of CASES) {
    assert.is(toUnits(value, scale), units, String(value));
    if (units !== undefined) assert.is(fromUnits(units, scale), text);
  }
  assert.is(fromUnits(-123_456_789_012_345_678_901n, 3), '-123456789012345678.901');
});

test('digits that a column cannot hold are told apart', () => {
  const shape = { precision: 5, scale: 2 };
  for (const [text, error] of [
    ['999.99', undefined],
    ['-999.99', undefined],
    ['1000', 'precision'],
    ['0.001', 'scale'],
    ['0.0100', undefined],
    ['000', undefined],
  ] as const)
    assert.is(findDigitsError(text, shape), error, text);
});

test.run();
