import type { OutgoingHttpHeaders } from 'node:http';
import { memoize } from '../../core/memoize.ts';
import { FRAME_HOSTS } from '../../model/field/field-kind-sanitize.ts';
import type { Exchange } from '../exchange.ts';
import { isOwnSection } from '../own-section.ts';

type Directives = Readonly<Record<string, readonly string[]>>;

/**
 * Sources that a page may load: articles embed https images from anywhere, and players of the hosts that formatted
 * text may frame. A host without a scheme uses the scheme of the page, or https.
 */
const PAGE_DIRECTIVES: Directives = {
  'default-src': ["'self'"],
  'frame-src': ["'self'", ...FRAME_HOSTS],
  'img-src': ["'self'", 'data:', 'https:'],
  'style-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};
const printPolicy = (directives: Directives): string =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
const PAGE_POLICY = printPolicy(PAGE_DIRECTIVES);
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Headers of every answer. */
const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
} as const;
const PAGE = { ...COMMON, 'content-security-policy': PAGE_POLICY } as const;
const DATA = { ...COMMON, 'content-security-policy': DATA_POLICY } as const;

/** The headers of pages by the directives that the settings replace; undefined if they replace none. */
const findOwnPage = memoize((own: Directives): Readonly<OutgoingHttpHeaders> | undefined => {
  if (Object.keys(own).length === 0) return undefined;
  const headers: OutgoingHttpHeaders = {
    ...COMMON,
    'content-security-policy': printPolicy({ ...PAGE_DIRECTIVES, ...own }),
  };
  // It knows no list of sites, so it would contradict the directive in browsers that heed both.
  if (own['frame-ancestors'] !== undefined) delete headers['x-frame-options'];
  return headers;
});

/** Cache-Control of an answer behind a gate: no shared cache may reuse it. */
export const GUARDED = 'private, no-cache';

/** One year. Without `includeSubDomains`: other hosts of the domain may be no concern of this site. @see RFC 6797 section 6.1 */
const STRICT_TRANSPORT = 'max-age=31536000';

function findPageHeaders({ context, path }: Exchange): Readonly<OutgoingHttpHeaders> {
  const own = findOwnPage(context.plan.model.settings.server.contentSecurityPolicy);
  return own === undefined || isOwnSection(path) ? PAGE : own;
}

/** The initial headers of an answer; a handler's own override them. */
export function createHeaders(exchange: Exchange, isPage: boolean): OutgoingHttpHeaders {
  const { id, isSecure } = exchange;
  const headers: OutgoingHttpHeaders = isPage ? { ...findPageHeaders(exchange) } : { ...DATA };
  headers['x-request-id'] = id;
  if (isSecure) headers['strict-transport-security'] = STRICT_TRANSPORT;
  return headers;
}

const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const CLEAN = /^[\t\x20-\x7e\x80-\xff]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f]/g;

/** A header value without control characters (header injection) and characters that headers do not allow. */
function toHeaderValue(value: string): string {
  return CLEAN.test(value) ? value : value.replace(CONTROLS, '').replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
}

/** A URL as a header value: non-ASCII percent-encoded, control characters removed. */
export function toLocation(location: string): string {
  if (/^[\x21-\x7e]*$/.test(location)) return location;
  const clean = location.replace(CONTROLS, '').replaceAll('\t', '');
  return toHeaderValue(clean.replace(/\p{Surrogate}/gu, '').replace(/[^\x21-\x7e]+/gu, encodeURIComponent));
}

/** Adds a handler's headers; invalid names are left out. */
export function addHeaders(
  headers: OutgoingHttpHeaders,
  added: Readonly<Record<string, string | readonly string[]>>,
): void {
  for (const name in added) {
    const value = added[name];
    if (value === undefined || !NAME.test(name)) continue;
    if (name === 'location') headers.location = toLocation(String(value));
    else
      headers[name] = Array.isArray(value)
        ? value.map((item) => toHeaderValue(String(item)))
        : toHeaderValue(String(value));
  }
}
