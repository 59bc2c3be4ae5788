import type { HelperOptions } from 'handlebars';
import type { Clock } from '../core/clock.ts';
import { currentScope } from '../core/scope.ts';
import { currentLocale, currentLocaleTag, translate } from '../core/translate.ts';
import { formats, toFormatted } from '../model/format.ts';
import { toDateText, toRelative } from '../model/format-date.ts';
import { formatNumber as toLocalNumber } from '../model/format-intl.ts';

import { renderRich, SafeText } from './rich-text.ts';

/** A helper as Handlebars calls it: the arguments, then its options. */
type Helper = (this: unknown, ...parameters: unknown[]) => unknown;

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== false;

/** Arguments without the options object that Handlebars appends. */
const given = (parameters: readonly unknown[]): readonly unknown[] => parameters.slice(0, -1);

/**
 * Renders the block if there is one, otherwise returns the boolean, so that conditions can be nested: `{{#if (in a
 * list)}}`.
 */
function choose(context: unknown, parameters: readonly unknown[], isTrue: boolean): unknown {
  const options = parameters[parameters.length - 1] as HelperOptions;
  if (typeof options.fn !== 'function') return isTrue;
  return isTrue ? options.fn(context) : options.inverse(context);
}

const condition = (test: (...parameters: readonly unknown[]) => boolean): Helper =>
  function decide(this: unknown, ...parameters) {
    return choose(this, parameters, test(...given(parameters)));
  };

const same = (a: unknown, b: unknown): boolean => a === b || (hasValue(a) && hasValue(b) && text(a) === text(b));
const order = (a: unknown, b: unknown): number => {
  const [left, right] = [Number(a), Number(b)];
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  return text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0;
};

const OPERATORS: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '==': same,
  '===': (a, b) => a === b,
  '!=': (a, b) => !same(a, b),
  '!==': (a, b) => a !== b,
  '<': (a, b) => order(a, b) < 0,
  '<=': (a, b) => order(a, b) <= 0,
  '>': (a, b) => order(a, b) > 0,
  '>=': (a, b) => order(a, b) >= 0,
  '&&': (a, b) => hasValue(a) && hasValue(b),
  '||': (a, b) => hasValue(a) || hasValue(b),
};

function contains(list: unknown, value: unknown): boolean {
  if (Array.isArray(list)) return list.some((item) => same(item, value));
  if (typeof list === 'object' && list !== null) return Object.values(list).some((item) => same(item, value));
  return text(list)
    .split(',')
    .some((item) => item.trim() === text(value));
}

function hasKey(target: unknown, key: unknown): boolean {
  if (typeof target !== 'object' || target === null) return false;
  return Object.hasOwn(target, text(key)) && hasValue((target as Record<string, unknown>)[text(key)]);
}

/**
 * Removes tags and keeps character references. It shortens teasers and is not a sanitizer: its result is escaped. A
 * tag ends at the next `<`, so that a text of many `<` is still linear.
 */
const strip = (value: unknown): string =>
  text(value)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const count = (value: unknown, fallback: number): number => {
  const number = Math.trunc(Number(value));
  return typeof value === 'object' || Number.isNaN(number) || number < 1 ? fallback : number;
};

function shorten(value: unknown, limit: number): string {
  const whole = strip(value);
  if (whole.length <= limit) return whole;
  const cut = whole.slice(0, limit);
  const space = cut.lastIndexOf(' ');
  return `${space > limit / 2 ? cut.slice(0, space) : cut}…`;
}

function formatNumber(value: unknown, decimals: unknown): string {
  const number = Number(value);
  if (!hasValue(value) || Number.isNaN(number)) return '';
  const digits = typeof decimals === 'number' || typeof decimals === 'string' ? Math.min(20, count(decimals, 0)) : 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return toLocalNumber(currentLocaleTag(), number, options);
}

/** A provider's answer works once, and its query holds a code. */
const CALLBACK = /^\/auth\/provider\//;

/** Languages for the language menu, with the current page in each; empty for a site with one language. */
function listLanguages(): readonly object[] {
  const locale = currentLocale();
  if (!locale || locale.offered.length === 1) return [];
  const { request } = currentScope.getStore() ?? {};
  const path = request?.getPath('string') ?? '/';
  const query = request?.getQuery() ?? '';
  const here = CALLBACK.test(path) ? '/auth/login' : `${path}${query === '' ? '' : `?${query}`}`;
  return locale.offered.map(({ tag, name }) => ({
    tag,
    name,
    here,
    isCurrent: tag === locale.tag,
    href: locale.isInPath ? `/${tag}${here}` : undefined,
  }));
}

const translateHelper: Helper = (source, ...parameters) =>
  translate(text(source), (parameters[parameters.length - 1] as HelperOptions).hash as Record<string, unknown>);

const ICON = /^[a-z-]+$/;

/** A value by a format of the fields; what the format makes as HTML is safe to insert. */
function formatValue(value: unknown, name: string, parameters: readonly unknown[]): unknown {
  const formatted = toFormatted(name, value, parameters as readonly (string | number)[]);
  return Object.hasOwn(formats, name) && formats[name]?.isHtml ? new SafeText(formatted) : formatted;
}

/** The current page sorted by a column; again by the same one, in the other direction. */
function toSortUrl(column: string): string {
  const { request } = currentScope.getStore() ?? {};
  const query = new URLSearchParams(request?.getQuery() ?? '');
  query.set('sort', query.get('sort') === column ? `-${column}` : column);
  for (const place of ['after', 'before', 'offset', 'page']) query.delete(place);
  return `${request?.getPath('string') ?? ''}?${query}`;
}

const TEXT_HELPERS: Readonly<Record<string, Helper>> = {
  upper: (value) => text(value).toUpperCase(),
  lower: (value) => text(value).toLowerCase(),
  capital: (value) => text(value).replace(/(^|\s)\S/g, (start) => start.toUpperCase()),
  chars: (value, limit) => {
    const whole = text(value);
    return whole.length > count(limit, 100) ? `${whole.slice(0, count(limit, 100))}…` : whole;
  },
  words: (value, limit) => {
    const all = text(value).split(/\s+/);
    return all.length > count(limit, 20) ? `${all.slice(0, count(limit, 20)).join(' ')}…` : text(value);
  },
  strip: (value) => strip(value),
  excerpt: (value, limit) => shorten(value, count(limit, 160)),
  join: (list, separator) =>
    Array.isArray(list) ? list.map(text).join(typeof separator === 'string' ? separator : ', ') : text(list),
  split: (value, separator) => text(value).split(typeof separator === 'string' ? separator : ','),
  number: (value, decimals) => formatNumber(value, decimals),
  price: (value) => formatNumber(value, 2),
  json: (value) => JSON.stringify(value) ?? '',
  markdown: (value) => formatValue(value, 'markdown', []),
  stars: (value) => toFormatted('stars', value),
  format: (value, name, ...parameters) => formatValue(value, text(name), given(parameters)),
  sorturl: (column) => toSortUrl(text(column)),
  t: translateHelper,
  i18n: translateHelper,
  rich: (source, ...parameters) =>
    renderRich(text(source), (parameters[parameters.length - 1] as HelperOptions).hash as Record<string, unknown>),
  lang: () => currentLocaleTag(),
  languages: () => listLanguages(),
  icon: (name) =>
    new SafeText(
      `<svg class="t-icon" aria-hidden="true"><use href="/icons.svg#${ICON.exec(text(name))?.[0] ?? ''}"/></svg>`,
    ),
  query: (...parameters) => {
    const { hash } = parameters[parameters.length - 1] as HelperOptions;
    const pairs = Object.entries(hash as Record<string, unknown>).filter(([, value]) => hasValue(value));
    return pairs.length === 0
      ? ''
      : `?${new URLSearchParams(Object.fromEntries(pairs.map(([key, value]) => [key, text(value)])))}`;
  },
};

const CONDITION_HELPERS: Readonly<Record<string, Helper>> = {
  when: condition((a, operator, b) => OPERATORS[text(operator)]?.(a, b) ?? false),
  or: condition((...all) => all.some(hasValue)),
  and: condition((...all) => all.every(hasValue)),
  not: condition((value) => !hasValue(value)),
  in: condition((value, list) => contains(list, value)),
  notin: condition((value, list) => !contains(list, value)),
  has: condition((target, key) => hasKey(target, key)),
  hasnt: condition((target, key) => !hasKey(target, key)),
  is_array: condition((value) => Array.isArray(value)),
};

/** True for a plain `{{name}}`: no parameters, no named values, no block. */
function isBare(parameters: readonly unknown[]): boolean {
  const options = parameters[0] as HelperOptions;
  return parameters.length === 1 && typeof options.fn !== 'function' && Object.keys(options.hash).length === 0;
}

/**
 * A plain `{{name}}` shows the data of that name if the template has any. Otherwise each new helper would hide a value of the
 * same name in existing templates.
 */
const afterData = (name: string, helper: Helper): Helper =>
  function call(this: unknown, ...parameters) {
    const isData = isBare(parameters) && typeof this === 'object' && this !== null && Object.hasOwn(this, name);
    return isData ? (this as Record<string, unknown>)[name] : helper.apply(this, parameters);
  };

/** The helpers of every template. Handlebars escapes their results like any value. */
export function createHelpers(clock: Clock): Readonly<Record<string, Helper>> {
  const helpers: Readonly<Record<string, Helper>> = {
    ...TEXT_HELPERS,
    ...CONDITION_HELPERS,
    relative: (value) => toRelative(value, clock.now()),
    date: (value, pattern) => toDateText(value, typeof pattern === 'string' ? pattern : undefined),
  };
  return Object.fromEntries(Object.entries(helpers).map(([name, helper]) => [name, afterData(name, helper)]));
}
