import { toShortDecimal } from '../decimal/decimal.ts';

/** A number of fewer digits is always exact. */
const LONG = /\d{16}/;
const LONG_DECIMAL = /[\d.]{17}/;
const NUMBER = /-?\d[\d.eE+-]*/y;
const WHOLE = /^-?\d+$/;

/**
 * False for a whole number that `JSON.parse` would change without a word, such as 901656910939770881. A double keeps
 * 53 bits (ECMA-262 6.1.6.1). A number that prints as it is written comes back as it was, in a column of text too.
 */
export function isExactNumber(text: string): boolean {
  if (text.length < 16 || !WHOLE.test(text)) return true;
  return String(Number(text)) === text;
}

/** False for a number of a JSON text whose digits a double does not keep, after the point either. */
const isExactDecimal = (text: string): boolean =>
  text.length < 17 || toShortDecimal(text) === toShortDecimal(String(Number(text)));

/** A number of a JSON text that would lose digits. */
export interface RoundedNumber {
  readonly number: string;
  /** The key before it; undefined for a bare number and in a bare list. */
  readonly key: string | undefined;
}

/** Index after the string that starts at `start`. */
function skipString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === 34) return index + 1;
    index += code === 92 ? 2 : 1;
  }
  return index;
}

/**
 * Finds the first whole number in a JSON text that `JSON.parse` would change. Costs one regular expression where no number is long.
 *
 * @param exact Keys whose numbers may not lose digits after the point, either: those of decimals.
 */
export function findRoundedNumber(text: string, exact?: ReadonlySet<string>): RoundedNumber | undefined {
  if (!LONG.test(text) && (exact === undefined || !LONG_DECIMAL.test(text))) return undefined;
  let key: string | undefined;
  let last = '';
  for (let index = 0; index < text.length; ) {
    const code = text.charCodeAt(index);
    if (code === 34) {
      const end = skipString(text, index);
      last = text.slice(index + 1, end - 1);
      index = end;
      continue;
    }
    if (code === 58) key = last;
    if (code !== 45 && (code < 48 || code > 57)) {
      index += 1;
      continue;
    }
    NUMBER.lastIndex = index;
    const number = NUMBER.exec(text)?.[0] ?? '-';
    const isExact = isExactNumber(number) && (exact?.has(key ?? '') !== true || isExactDecimal(number));
    if (!isExact) return { number, key };
    index += number.length;
  }
  return undefined;
}

/** Says why a number is refused, and what to do. */
export const describeRounded = ({ number, key }: RoundedNumber): string =>
  WHOLE.test(number)
    ? describeWhole({ number, key })
    : `${key === undefined ? '' : `${key}: `}the number ${number} has more digits than a JSON number keeps: write it in quotes, "${number}"`;

const describeWhole = ({ number, key }: RoundedNumber): string =>
  `${key === undefined ? '' : `${key}: `}the whole number ${number} is beyond 2^53 and would lose digits: write it in quotes, "${number}", for a column that holds text`;
