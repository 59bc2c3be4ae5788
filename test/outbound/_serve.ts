import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { TreadleError } from '../../src/core/errors.ts';
import type { AddressPolicy } from '../../src/outbound/outbound.ts';

export const STRICT: AddressPolicy = { allowPrivate: [], isLoopbackAllowed: false };
export const LOCAL: AddressPolicy = { allowPrivate: [], isLoopbackAllowed: true };

export interface Server {
  readonly port: number;
  readonly url: string;
  /** The total number of connections, and the open ones. */
  connections(): number;
  open(): number;
  /** Ends the open connections, but not the server. */
  hangUp(): void;
  close(): Promise<void>;
}

/** A server on loopback. */
export async function serve(
  listener: RequestListener,
  options: { readonly tls?: { readonly key: string; readonly cert: string }; readonly host?: string } = {},
): Promise<Server> {
  const { tls, host = '127.0.0.1' } = options;
  const server = tls ? createSecure({ ...tls }, listener) : createServer(listener);
  server.keepAliveTimeout = 60_000;
  const sockets = new Set<Socket>();
  const seen = { connections: 0 };
  server.on('connection', (socket: Socket) => {
    seen.connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    connections: () => seen.connections,
    open: () => sockets.size,
    hangUp() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The error of a failed call. */
export async function fails(promise: Promise<unknown>): Promise<TreadleError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof TreadleError) return error;
    throw error;
  }
  throw new Error('It should have failed.');
}
