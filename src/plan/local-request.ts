import { isLoopbackHost, parseHost } from '../core/host.ts';
import type { Request } from '../core/request.ts';

/** What a proxy or a tunnel adds: who asks is elsewhere, though the connection comes from this machine. */
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
 * Whether a program on this machine asks, without a proxy and by a name of this machine. A page elsewhere could point a
 * name of its own at 127.0.0.1 (DNS rebinding), and a tunnel brings strangers by the public name, so the `Host` counts too.
 */
export function isLocalRequest(request: Request): boolean {
  const address = String(request.getServer('REMOTE_ADDR') ?? '').replace(/^::ffff:/, '');
  const host = parseHost(String(request.getServer('host') ?? ''));
  const isForwarded = FORWARDED.some((name) => request.getHeader(name) !== undefined);
  return isLoopbackHost(address) && !isForwarded && host !== undefined && isLoopbackHost(host);
}
