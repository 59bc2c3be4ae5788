import { currentLocaleTag, translate } from '../../core/text/translate.ts';
import { toPlainDecimal } from '../decimal/decimal.ts';
import { ValueRefused } from '../field/field-kind-row.ts';
import { sanitizeHtml } from '../field/field-kind-sanitize.ts';
import { isRecord } from '../json/json-value.ts';
import { toLabelText } from '../names.ts';
import { toDateText, toRelative } from './format-date.ts';
import { computeFormula } from './format-formula.ts';
import { countCurrencyDigits, formatDecimal, formatNumber, formatPrice, isCurrency } from './format-intl.ts';
import { toMarkdown } from './format-markdown.ts';
import {
  cutCharacters,
  cutWords,
  escapeHtml,
  fillTemplate,
  stripTags,
  toItems,
  toPlain,
  toSafeAddress,
} from './format-text.ts';

export { toDateText, toRelative } from './format-date.ts';

/** Input of a format. */
interface FormatInput {
  readonly value: unknown;
  readonly parameters: readonly (string | number)[];
  /** The row of the value, for `link`, `formula` and `custom`. */
  readonly row: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A display format. */
export interface FormatKind {
  /** One line for the docs. */
  readonly description: string;
  /** Names of its parameters, in order. */
  readonly parameters: readonly string[];
  /** True if it gives HTML that is safe to insert; otherwise the page must escape the text. */
  readonly isHtml: boolean;
  apply(input: FormatInput): string;
}

export interface FormatContext {
  readonly row?: Readonly<Record<string, unknown>>;
  readonly now?: number;
}

const text = (
  description: string,
  apply: (value: string, input: FormatInput) => string,
  parameters: string[] = [],
): FormatKind => ({
  description,
  parameters,
  isHtml: false,
  apply: (input) => apply(toPlain(input.value), input),
});
const html = (description: string, apply: (input: FormatInput) => string, parameters: string[] = []): FormatKind => ({
  description,
  parameters,
  isHtml: true,
  apply,
});

const toCount = (value: unknown, otherwise: number): number => {
  const count = Number(value);
  return Number.isInteger(count) && count > 0 ? count : otherwise;
};

function toGrouped(value: string, decimals?: number): string {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return value;
  const options =
    decimals === undefined ? undefined : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return formatNumber(currentLocaleTag(), number, options);
}

function toSize([width, height]: readonly (string | number)[]): string {
  const part = (name: string, value: unknown): string => (toCount(value, 0) ? ` ${name}="${toCount(value, 0)}"` : '');
  return part('width', width) + part('height', height);
}

/** The digits of a decimal, which is a text; undefined for a number and for other texts. */
const toDigits = (value: unknown): string | undefined =>
  typeof value === 'string' && value.includes('.') ? toPlainDecimal(value) : undefined;

/** An amount in a currency; without a known one, with two decimals. A text with more digits, which is a decimal, keeps them. */
export function toPriceText(raw: unknown, currency: unknown): string {
  const value = toPlain(raw);
  const digits = toDigits(raw);
  if (digits !== undefined) {
    const code = typeof currency === 'string' && isCurrency(currency) ? currency : undefined;
    return formatDecimal(currentLocaleTag(), digits, code, code === undefined ? 2 : countCurrencyDigits(code));
  }
  const number = Number(value);
  if (typeof currency !== 'string' || value.trim() === '' || !Number.isFinite(number)) return toGrouped(value, 2);
  return isCurrency(currency) ? formatPrice(currentLocaleTag(), number, currency) : toGrouped(value, 2);
}

/** A decimal in the style of the language; what is no decimal stays as it is. */
function toDecimalText(value: string, currency: unknown): string {
  const plain = toPlainDecimal(value);
  if (plain === undefined) return value;
  const code = typeof currency === 'string' && isCurrency(currency) ? currency : undefined;
  return formatDecimal(currentLocaleTag(), plain, code);
}

const toAnchor = (address: string, label: string): string =>
  `<a href="${escapeHtml(toSafeAddress(address))}" rel="noopener">${escapeHtml(label)}</a>`;
const toImage = (source: unknown, parameters: readonly (string | number)[]): string =>
  `<img src="${escapeHtml(toSafeAddress(toPlain(source)))}" alt=""${toSize(parameters)} loading="lazy">`;
const toList = (tag: 'ul' | 'ol', value: unknown): string => {
  const items = toItems(value).map((item) => `<li>${escapeHtml(toPlain(item))}</li>`);
  return items.length === 0 ? '' : `<${tag}>${items.join('')}</${tag}>`;
};

const readObject = (value: unknown): unknown => (typeof value === 'string' ? parse(value) : value);

/** A nested value: lists joined by commas, groups of fields as names and values. */
function toInner(value: unknown): string {
  if (Array.isArray(value) && !value.some(isRecord)) return escapeHtml(value.map(toPlain).join(', '));
  if (Array.isArray(value)) return toRows(value);
  return isRecord(value) ? toPairs(value) : escapeHtml(toPlain(value));
}

/** Rows as a table, with column names if they have any. */
function toRows(value: unknown): string {
  const rows = toItems(isRecord(readObject(value)) ? [readObject(value)] : value);
  if (rows.length === 0) return '';
  const names = [...new Set(rows.flatMap((row) => (isRecord(row) ? Object.keys(row) : [])))];
  const head = names.map((name) => `<th>${escapeHtml(toLabelText(name))}</th>`).join('');
  const toCells = (row: unknown): unknown[] => (isRecord(row) ? names.map((name) => row[name]) : toItems(row));
  const body = rows.map(
    (row) =>
      `<tr>${toCells(row)
        .map((cell) => `<td>${toInner(cell)}</td>`)
        .join('')}</tr>`,
  );
  const top = head === '' ? '' : `<thead><tr>${head}</tr></thead>`;
  return `<table>${top}<tbody>${body.join('')}</tbody></table>`;
}

function toPairs(value: unknown): string {
  const read = readObject(value);
  if (Array.isArray(read) && read.some(isRecord)) return toRows(read);
  if (typeof read !== 'object' || read === null) return escapeHtml(toPlain(value));
  const pairs = Object.entries(read).map(([name, item]) => `<dt>${escapeHtml(name)}</dt><dd>${toInner(item)}</dd>`);
  return pairs.length === 0 ? '' : `<dl>${pairs.join('')}</dl>`;
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Cleaned HTML; if it is nested too deeply, only its text. */
function toCleanHtml(html: string, tags?: readonly string[]): string {
  try {
    return sanitizeHtml(html, tags);
  } catch (error) {
    if (!(error instanceof ValueRefused)) throw error;
    return escapeHtml(stripTags(html));
  }
}

/** Every format of lists and detail pages, by name. */
export const formats: Readonly<Record<string, FormatKind>> = Object.freeze({
  none: text('As it is.', (value) => value),
  hide: text('Not shown.', () => ''),
  lower: text('In lower case.', (value) => value.toLowerCase()),
  upper: text('In capitals.', (value) => value.toUpperCase()),
  capital: text('Each word with a capital.', (value) =>
    value.replace(/(^|\s)(\p{L})/gu, (found) => found.toUpperCase()),
  ),
  length: text(
    'The first characters, without tags.',
    (value, { parameters }) => cutCharacters(stripTags(value), toCount(parameters[0], 255)),
    ['characters'],
  ),
  words: text(
    'The first words, without tags.',
    (value, { parameters }) => cutWords(stripTags(value), toCount(parameters[0], 20)),
    ['words'],
  ),
  number: text('A number with thousands parted.', (value, { value: raw }) => {
    const digits = toDigits(raw);
    return digits === undefined ? toGrouped(value) : formatDecimal(currentLocaleTag(), digits);
  }),
  price: text(
    'An amount with two decimals, or as the language writes it in a currency such as `EUR`.',
    (_value, { value, parameters }) => toPriceText(value, parameters[0]),
    ['currency'],
  ),
  decimal: text(
    'An exact decimal with all of its digits as the language writes it, or as an amount of a currency such as `EUR`.',
    (value, { parameters }) => toDecimalText(value, parameters[0]),
    ['currency'],
  ),
  yes: text('Yes or No.', (value) => translate(['', '0', 'false'].includes(value) ? 'No' : 'Yes')),
  stars: text('A rating as stars.', (value) => {
    const count = Math.min(5, Math.max(0, Math.round(Number(value) || 0)));
    return '★'.repeat(count) + '☆'.repeat(5 - count);
  }),
  date: text(
    'A time by a pattern such as `F d, Y`, or in a usual form of the language such as `long` or `datetime`; in UTC or a time zone such as `Europe/Berlin`.',
    (_value, { value, parameters }) => toDateText(value, toPattern(parameters), toZone(parameters)),
    ['pattern', 'time zone'],
  ),
  relative: text(
    'How long ago, or from now; a date by the pattern where it is a century away.',
    (_value, { value, now, parameters }) => toRelative(value, now, toPattern(parameters)),
    ['pattern'],
  ),
  html: html('Formatted text, cleaned.', ({ value }) => toCleanHtml(toPlain(value))),
  strip: html(
    'Without tags, but for those that the parameter names, such as `b,i`.',
    ({ value, parameters }) => {
      const tags = parameters.flatMap(
        (part) =>
          String(part)
            .toLowerCase()
            .match(/[a-z0-9]+/g) ?? [],
      );
      return tags.length === 0 ? escapeHtml(stripTags(toPlain(value))) : toCleanHtml(toPlain(value), tags);
    },
    ['tags'],
  ),
  markdown: html('Markdown as formatted text.', ({ value }) => toMarkdown(toPlain(value))),
  link: html(
    'A link; address and label are templates such as `/article/{{article_id}}`.',
    ({ value, parameters: [address, label], row }) => {
      const plain = toPlain(value);
      if (plain === '') return '';
      const href = address === undefined ? plain : fillTemplate(String(address), row);
      return toAnchor(href, label === undefined ? plain : fillTemplate(String(label), row));
    },
    ['address', 'label'],
  ),
  image: html('A picture.', ({ value, parameters }) => (toPlain(value) === '' ? '' : toImage(value, parameters)), [
    'width',
    'height',
  ]),
  email: html('An e-mail link.', ({ value, parameters }) => toContact('mailto:', toPlain(value), parameters), [
    'label',
  ]),
  phone: html('A telephone link.', ({ value, parameters }) => toContact('tel:', toPlain(value), parameters), ['label']),
  comma: text('A list, parted by commas.', (_value, { value }) => toItems(value).map(toPlain).join(', ')),
  space: text('A list, parted by spaces.', (_value, { value }) => toItems(value).map(toPlain).join(' ')),
  nl: html('A list, one a line.', ({ value }) =>
    toItems(value)
      .map((item) => escapeHtml(toPlain(item)))
      .join('<br>'),
  ),
  ul: html('A list with bullets.', ({ value }) => toList('ul', value)),
  ol: html('A list with numbers.', ({ value }) => toList('ol', value)),
  tag: html('A list of badges.', ({ value }) =>
    toItems(value)
      .map((item) => `<span class="t-badge">${escapeHtml(toPlain(item))}</span>`)
      .join(' '),
  ),
  meta: html('Names and values.', ({ value }) => toPairs(value)),
  table: html('Rows of a table.', ({ value }) => toRows(value)),
  carousel: html(
    'Pictures.',
    ({ value, parameters }) =>
      toItems(value)
        .map((item) => toImage(item, parameters))
        .join(''),
    ['width', 'height'],
  ),
  jsonpretty: text('Indented JSON.', (_value, { value }) =>
    value === undefined || value === null
      ? ''
      : JSON.stringify(typeof value === 'string' ? parse(value) : value, null, 2),
  ),
  formula: text(
    'Arithmetic over the row, such as `{{product_price}} * 1.2`.',
    (_value, { parameters, row }) => toPlain(computeFormula(fillTemplate(String(parameters[0] ?? ''), row))),
    ['formula'],
  ),
  custom: text(
    'A template over the row.',
    (_value, { parameters, row }) => fillTemplate(String(parameters[0] ?? ''), row),
    ['template'],
  ),
});

function toPattern(parameters: readonly (string | number)[]): string | undefined {
  return parameters[0] === undefined ? undefined : String(parameters[0]);
}

const toZone = ([, zone]: readonly (string | number)[]): string | undefined =>
  zone === undefined ? undefined : String(zone);

function toContact(scheme: string, value: string, [label]: readonly (string | number)[]): string {
  return value === '' ? '' : toAnchor(scheme + value.replace(/\s/g, ''), label === undefined ? value : String(label));
}

/**
 * A formatted value: safe HTML if `formats[format].isHtml`, else text that the page must escape. An unknown
 * format leaves the value unchanged.
 */
export function toFormatted(
  format: string,
  value: unknown,
  parameters: readonly (string | number)[] = [],
  context: FormatContext = {},
): string {
  const kind = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (!kind) return toPlain(value);
  return kind.apply({ value, parameters, row: context.row ?? {}, now: context.now ?? Date.now() });
}
