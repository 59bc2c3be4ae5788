import type { IncomingMessage } from 'node:http';
import { isAddress, isLoopbackHost, parseHost } from '../core/host.ts';
import { createFailure, type Failure } from './failure.ts';

/** Counts a request's `Host` headers: the parser keeps the first of several. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

const toName = (url: string): string | undefined => (URL.canParse(url) ? parseHost(new URL(url).host) : undefined);

/**
 * Finds what is wrong with the host that a request names.
 *
 * Several or an invalid one are 400. `own` are the names that `treadle dev` answers to, beside loopback names and IP
 * addresses: a page elsewhere can point a name of its own at this machine (DNS rebinding) and then read what it serves.
 *
 * @param own `--host` and the base URL, in development only.
 * @see RFC 9112 section 3.2
 */
export function findHostFault(req: IncomingMessage, own?: readonly (string | undefined)[]): Failure | undefined {
  const { host } = req.headers;
  // HTTP/1.0 may leave it out, which no browser does; of HTTP/1.1 the parser asks it.
  if (host === undefined) return undefined;
  const name = parseHost(host);
  if (name === undefined || countHosts(req) > 1) {
    return createFailure(400, 'The request must name one host: send one valid Host header.', { connection: 'close' });
  }
  if (own === undefined || isAddress(name) || isLoopbackHost(name)) return undefined;
  if (own.some((known) => known !== undefined && (known.toLowerCase() === name || toName(known) === name)))
    return undefined;
  const remedy = `Start it with --host ${name}, or set server.baseUrl (TREADLE_BASE_URL) to the address of that name.`;
  return createFailure(
    421,
    `treadle dev does not answer to the name ${name}, which another site could have pointed here. ${remedy}`,
  );
}
