import type { IncomingMessage } from 'node:http';
import { isAddress, isLoopbackHost, parseHost } from '../../core/text/host.ts';
import { createFailure, type Failure } from '../respond/failure.ts';

/** Counts the `Host` headers of a request: Node's parser keeps only the first. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

const toName = (url: string): string | undefined => (URL.canParse(url) ? parseHost(new URL(url).host) : undefined);

/**
 * Validates the host of a request.
 *
 * Several or an invalid one are 400. `own` are the names that `treadle dev` answers to, in addition to loopback names
 * and IP addresses: otherwise another site could point its own name at this machine (DNS rebinding) and read the
 * answers.
 *
 * @param own `--host` and the base URL, in development only.
 * @see RFC 9112 section 3.2
 */
export function findHostError(req: IncomingMessage, own?: readonly (string | undefined)[]): Failure | undefined {
  const { host } = req.headers;
  // HTTP/1.0 clients may omit it, which no browser does; for HTTP/1.1 Node's parser requires it.
  if (host === undefined) return undefined;
  const name = parseHost(host);
  if (name === undefined || countHosts(req) > 1) {
    return createFailure(400, 'The request must name one host: send one valid Host header.', { connection: 'close' });
  }
  if (own === undefined || isAddress(name) || isLoopbackHost(name)) return undefined;
  if (own.some((known) => known !== undefined && (known.toLowerCase() === name || toName(known) === name)))
    return undefined;
  const remedy = `Start it with --host ${name}, or set server.baseUrl (TREADLE_BASE_URL) to the URL with that name.`;
  return createFailure(
    421,
    `treadle dev does not answer to the name ${name}, because another site could have pointed it here. ${remedy}`,
  );
}
