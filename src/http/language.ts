import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { RouteKind } from '../core/bus/route-index.ts';
import { takeBasePath } from '../core/text/base-path.ts';
import { toLanguageTag } from '../core/text/language-tag.ts';
import type { Locale, OfferedLanguage } from '../core/text/translate.ts';
import { LANGUAGE_COOKIE } from '../plan/language/language-cookie.ts';
import { hasAnyLanguage, hasLanguage } from '../plan/language/language-path.ts';
import { findOffered, type Languages } from '../plan/language/languages.ts';
import { addVary } from './respond/encoding.ts';
import { readCookie } from './session/cookie.ts';

const MOST_CHARACTERS = 500;
const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

interface LanguageRange {
  readonly range: string;
  readonly quality: number;
}

/** Language ranges of an `Accept-Language` header, the best first. @see RFC 9110 sections 12.4.2 and 12.5.4 */
function parseAccepted(header: string): LanguageRange[] {
  return header
    .slice(0, MOST_CHARACTERS)
    .split(',')
    .map((part): LanguageRange => {
      const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const given = parameters.find((piece) => piece.startsWith('q='));
      const quality = given === undefined ? 1 : Number(QUALITY.exec(given)?.[1] ?? 0);
      return { range, quality };
    })
    .filter(({ range, quality }) => range !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality);
}

/** Language, script and region of a tag, with those that it leaves open: `zh-TW` is written in `Hant`. */
const complete = (tag: string): Intl.Locale => new Intl.Locale(tag).maximize();

/** Those of the offered languages that readers of a tag can read: the same language in the same script. */
function listReadable(offered: readonly Locale[], tag: string): Locale[] {
  const wanted = complete(tag);
  return offered.filter((locale) => {
    const own = complete(locale.tag);
    return own.language === wanted.language && own.script === wanted.script;
  });
}

/**
 * The language that a range asks for, or the nearest one: in the same script before another one, then by `de-at`, `de`,
 * then of the same region. A range may be an alias, such as `iw` for `he`.
 *
 * @see RFC 4647 section 3.4
 */
function findNearest(all: readonly Locale[], range: string): Locale | undefined {
  const tag = toLanguageTag(range);
  if (tag === undefined) return findByParts(all, range);
  const readable = listReadable(all, tag);
  if (readable.length === 0) return findByParts(all, tag.toLowerCase());
  const { region } = new Intl.Locale(tag);
  const isThere = (locale: Locale): boolean => region !== undefined && complete(locale.tag).region === region;
  const isExact = (locale: Locale): boolean => locale.tag === tag;
  return readable.find(isExact) ?? readable.find(isThere) ?? findByParts(readable, tag.toLowerCase()) ?? readable[0];
}

function findByParts(offered: readonly Locale[], range: string): Locale | undefined {
  const parts = range.split('-');
  for (let length = parts.length; length > 0; length -= 1) {
    const tag = parts.slice(0, length).join('-');
    const exact = offered.find((locale) => locale.tag.toLowerCase() === tag);
    if (exact) return exact;
  }
  return offered.find((locale) => locale.tag.toLowerCase().split('-')[0] === parts[0]);
}

function chooseAccepted(languages: Languages, header: string | undefined): Locale {
  const { offered } = languages;
  const [first] = offered;
  if (header === undefined) return first;
  return languages.byHeader.getOrCreate(header.slice(0, MOST_CHARACTERS), () => {
    for (const { range } of parseAccepted(header)) {
      const found = range === '*' ? first : findNearest(offered, range);
      if (found) return found;
    }
    return first;
  });
}

/** The language of a request, and its path without the language. */
export interface ChosenLanguage {
  readonly locale: Locale;
  readonly path: string;
  /** `/de` if the path began with it, else empty. */
  readonly prefix: string;
}

/**
 * Chooses the language of a request before its session is known: by its path, by the cookie of the language menu, by
 * `Accept-Language`, in this order. Calls of the API know no cookie.
 */
export function chooseLanguage(languages: Languages, path: string, req: IncomingMessage): ChosenLanguage {
  const { offered, isInPath } = languages;
  if (isInPath) {
    const locale = offered.find(({ tag }) => hasLanguage(path, tag));
    if (locale) {
      const prefix = path.slice(0, locale.tag.length + 1);
      return { locale, prefix, path: path.slice(prefix.length) || '/' };
    }
  }
  if (offered.length === 1) return { locale: offered[0], path, prefix: '' };
  const cookie = path.startsWith('/rest/') ? undefined : readCookie(req.headers.cookie, LANGUAGE_COOKIE);
  const chosen = cookie === undefined ? undefined : offered.find(({ tag }) => tag === cookie);
  return { locale: chosen ?? chooseAccepted(languages, req.headers['accept-language']), path, prefix: '' };
}

/**
 * Puts the language of the logged-in account before cookie and `Accept-Language`, but not before the path.
 * @param tag As stored; one that the site does not offer changes nothing.
 */
export function preferLanguage(
  exchange: { locale: Locale | undefined; readonly prefix: string },
  languages: Languages | undefined,
  tag: string | undefined,
): void {
  if (exchange.prefix === '') exchange.locale = findOffered(languages, tag) ?? exchange.locale;
}

/** Of links and forms in a page. Assets stay where they are. */
const LINK = /(<(?:a|form)\b[^>]*?\s(?:href|action)=")(\/(?!\/)[^"]*)"/g;

/** Paths that are the same in every language. */
const COMMON =
  /^\/(?:rest|oauth\/(?:token|revoke|introspect|userinfo)|upload|health|styles|scripts|\.well-known)(?:\/|$)/;

interface AddressedLanguage {
  readonly basePath: string;
  readonly locale?: Locale | undefined;
  readonly prefix: string;
}

const toLocalPath = (address: string, { locale, prefix, basePath }: AddressedLanguage): string => {
  // The language follows the base path.
  const path = takeBasePath(basePath, address);
  const isPlainPath = COMMON.test(path) || (locale && hasAnyLanguage(path, locale.offered));
  return isPlainPath ? path : prefix + path;
};

/** Keeps a reader of `/de/...` there: local links of the page begin with `/de`. */
export const localizeLinks = (html: string, exchange: AddressedLanguage): string =>
  html.replace(LINK, (_all, start: string, path: string) => `${start}${toLocalPath(path, exchange)}"`);

interface AddressedAnswer extends AddressedLanguage {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly kind: RouteKind;
  readonly baseUrl: string;
}

/** Signs that would end the address of a link. */
const UNSAFE = /[<>"\s]/g;

/** The same page in every language, for search engines. @see https://datatracker.ietf.org/doc/html/rfc8288 */
function toAlternates(offered: readonly OfferedLanguage[], { baseUrl, path, query }: AddressedAnswer): string[] {
  const here = `${path}${query === '' ? '' : `?${query}`}`.replace(UNSAFE, encodeURIComponent);
  const toLink = (prefix: string, language: string): string =>
    `<${baseUrl}${prefix}${here}>; rel="alternate"; hreflang="${language}"`;
  return [...offered.map(({ tag }) => toLink(`/${tag}`, tag)), toLink('', 'x-default')];
}

/** Adds the headers of an answer that depends on the language. @see RFC 9110 sections 8.5 and 12.5.5 */
export function addLanguageHeaders(headers: OutgoingHttpHeaders, exchange: AddressedAnswer, status: number): void {
  const { locale, prefix, kind, method } = exchange;
  if (!locale || locale.offered.length === 1 || kind === 'open') return;
  const isPage = String(headers['content-type'] ?? '').startsWith('text/html');
  if (isPage) headers['content-language'] ??= locale.tag;
  if (prefix === '') {
    addVary(headers, 'Accept-Language');
    if (kind === 'page') addVary(headers, 'Cookie');
  }
  const { location } = headers;
  if (prefix !== '' && typeof location === 'string' && /^\/(?!\/)/.test(location))
    headers.location = toLocalPath(location, exchange);
  // A page that no cache may store is not one for search engines, and its query may hold a secret.
  const isFound = status === 200 && (method === 'GET' || method === 'HEAD');
  if (!isPage || !isFound || !locale.isInPath || String(headers['cache-control']).includes('no-store')) return;
  headers.link = [headers.link ?? [], ...toAlternates(locale.offered, exchange)].flat().join(', ');
}
