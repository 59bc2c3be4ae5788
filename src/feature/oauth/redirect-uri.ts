import { findRedirectFault } from '../../model/shape/text.ts';
import type { ClientApp } from './app-row.ts';

/** http to this machine by address, without user: RFC 8252 section 7.3 lets such an app choose its port. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?((?:[/?].*)?)$/;

/** What is wrong with an address to return to; printable ASCII only, since it becomes a header, and a browser drops what is not. */
export function findReturnFault(uri: string): string | undefined {
  if (uri.length > 2048) return 'has more than 2048 characters';
  if (!/^[\x21-\x7e]+$/.test(uri)) return 'holds a blank or a letter beyond ASCII: percent-encode it';
  return findRedirectFault(uri);
}

export const isUsableRedirect = (uri: string): boolean => findReturnFault(uri) === undefined;

function isSameLoopback(registered: string, asked: string): boolean {
  const [, host, , rest] = LOOPBACK.exec(registered) ?? [];
  const [, askedHost, port = '0', askedRest] = LOOPBACK.exec(asked) ?? [];
  return host !== undefined && host === askedHost && rest === askedRest && Number(port) <= 65_535;
}

/** Whether an asked address is a registered one: equal as text, but for the port of a loopback address. */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  return isUsableRedirect(asked) && registered.some((uri) => uri === asked || isSameLoopback(uri, asked));
}

/** An app's addresses; one without any gets the developer section's own page. */
export function toRedirects(app: ClientApp, baseUrl: string): string[] {
  const own = app.redirectUris.filter(isUsableRedirect);
  return app.redirectUris.length === 0 ? [`${baseUrl}/developer/app/search`] : own;
}

/** Leads back to an app: makes the address with these parameters and what every answer carries. */
export interface Return {
  (parameters: Readonly<Record<string, string>>): string;
  /** The address itself. */
  readonly uri: string;
}

/** Text that is encoded already, made safe for a header: what a form writes as `+` is a blank, and a lone `%` itself. */
function tidy(encoded: string): string {
  return encoded
    .replace(/\+/g, '%20')
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .replace(/[^\x21-\x7e]|["<>\\^`{|}#]/gu, encodeURIComponent);
}

/** Makes a {@link Return}: it keeps the query that the address has, and gives `state` back byte for byte. */
export function toReturn(
  uri: string,
  { state, issuer }: { readonly state?: string | undefined; readonly issuer?: string | undefined },
): Return {
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
 * What `form-action` must name, or a browser stops the redirect that answers the dialog's form. A policy cannot name
 * an IPv6 host, nor one with `;` or `,` in it, which would begin another directive: there it is the scheme.
 */
export function toFormAction(uri: string): string {
  const url = new URL(uri);
  if (url.origin === 'null' || !/^[A-Za-z0-9.-]+$/.test(url.hostname)) return url.protocol;
  return url.origin;
}

/** Where an address leads, for a person to read: the host, or for a private scheme the scheme. */
export function toPlace(uri: string): string {
  const url = new URL(uri);
  return url.host === '' ? url.protocol : url.host;
}
