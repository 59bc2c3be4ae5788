import type { Server } from 'node:net';
import { TreadleError } from '../../core/errors.ts';

export interface ListenAddress {
  /** 0 picks a free port. */
  readonly port: number;
  /** Default `127.0.0.1`. */
  readonly host?: string | undefined;
}

/** The default host that a server listens on: this machine only. */
export const DEFAULT_HOST = '127.0.0.1';

/** The port that a server listens on. */
export function toPort(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('The server does not listen on a port');
  return address.port;
}

/** The URL of a server, such as `http://127.0.0.1:3000`. */
function toUrl(server: Server, host: string): string {
  const port = toPort(server);
  if (host === '0.0.0.0' || host === '::' || host === '') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function toListenError(error: NodeJS.ErrnoException, port: number): TreadleError {
  if (error.code === 'EADDRINUSE') {
    return new TreadleError('SERVER_PORT_TAKEN', `Port ${port} is in use.`, {
      hint: 'Stop the other server, or pass --port with another port; 0 picks a free one.',
      cause: error,
    });
  }
  const hint =
    error.code === 'EACCES' ? 'Ports below 1024 need more privileges; use another, such as 3000.' : undefined;
  const options = { cause: error, ...(hint === undefined ? {} : { hint }) };
  return new TreadleError('SERVER_LISTEN_FAILED', `Cannot listen: ${error.message}.`, options);
}

/**
 * Starts listening and returns the URL.
 *
 * @throws SERVER_PORT_TAKEN. @throws SERVER_LISTEN_FAILED.
 */
export function listenOn(server: Server, { port, host = DEFAULT_HOST }: ListenAddress): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error): void => reject(toListenError(error, port));
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve(toUrl(server, host));
    });
  });
}
