import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.ts';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** True for a method that may change something. */
export const isUnsafe = (method: string): boolean => !SAFE_METHODS.has(method);

function toOrigin(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}

/**
 * True if a request came from another site: by `Sec-Fetch-Site`, or else by `Origin`, which must match the public URL
 * or the requested host. A client that sends neither is not a browser, so it cannot abuse a visitor's cookies; the
 * consent dialog then requires its form token.
 *
 * @see https://www.w3.org/TR/fetch-metadata/
 */
function isCrossSite(req: IncomingMessage, isSecure: boolean, baseUrl: string): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = req.headers;
  if (origin === undefined) return false;
  const own = `${isSecure ? 'https' : 'http'}://${host ?? ''}`;
  return origin !== toOrigin(baseUrl) && origin !== toOrigin(own);
}

/** True if another site sent an unsafe method to a page. */
export function isForged(exchange: Exchange, baseUrl: string): boolean {
  return exchange.door === 'page' && isUnsafe(exchange.method) && isCrossSite(exchange.req, exchange.isSecure, baseUrl);
}
