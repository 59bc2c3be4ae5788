import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.ts';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method may change something. */
export const isUnsafe = (method: string): boolean => !SAFE_METHODS.has(method);

function toOrigin(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}

/**
 * Whether a post came from another site: by `Sec-Fetch-Site`, else by `Origin`, which must be the public address or the
 * host that was asked. With neither it is no browser, so no visitor's cookies can have been borrowed;
 * the consent dialog asks for its form's token then.
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

/** Whether an exchange is an unsafe method on a page, sent by another site. */
export function isForged(exchange: Exchange, baseUrl: string): boolean {
  return exchange.door === 'page' && isUnsafe(exchange.method) && isCrossSite(exchange.req, exchange.isSecure, baseUrl);
}
