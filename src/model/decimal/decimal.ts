/** Most digits of a decimal: as a whole number of its smallest unit it stays below 2^53, which a double holds exactly. */
const MOST_DIGITS = 15;
/** Digits of a `decimal` that says nothing else. */
export const DEFAULT_PRECISION = 15;
/** Digits after the point of a `decimal` that says nothing else. */
export const DEFAULT_SCALE = 2;

/** How many digits a column of decimals has in all, and how many of them after the point. */
export interface DecimalShape {
  readonly precision: number;
  readonly scale: number;
}

const DECIMAL = /^([+-]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:e([+-]?\d{1,2}))?$/i;

/** Digits of a decimal without its point: `digits` times ten to the power of `-scale`. */
interface Digits {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly scale: number;
}

function readDigits(text: string): Digits | undefined {
  const [, sign, whole = '', part = '', bare = '', exponent = '0'] = DECIMAL.exec(text.trim()) ?? [];
  if (sign === undefined) return undefined;
  const digits = `${whole}${part}${bare}`;
  return { isNegative: sign === '-', digits, scale: part.length + bare.length - Number(exponent) };
}

/** Inserts the point: `scale` digits stand after it. The digits have no sign. */
function insertPoint(digits: string, scale: number): string {
  if (scale <= 0) return digits === '' ? '0' : digits;
  const all = digits.padStart(scale + 1, '0');
  return `${all.slice(0, -scale)}.${all.slice(-scale)}`;
}

/**
 * A number or a text of digits as a plain decimal: without exponent, plus, leading zeros and a zero's minus. The digits after
 * the point stay as they are. Undefined if it is not a decimal number.
 */
export function toPlainDecimal(value: string | number): string | undefined {
  const read = readDigits(String(value));
  if (read === undefined) return undefined;
  const { isNegative, scale } = read;
  const padded = scale < 0 ? read.digits.padEnd(read.digits.length - scale, '0') : read.digits;
  const digits = padded.replace(/^0+(?=\d)/, '');
  const text = insertPoint(digits, scale);
  return isNegative && /[1-9]/.test(digits) ? `-${text}` : text;
}

/** Removes zeros at the end that stand after the point. */
const trimZeros = (plain: string): string => (plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain);

/** One text for all texts of the same decimal: `12.50` and `12.5` are one. What is no decimal stays. */
export const toShortDecimal = (text: string): string => trimZeros(toPlainDecimal(text) ?? text);

/**
 * A decimal as a whole number of the smallest unit: `12.5` with scale 2 is 1250. Undefined if the text is not a decimal, or has
 * more digits after the point than `scale`, zeros at the end apart, or more than 15 digits in all.
 */
export function toUnits(value: string | number, scale: number): number | undefined {
  const plain = toPlainDecimal(value);
  if (plain === undefined) return undefined;
  const [whole = '', part = ''] = trimZeros(plain).split('.');
  if (part.length > scale) return undefined;
  const units = Number(`${whole}${part.padEnd(scale, '0')}`);
  return Math.abs(units) < 10 ** MOST_DIGITS ? units + 0 : undefined;
}

/** A whole number of the smallest unit as text with exactly `scale` digits after the point: 1250 with scale 2 is `12.50`. */
export function fromUnits(units: number | bigint, scale: number): string {
  const isNegative = units < 0;
  const digits = String(isNegative ? -units : units);
  return `${isNegative ? '-' : ''}${insertPoint(digits, scale)}`;
}

/** Whether a plain decimal fits a column: not too many digits after the point, nor before it. */
export function findDigitsError(plain: string, { precision, scale }: DecimalShape): 'scale' | 'precision' | undefined {
  const [whole = '', part = ''] = trimZeros(plain.replace('-', '')).split('.');
  if (part.length > scale) return 'scale';
  return whole.replace(/^0+/, '').length > precision - scale ? 'precision' : undefined;
}
