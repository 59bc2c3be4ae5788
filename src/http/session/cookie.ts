import { isSafeKey } from '../../core/request/registry.ts';
import { toCookieName } from '../../core/text/base-path.ts';

/** Reads one cookie without parsing the others; undefined if it is absent. The first cookie of a name counts. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined || !header.includes(name)) return undefined;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

function decode(value: string): string {
  const bare = value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
  if (!bare.includes('%')) return bare;
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

/** All cookies of a request. The first of a name counts; prototype names are left out. */
export function parseCookies(header: string): Record<string, unknown> {
  const cookies: Record<string, unknown> = {};
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    const name = equals > 0 ? pair.slice(0, equals).trim() : '';
    if (name === '' || !isSafeKey(name) || Object.hasOwn(cookies, name)) continue;
    cookies[name] = decode(pair.slice(equals + 1).trim());
  }
  return cookies;
}

/** Name of the session cookie. Over https a prefix binds it to this host. */
export const toSessionCookieName = (isSecure: boolean, basePath: string): string =>
  toCookieName('sid', isSecure, basePath);

/**
 * The `Set-Cookie` value of a session.
 *
 * @param seconds Lifetime; 0 clears the cookie.
 * @see RFC 6265bis section 4.1.3
 */
export function toSessionCookie(
  value: string,
  seconds: number,
  { isSecure, basePath }: { readonly isSecure: boolean; readonly basePath: string },
): string {
  const base = `${toSessionCookieName(isSecure, basePath)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`;
  return isSecure ? `${base}; Secure` : base;
}
