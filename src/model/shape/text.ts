import { isIP } from 'node:net';
import * as z from 'zod';
import { defer } from '../../core/memoize.ts';
import { toBasePath } from '../../core/text/base-path.ts';
import { toLanguageTag } from '../../core/text/language-tag.ts';
import { isOneLine } from '../field/one-line.ts';

/** Names of schemas, fields, fieldsets and relations, and of definition files. */
export const NAME_PATTERN = /^[a-z][A-Za-z0-9_-]*$/;
const NAME_RULE = 'must start with a lower case letter and hold only letters, digits, "-" and "_"';

/** Maximum length of a name, since PostgreSQL cuts identifiers at 63 bytes. */
export const NAME_LENGTH = 63;
/** Maximum characters of a label or title. */
const LABEL_LENGTH = 255;

export const toName = (description: string) =>
  z.string().regex(NAME_PATTERN, NAME_RULE).max(NAME_LENGTH).describe(description);

/**
 * One former name, or several with the latest first: after two renames some database may still have either.
 */
export const toFormerNames = (description: string) =>
  z
    .union([
      z.string().regex(NAME_PATTERN, NAME_RULE).max(NAME_LENGTH),
      z.array(z.string().regex(NAME_PATTERN, NAME_RULE).max(NAME_LENGTH)).min(1).max(20),
    ])
    .describe(`${description} A list if it was renamed more than once, the latest first.`);

export const toLabel = (description: string) =>
  z
    .string()
    .min(1)
    .max(LABEL_LENGTH)
    .refine(isOneLine, 'must be one line without control characters')
    .describe(description);

/** RFC 6749 scope tokens, without the comma, which the classic mode uses as separator. */
export const toSlug = (description: string) =>
  z
    .string()
    .regex(/^[a-z][A-Za-z0-9._-]*$/, 'must start with a lower case letter and hold only letters, digits, ".", "-", "_"')
    .max(NAME_LENGTH)
    .describe(description);

function toUrl(text: string): URL | undefined {
  // The URL parser drops blanks and control characters, so the stored text would differ from the checked one.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return /[\s\u0000-\u001f\u007f\\]/.test(text) || !URL.canParse(text) ? undefined : new URL(text);
}

const isHttp = (url: URL): boolean => url.protocol === 'http:' || url.protocol === 'https:';
const hasCredentials = (url: URL): boolean => url.username !== '' || url.password !== '';

/** True if a text is an http(s) address without credentials and fragment. */
export function isHttpUrl(text: string): boolean {
  const url = toUrl(text);
  return url !== undefined && isHttp(url) && !hasCredentials(url) && !text.includes('#');
}

/** Segments that no proxy and no cookie reads in another way. */
const BASE_PATH = /^(?:\/[A-Za-z0-9._~-]+)*$/;

/** True for the address of a site, which may be under a path: without query, fragment, credentials and final slash. */
export function isBaseUrl(text: string): boolean {
  if (!isHttpUrl(text) || text.includes('?')) return false;
  const path = toBasePath(text);
  return BASE_PATH.test(path) && new URL(text).pathname === (path === '' ? '/' : path);
}

export const toHttpUrl = (description: string) =>
  z
    .string()
    .max(2048)
    .refine(isHttpUrl, 'must be an http or https address without user, password and fragment')
    .describe(description);

/** True for a BCP 47 tag in its usual form. */
export const isLanguageTag = (text: string): boolean => toLanguageTag(text) === text;

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Why this cannot be a redirect URI, as the end of a sentence; undefined if it can. It must be absolute
 * without fragment, and use https, http to this machine, or a private-use scheme (one with a dot).
 *
 * @see RFC 6749 3.1.2, RFC 8252 7.1 to 7.3
 */
export function findRedirectError(text: string): string | undefined {
  const url = toUrl(text);
  if (url === undefined)
    return 'is not an absolute URL: write it with its scheme, such as https://example.org/callback';
  if (text.includes('#')) return 'has a fragment: remove it from "#" on, because browsers do not send it';
  if (hasCredentials(url)) return 'has a user or a password: remove them';
  if (url.hostname.includes('*'))
    return 'has "*" in its host: redirect URIs are compared as text, so register each one';
  if (url.protocol === 'https:') return /^https:\/\/[^/]/i.test(text) ? undefined : 'names no host';
  if (url.protocol === 'http:') {
    if (!/^http:\/\/[^/]/i.test(text)) return 'names no host';
    return LOOPBACK.has(url.hostname)
      ? undefined
      : 'is http to another machine, where others could read the code: use https, or http on 127.0.0.1 or [::1]';
  }
  return url.protocol.includes('.')
    ? undefined
    : 'has a scheme that another app may claim too: use https, or a private scheme with a dot, such as com.example.app:/callback';
}

/** True if an address can be a redirect URI. */
export const isRedirectUri = (text: string): boolean => findRedirectError(text) === undefined;

export const toRedirectUri = (description: string) =>
  z
    .string()
    .max(2048)
    .refine(
      isRedirectUri,
      'must be absolute, without fragment: https, http to 127.0.0.1, [::1] or localhost, or a private scheme with a dot',
    )
    .describe(description);

export const toPath = (description: string) =>
  z
    .string()
    .max(2048)
    .regex(/^\/(?!\/)[^\s?#\\]*$/, 'must start with one "/" and hold no blank, "?", "#" or "\\"')
    .describe(description);

/** True if a text is an address block such as `10.0.0.0/8`, or a single address. */
export function isCidr(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** True if a text is `*` or an origin such as `https://example.org`. */
export function isOrigin(text: string): boolean {
  const url = toUrl(text);
  return text === '*' || (url !== undefined && isHttp(url) && url.origin === text);
}

/** True if a record has no key that reaches a prototype. */
export const isSafeRecord = (record: Readonly<Record<string, unknown>>): boolean =>
  ['__proto__', 'constructor', 'prototype'].every((key) => !Object.hasOwn(record, key));

export const jsonSchemaKey = defer(() => z.string().describe("URL or path of this file's JSON Schema, for editors."));
