import type { Request } from '../core/request/request.ts';
import { isLoopbackHost, parseHost } from '../core/text/host.ts';

/** Headers of a proxy or tunnel: the client is elsewhere, although the connection is local. */
const FORWARDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
];

/**
 * True if a program on this machine sends the request, without a proxy and by a local name. The `Host` counts
 * too: a foreign page could point its own name at 127.0.0.1 (DNS rebinding), and a tunnel forwards strangers
 * under the public name.
 */
export function isLocalRequest(request: Request): boolean {
  const address = String(request.getServer('REMOTE_ADDR') ?? '').replace(/^::ffff:/, '');
  const host = parseHost(String(request.getServer('host') ?? ''));
  const isForwarded = FORWARDED.some((name) => request.getHeader(name) !== undefined);
  return isLoopbackHost(address) && !isForwarded && host !== undefined && isLoopbackHost(host);
}
