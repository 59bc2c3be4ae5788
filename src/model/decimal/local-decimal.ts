import { BoundedMap } from '../../core/bounded-map.ts';
import { toPlainDecimal } from './decimal.ts';

/** How a language writes decimals. */
interface DecimalStyle {
  readonly point: string;
  /** Signs between groups of digits, of numbers and of amounts. */
  readonly groups: ReadonlySet<string>;
  /** Digits of a group before the last one: 2 in India, 3 elsewhere. */
  readonly middle: number;
  /** The digits 0 to 9. */
  readonly digits: readonly string[];
}

/** Signs that show nothing: they turn the direction of writing. */
const MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const MINUS = /[\u2010-\u2015\u2212\u02d7]/g;
/** Signs that group digits in some language and are the decimal sign of none. */
const SPACES = /[\s'\u2019\u066c]/g;
const SPACE = ' ';
const ARABIC_POINT = /\u066b/g;
/** Wide forms of ASCII, which keyboards of East Asia have. */
const WIDE = /[\uff01-\uff5e]/g;

const toTag = (tag: string): string => (tag === 'en' ? 'en-US' : tag);
const toSigns = (text: string): string =>
  text
    .replace(MARKS, '')
    .replace(SPACES, SPACE)
    .replace(WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));

function readStyle(tag: string): DecimalStyle {
  const plain = new Intl.NumberFormat(tag, { minimumFractionDigits: 1 });
  const amount = new Intl.NumberFormat(tag, { style: 'currency', currency: 'EUR', minimumFractionDigits: 1 });
  const parts = plain.formatToParts(1_234_567.5);
  const groups = [...parts, ...amount.formatToParts(1_234_567.5)].filter(({ type }) => type === 'group');
  const [, middle] = parts.filter(({ type }) => type === 'integer');
  const digits = new Intl.NumberFormat(tag, { useGrouping: false });
  return {
    point: toSigns(parts.find(({ type }) => type === 'decimal')?.value ?? '.'),
    groups: new Set(groups.map(({ value }) => toSigns(value))),
    middle: middle?.value.length === 2 ? 2 : 3,
    digits: Array.from({ length: 10 }, (_, digit) => digits.format(digit).replace(MARKS, '')),
  };
}

/** Maximum number of languages that are kept. */
const MOST_STYLES = 200;
const styles = new BoundedMap<DecimalStyle>(MOST_STYLES);
const findStyle = (tag: string): DecimalStyle => styles.getOrCreate(tag, () => readStyle(toTag(tag)));

/** A plain decimal as a form shows it: with the digits and the decimal sign of the language, and without groups. */
export function toLocalDecimal(tag: string, plain: string): string {
  const { point, digits } = findStyle(tag);
  return [...plain].map((sign) => (sign === '.' ? point : (digits[Number(sign)] ?? sign))).join('');
}

/** What a text of a form means: a plain decimal, or the two that it could be. */
export type LocalReading =
  | { readonly plain: string }
  /** `whole` if its sign groups digits, `part` if it is the decimal sign. */
  | { readonly whole: string; readonly part: string };

/** Digits of all languages as 0 to 9. */
function toLatinDigits(text: string, { digits }: DecimalStyle): string {
  const own = [...text].map((sign) => {
    const digit = digits.indexOf(sign);
    if (digit >= 0) return String(digit);
    const code = sign.charCodeAt(0);
    // Arabic and Persian digits, which keyboards have in every language.
    if (code >= 0x660 && code <= 0x669) return String(code - 0x660);
    return code >= 0x6f0 && code <= 0x6f9 ? String(code - 0x6f0) : sign;
  });
  return own.join('');
}

/** Whole digits without the signs that group them; undefined if these are at other places than the language's. */
function joinGroups(whole: string, sign: string, middle: number): string | undefined {
  const [first = '', ...rest] = whole.split(sign);
  const last = rest.pop() ?? '';
  const isIn = (length: number): boolean => first.length <= length && rest.every((group) => group.length === length);
  const isGrouped = /^[1-9]/.test(first) && last.length === 3 && (isIn(3) || isIn(middle));
  return isGrouped ? [first, ...rest, last].join('') : undefined;
}

/** A text in the style of the language: at most one decimal sign, groups of one sign. */
function readOwn(text: string, { point, groups, middle }: DecimalStyle): string | undefined {
  const [whole = '', part = '', ...more] = text.split(point);
  if (more.length > 0 || !/^\d*$/.test(part) || (whole === '' && part === '')) return undefined;
  const signs = [...new Set(whole.match(/\D/g))];
  const [sign] = signs;
  const isGrouped = sign !== undefined && signs.length === 1 && (sign === SPACE || groups.has(sign));
  const joined = sign === undefined ? whole : isGrouped ? joinGroups(whole, sign, middle) : undefined;
  return joined === undefined ? undefined : `${joined === '' ? '0' : joined}${part === '' ? '' : `.${part}`}`;
}

/** One point or comma before three digits: it may group them or be the decimal sign. */
const UNCLEAR = /^(\d{1,3})[.,](\d{3})$/;

/** Whether a text that the language reads as a whole number may have been meant as a part of one. */
function isUnclear(text: string, { point }: DecimalStyle, scale: number): boolean {
  if (scale === 0 || text.includes(point) || !UNCLEAR.test(text)) return false;
  // A point is the decimal sign of JSON, with however many digits; a comma that of other languages, if so many fit.
  return text.includes('.') || scale >= 3;
}

function readUnsigned(text: string, style: DecimalStyle, scale: number): LocalReading | undefined {
  const own = readOwn(text, style);
  if (own !== undefined && isUnclear(text, style, scale)) return { whole: own, part: text.replace(',', '.') };
  const plain = own ?? (/^(?:\d+\.?\d*|\.\d+)$/.test(text) ? text : undefined);
  return plain === undefined ? undefined : { plain };
}

const money = new BoundedMap<readonly string[]>(MOST_STYLES);

/** How a language writes a currency: `€`, `EUR`. */
function listMoney(tag: string, currency: string): readonly string[] {
  return money.getOrCreate(`${tag} ${currency}`, () => {
    const signs = (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) => {
      const format = new Intl.NumberFormat(toTag(tag), { style: 'currency', currency, currencyDisplay });
      return toSigns(format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? '');
    });
    return [...new Set([currency, ...signs])].filter((sign) => sign !== '').sort((a, b) => b.length - a.length);
  });
}

/** The text without the currency of its field at an end. */
function removeCurrency(text: string, signs: readonly string[]): string {
  for (const sign of signs) {
    if (text.endsWith(sign)) return text.slice(0, -sign.length).trim();
    if (text.startsWith(sign)) return text.slice(sign.length).trim();
    // `-€5`
    if (/^[+-]/.test(text) && text.startsWith(sign, 1)) return `${text.charAt(0)}${text.slice(1 + sign.length).trim()}`;
  }
  return text;
}

/** What belongs to a field of decimals, for reading one. */
interface ReadOptions {
  /** Digits after the point. */
  readonly scale: number;
  /** Its currency, whose sign may stand before or after the number. */
  readonly currency?: string | undefined;
}

/**
 * Reads a decimal as people write it in a language: its decimal sign, its digits, its groups of digits, or the plain form of
 * JSON. Undefined if it is none of them.
 *
 * A text with one point or comma before three digits could be a thousand times the other thing. Unless the sign is the
 * decimal sign of the language, both readings are returned: no amount is guessed.
 */
export function readLocalDecimal(tag: string, text: string, options: ReadOptions): LocalReading | undefined {
  const style = findStyle(tag);
  const { scale, currency } = options;
  const typed = toLatinDigits(toSigns(text).trim(), style).replace(MINUS, '-').replace(ARABIC_POINT, style.point);
  const bare = currency === undefined ? typed : removeCurrency(typed, listMoney(tag, currency));
  const isNegative = /^-|-$/.test(bare);
  const read = readUnsigned(bare.replace(/^[+-]\s*|-$/, ''), style, scale);
  if (read === undefined) return undefined;
  const sign = (plain: string): string => toPlainDecimal(`${isNegative ? '-' : ''}${plain}`) ?? plain;
  return 'plain' in read ? { plain: sign(read.plain) } : { whole: sign(read.whole), part: sign(read.part) };
}
