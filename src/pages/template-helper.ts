import type { HelperOptions } from 'handlebars';
import { mayOpenPath } from '../access/guard.ts';
import type { Clock } from '../core/clock.ts';
import { findOwn, isObject } from '../core/record.ts';
import { currentScope } from '../core/scope.ts';
import { currentLocale, currentLocaleTag, translate } from '../core/text/translate.ts';
import { toPlainDecimal, toShortDecimal } from '../model/decimal/decimal.ts';
import { formats, toFormatted, toPriceText } from '../model/format/format.ts';
import { toDateText, toRelative } from '../model/format/format-date.ts';
import { formatNumber as toLocalNumber } from '../model/format/format-intl.ts';
import { findIcon } from '../model/icon.ts';
import type { Model } from '../model/model.ts';
import { renderRich, SafeText } from './rich-text.ts';
import { renderField, renderForm } from './template-form.ts';
import type { HelperSources } from './template-source.ts';
import {
  readRequest,
  readSetting,
  renderImage,
  toAssetUrl,
  toPagerView,
  toRedirectUrl,
  toSortCaret,
  toSortUrl,
} from './template-url.ts';

/** A helper as Handlebars calls it: the arguments, then its options. */
type Helper = (this: unknown, ...parameters: unknown[]) => unknown;

/** What Handlebars gives a helper as its last parameter. */
const getOptions = (parameters: readonly unknown[]) => parameters[parameters.length - 1] as HelperOptions;

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== false;

/** Arguments without the options object that Handlebars appends. */
const given = (parameters: readonly unknown[]): readonly unknown[] => parameters.slice(0, -1);

/**
 * Renders the block if there is one, otherwise returns the boolean, so that conditions can be nested: `{{#if (in a
 * list)}}`.
 */
function choose(context: unknown, parameters: readonly unknown[], isTrue: boolean): unknown {
  const options = getOptions(parameters);
  if (typeof options.fn !== 'function') return isTrue;
  return isTrue ? options.fn(context) : options.inverse(context);
}

const condition = (test: (...parameters: readonly unknown[]) => boolean): Helper =>
  function decide(this: unknown, ...parameters) {
    return choose(this, parameters, test(...given(parameters)));
  };

/** A decimal is a text: the number 12.5 and the decimal `12.50` are the same. */
const isSameNumber = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'string' && b.includes('.') && toShortDecimal(b) === toPlainDecimal(a);
const same = (a: unknown, b: unknown): boolean =>
  a === b || (hasValue(a) && hasValue(b) && text(a) === text(b)) || isSameNumber(a, b) || isSameNumber(b, a);
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
  return isObject(target) && Object.hasOwn(target, text(key)) && hasValue(target[text(key)]);
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
  const exact = typeof value === 'string' ? toPlainDecimal(value) : undefined;
  if (!hasValue(value) || Number.isNaN(number)) return '';
  const digits = typeof decimals === 'number' || typeof decimals === 'string' ? Math.min(20, count(decimals, 0)) : 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return toLocalNumber(currentLocaleTag(), exact ?? number, options);
}

/** A number in few characters, such as `1.2K`. */
function formatShort(value: unknown): string {
  const number = Number(value);
  if (!hasValue(value) || Number.isNaN(number)) return '';
  return toLocalNumber(currentLocaleTag(), number, { notation: 'compact', maximumFractionDigits: 1 });
}

/** A provider's answer works once, and its query holds a code. */
const CALLBACK = /^\/auth\/provider\//;

/** Languages for the language menu, with the current page in each; empty for a site with one language. */
function listLanguages(): readonly object[] {
  const locale = currentLocale();
  if (!locale || locale.offered.length === 1) return [];
  const { request, access } = currentScope.getStore() ?? {};
  const path = request?.getPath('string') ?? '/';
  const query = request?.getQuery() ?? '';
  const here = CALLBACK.test(path) ? '/auth/login' : `${path}${query === '' ? '' : `?${query}`}`;
  return locale.offered.map(({ tag, name }) => ({
    tag,
    name,
    here,
    isCurrent: tag === locale.tag,
    // A link stores nothing, so who is logged in gets the form.
    href: locale.isInPath && access?.authId === undefined ? `/${tag}${here}` : undefined,
  }));
}

const translateHelper: Helper = (source, ...parameters) => translate(text(source), getOptions(parameters).hash);

/** A value by a format of the fields; what the format makes as HTML is safe to insert. */
function formatValue(value: unknown, name: string, parameters: readonly unknown[]): unknown {
  const formatted = toFormatted(name, value, parameters as readonly (string | number)[]);
  return Object.hasOwn(formats, name) && formats[name]?.isHtml ? new SafeText(formatted) : formatted;
}

const TEXT_HELPERS: Readonly<Record<string, Helper>> = {
  /** `upper x`: the text in capitals. */
  upper: (value) => text(value).toUpperCase(),
  /** `lower x`: the text in small letters. */
  lower: (value) => text(value).toLowerCase(),
  /** `capital x`: the text, each word with a capital. */
  capital: (value) => text(value).replace(/(^|\s)\S/g, (start) => start.toUpperCase()),
  /** `chars x 100`: at most that many characters (100 by default), then `…`. */
  chars: (value, limit) => {
    const whole = text(value);
    return whole.length > count(limit, 100) ? `${whole.slice(0, count(limit, 100))}…` : whole;
  },
  /** `words x 20`: at most that many words (20 by default), then `…`. */
  words: (value, limit) => {
    const all = text(value).split(/\s+/);
    return all.length > count(limit, 20) ? `${all.slice(0, count(limit, 20)).join(' ')}…` : text(value);
  },
  /** `strip x`: the text without HTML tags. It sanitizes nothing. */
  strip: (value) => strip(value),
  /** `excerpt x 160`: the text without HTML tags, cut at a word after at most that many characters (160 by default). */
  excerpt: (value, limit) => shorten(value, count(limit, 160)),
  /** `join list ", "`: a list as text, with this text (a comma and a space by default) between the items. */
  join: (list, separator) =>
    Array.isArray(list) ? list.map(text).join(typeof separator === 'string' ? separator : ', ') : text(list),
  /** `split x ","`: a text as list, cut at this text (a comma by default). */
  split: (value, separator) => text(value).split(typeof separator === 'string' ? separator : ','),
  /** `number x 2`: a number with the separators of the language, and that many decimals (none by default). Nothing if it is not a number. */
  number: (value, decimals) => formatNumber(value, decimals),
  /** `price x "EUR"`: an amount as the language writes it in a currency; without one, as `number` with two decimals. */
  price: (value, currency) => {
    const plain = formatNumber(value, 2);
    return plain !== '' && (typeof value === 'string' || typeof currency === 'string')
      ? toPriceText(value, currency)
      : plain;
  },
  /** `short x`: a number in few characters: `1.2K`. */
  short: (value) => formatShort(value),
  /** `json x 2`: the value as JSON, for a `data-` attribute; indented by that many spaces, if a number follows. */
  json: (value, spaces) => JSON.stringify(value, null, typeof spaces === 'number' ? spaces : undefined) ?? '',
  /** `concat a b`: the values as one text. */
  concat: (...parameters) => given(parameters).map(text).join(''),
  /** `default a b`: the first that has a value. */
  default: (...parameters) => given(parameters).find(hasValue) ?? '',
  /** `add a b`: the sum of the numbers, such as `{{add @index 1}}`. */
  add: (...parameters) => given(parameters).reduce((sum: number, value) => sum + (Number(value) || 0), 0),
  /** `markdown x`: Markdown as HTML. HTML in it is escaped. */
  markdown: (value) => formatValue(value, 'markdown', []),
  /** `stars x`: a rating, a number, as stars. */
  stars: (value) => toFormatted('stars', value),
  /** `format x "name" …`: a value by any [format](definitions.md#formats) of the fields, such as `markdown`, `link`, `table`, with the parameters of the format. */
  format: (value, name, ...parameters) => formatValue(value, text(name), given(parameters)),
  /** `sorturl "column"`: the address of the current page, sorted by the column; in the other direction if it is sorted by it already. */
  sorturl: (column) => toSortUrl(text(column)),
  /** `sortcaret "column"`: `↑` or `↓` if the current page is sorted by the column. */
  sortcaret: (column) => toSortCaret(text(column)),
  /** `redirecturl "/auth/login"`: an address that comes back to the current page. */
  redirecturl: (address) => toRedirectUrl(text(address)),
  /** `request "path"`: the path of the request; also `request "method"`, and `request "query" "q"` for a parameter of its query. */
  request: (what, ...rest) => readRequest(text(what), rest[0], getOptions(rest)),
  /** `t "Welcome, {name}" name=x`: the text in the language of the request, with the values: [Languages](../guide/languages.md). */
  t: translateHelper,
  /** `i18n "text"`: as `t`. */
  i18n: translateHelper,
  /** `rich "Read <docs>the docs</docs>." docs="/docs"`: a translated sentence with links; `<strong>`, `<em>`, `<bdi>` and `<code>` are themselves. */
  rich: (source, ...parameters) => renderRich(text(source), getOptions(parameters).hash),
  /** `lang`: the language tag of the request, for `<html lang="{{lang}}">`. */
  lang: () => currentLocaleTag(),
  /** `languages`: the languages of the site as list, for a menu: `tag`, `name`, `isCurrent`, `here`, and `href` for visitors of a site with `languagePath`. Empty if there is only one. */
  languages: () => listLanguages(),
  /** `icon "name"`: an icon of [Lucide](https://lucide.dev/icons) as `<svg>`, such as `newspaper`. Nothing for an unknown name. */
  icon: (name) => new SafeText(findIcon(text(name)) ?? ''),
  /** `query page=2 q=x`: a query string, with `?`, of the values that are not empty. */
  query: (...parameters) => {
    const pairs = Object.entries<unknown>(getOptions(parameters).hash).filter(([, value]) => hasValue(value));
    return pairs.length === 0
      ? ''
      : `?${new URLSearchParams(Object.fromEntries(pairs.map(([key, value]) => [key, text(value)])))}`;
  },
};

const CONDITION_HELPERS: Readonly<Record<string, Helper>> = {
  /** `eq a b`: true if both are the same; `3` and `"3"` are. A block with `{{else}}`, or a value: `{{#if (eq a b)}}`. */
  eq: condition(same),
  /** `ne a b`: true if `eq` is not. */
  ne: condition((a, b) => !same(a, b)),
  /** `lt a b`: true if a is less than b: as numbers if both are, else as texts. */
  lt: condition((a, b) => order(a, b) < 0),
  /** `lte a b`: true if a is less than b or the same. */
  lte: condition((a, b) => order(a, b) <= 0),
  /** `gt a b`: true if a is greater than b. */
  gt: condition((a, b) => order(a, b) > 0),
  /** `gte a b`: true if a is greater than b or the same. */
  gte: condition((a, b) => order(a, b) >= 0),
  /** `when a "==" b`: compares by `== === != !== < <= > >= && ||`. A block, or a value: `{{#if (when a "<" b)}}`. `==` compares as texts. */
  when: condition((a, operator, b) => findOwn(OPERATORS, text(operator))?.(a, b) ?? false),
  /** `or a b`: true if one of them has a value. A block or a value, as all that follow. */
  or: condition((...all) => all.some(hasValue)),
  /** `and a b`: true if all have a value. */
  and: condition((...all) => all.every(hasValue)),
  /** `not a`: true if it has no value. */
  not: condition((value) => !hasValue(value)),
  /** `in x list`: true if a list, or a text with commas, has the value. */
  in: condition((value, list) => contains(list, value)),
  /** `notin x list`: true if `in` is not. */
  notin: condition((value, list) => !contains(list, value)),
  /** `has object "key"`: true if the object has a value at the key. */
  has: condition((target, key) => hasKey(target, key)),
  /** `hasnt object "key"`: true if `has` is not. */
  hasnt: condition((target, key) => !hasKey(target, key)),
  /** `is_array x`: true for a list. */
  is_array: condition((value) => Array.isArray(value)),
};

/** True for a plain `{{name}}`: no parameters, no named values, no block. */
function isBare(parameters: readonly unknown[]): boolean {
  const options = getOptions(parameters);
  return parameters.length === 1 && typeof options.fn !== 'function' && Object.keys(options.hash).length === 0;
}

/**
 * A plain `{{name}}` shows the data of that name if the template has any. Otherwise each new helper would hide a value of the
 * same name in existing templates.
 */
const afterData = (name: string, helper: Helper): Helper =>
  function call(this: unknown, ...parameters) {
    if (isBare(parameters) && isObject(this) && Object.hasOwn(this, name)) return this[name];
    return helper.apply(this, parameters);
  };

/** Without definitions, as in a mail of a broken project, nothing is opened. */
const mayOpen = (model: Model | undefined, path: string): boolean => model !== undefined && mayOpenPath(model, path);

/** The helpers that need more than values. */
function createSourceHelpers(sources: HelperSources): Readonly<Record<string, Helper>> {
  const { assets, model, renderPart } = sources;

  const settings = () => model?.()?.settings;
  return {
    /** `asset "/styles/app.css"`: the URL of a file of `public/` with the hash of its content: [Static files](../guide/templates.md#static-files). Several values are joined. */
    asset: (...parameters) => toAssetUrl(assets, given(parameters), getOptions(parameters)),
    /** `field "comment_detail" label="…"`: a field of a schema for a form, with label, control, help, value and error: [Forms](../guide/templates.md#forms). */
    field: (name, ...rest) => renderField(text(name), sources, getOptions(rest)),
    /** `form action="/talks"`: `{{#form}}…{{/form}}` is a `<form>` around its block, with what a post needs: [Forms](../guide/templates.md#forms). */
    form(...parameters) {
      return renderForm(this, sources, getOptions(parameters));
    },
    /** `image article_image alt="…" sizes="50vw"`: an `<img>` in all widths that the site makes: [Images](../guide/templates.md#images). */
    image: (address, ...rest) => renderImage(assets, text(address), getOptions(rest)),
    /** `settings "name"`: a public setting: `name`, `home`, `api`, `languages`, `server.baseUrl`, `server.uploadBytes`, `auth.signup`, `auth.verify`, `limits.pageRows`, `limits.maxPageRows`. */
    settings: (name, ...rest) => readSetting(settings(), text(name), getOptions(rest)),
    /** `opens "/admin"`: true if the roles of the person who asks open the path. A block or a value: [Links for some people](../guide/roles.md#links-for-some-people). */
    opens: condition((path) => mayOpen(model?.(), text(path))),
    /** `pager`: the links to the other pages of the search that the request made: [Pages of a list](../guide/templates.md#pages-of-a-list). */
    pager: (...parameters) => {
      const view = toPagerView(getOptions(parameters).hash, settings());
      return view === undefined ? '' : new SafeText(renderPart?.('helper/pager', view) ?? '');
    },
  };
}

/** The helpers of every template. Handlebars escapes their results like any value. */
export function createHelpers(clock: Clock, sources: HelperSources = {}): Readonly<Record<string, Helper>> {
  const helpers: Readonly<Record<string, Helper>> = {
    ...TEXT_HELPERS,
    ...CONDITION_HELPERS,
    ...createSourceHelpers(sources),
    /** `relative x`: a stored time as seen from now: `3 minutes ago`. */
    relative: (value) => toRelative(value, clock.now()),
    /** `date x "F d, Y" "Europe/Berlin"`: a stored time by a pattern, or in a usual form of the language such as `long` (a day) and `datetime-long` (with the time of day); in UTC or that time zone: [Dates](../guide/templates.md#dates-and-prices). */
    date: (value, pattern, zone) =>
      toDateText(value, typeof pattern === 'string' ? pattern : undefined, typeof zone === 'string' ? zone : undefined),
  };
  return Object.fromEntries(Object.entries(helpers).map(([name, helper]) => [name, afterData(name, helper)]));
}
