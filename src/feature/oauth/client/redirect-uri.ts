import { findRedirectError } from '../../../model/shape/text.ts';
import type { ClientApp } from './app-row.ts';

/** http to a loopback address, without user info: RFC 8252 section 7.3 lets such an app choose its port. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?((?:[/?].*)?)$/;

/**
 * Why a redirect URI is invalid. Only printable ASCII, because it becomes a header and browsers drop other
 * characters.
 */
export function findRedirectUriError(uri: string): string | undefined {
  if (uri.length > 2048) return 'has more than 2048 characters';
  if (!/^[\x21-\x7e]+$/.test(uri)) return 'holds a blank or a letter beyond ASCII: percent-encode it';
  return findRedirectError(uri);
}

const isUsableRedirect = (uri: string): boolean => findRedirectUriError(uri) === undefined;

function isSameLoopback(registered: string, requested: string): boolean {
  const [, host, , rest] = LOOPBACK.exec(registered) ?? [];
  const [, requestedHost, port = '0', requestedRest] = LOOPBACK.exec(requested) ?? [];
  return host !== undefined && host === requestedHost && rest === requestedRest && Number(port) <= 65_535;
}

/** Whether a requested URI is registered: equal as text, except for the port of a loopback address. */
export function isRegistered(registered: readonly string[], requested: string): boolean {
  return isUsableRedirect(requested) && registered.some((uri) => uri === requested || isSameLoopback(uri, requested));
}

/** An app's redirect URIs; by default the developer section's own page. */
export function toRedirects(app: ClientApp, baseUrl: string): string[] {
  const own = app.redirectUris.filter(isUsableRedirect);
  return app.redirectUris.length === 0 ? [`${baseUrl}/developer/app/search`] : own;
}

/** Builds redirects to an app from parameters and what every response carries. */
export interface RedirectBuilder {
  (parameters: Readonly<Record<string, string>>): string;
  /** The address itself. */
  readonly uri: string;
}

/** Makes encoded text safe for a header: `+` becomes a blank, a lone `%` is encoded. */
function tidy(encoded: string): string {
  return encoded
    .replace(/\+/g, '%20')
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(/[^\x21-\x7e]|["<>\\^`{|}#]/gu, encodeURIComponent);
}

/** Creates a {@link RedirectBuilder}: keeps the query of the URI, and returns `state` byte for byte. */
export function toReturn(
  uri: string,
  { state, issuer }: { readonly state?: string | undefined; readonly issuer?: string | undefined },
): RedirectBuilder {
  const joint = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  const carried = [
    ...(state === undefined ? [] : [`state=${tidy(state)}`]),
    ...(issuer === undefined ? [] : [`iss=${encodeURIComponent(issuer)}`]),
  ];
  const make = (parameters: Readonly<Record<string, string>>): string => {
    const own = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return uri + joint + [...own, ...carried].join('&');
  };
  return Object.assign(make, { uri });
}

/**
 * Source for `form-action`; without it browsers block the redirect after the dialog's form. A policy cannot
 * name an IPv6 host, nor one with `;` or `,`, which would begin another directive: then it is the scheme.
 */
export function toFormAction(uri: string): string {
  const url = new URL(uri);
  if (url.origin === 'null' || !/^[A-Za-z0-9.-]+$/.test(url.hostname)) return url.protocol;
  return url.origin;
}

/** Target of a URI for display: the host, or the scheme if private. */
export function toPlace(uri: string): string {
  const url = new URL(uri);
  return url.host === '' ? url.protocol : url.host;
}
