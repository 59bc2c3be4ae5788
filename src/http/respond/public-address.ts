import type { OutgoingHttpHeaders } from 'node:http';
import { putBasePath } from '../../core/text/base-path.ts';
import { mapRefresh, putBasePathInHtml } from '../../core/text/html-address.ts';
import { addLanguageHeaders, localizeLinks } from '../language.ts';

type LanguageHeaders = Parameters<typeof addLanguageHeaders>[1];

/** A page with the addresses that its reader has to ask for: in the language of the path, under the path of the site. */
export function toPublicPage(html: string, exchange: Pick<LanguageHeaders, 'basePath' | 'locale' | 'prefix'>): string {
  const { basePath, prefix } = exchange;
  const page = prefix === '' ? html : localizeLinks(html, exchange);
  return putBasePathInHtml(basePath, page);
}

/** `</next>; rel="next", </last>; rel="last"`. */
const TARGET = /(^|,)(\s*<)([^>]*)/g;
const COOKIE_PATH = /(;\s*path\s*=\s*)(\/[^;]*)/gi;

/** A `Set-Cookie` value with the site's path. Browsers accept a `__Host-` cookie only with `Path=/`, so that one is not changed. */
function toCookie(cookie: string, basePath: string): string {
  if (/^\s*__Host-/i.test(cookie)) return cookie;
  const toPath = (path: string): string => (path.trim() === '/' ? basePath : putBasePath(basePath, path));
  return cookie.replace(COOKIE_PATH, (_all, start: string, path: string) => start + toPath(path));
}

type Header = OutgoingHttpHeaders[string];

const change = (value: Header, to: (text: string) => string): Header =>
  Array.isArray(value) ? value.map(to) : to(String(value));

/** Puts the path of the site before the local addresses in headers. */
function addBasePath(headers: OutgoingHttpHeaders, basePath: string): void {
  const toAddress = (address: string): string => putBasePath(basePath, address);
  const toLink = (link: string): string =>
    link.replace(TARGET, (_all, before: string, start: string, address: string) => before + start + toAddress(address));
  const changes: Readonly<Record<string, (text: string) => string>> = {
    location: toAddress,
    'content-location': toAddress,
    link: toLink,
    refresh: (text) => mapRefresh(text, toAddress),
    'set-cookie': (text) => toCookie(text, basePath),
  };
  for (const [name, to] of Object.entries(changes))
    if (headers[name] !== undefined) headers[name] = change(headers[name], to);
}

/** Adds the headers of an answer that depends on the language, and makes its addresses public. */
export function addAddressHeaders(headers: OutgoingHttpHeaders, exchange: LanguageHeaders, status: number): void {
  addLanguageHeaders(headers, exchange, status);
  if (exchange.basePath !== '') addBasePath(headers, exchange.basePath);
}
