import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import polka from 'polka';
import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Dispatch } from './dispatch.ts';
import type { Lifecycle } from './exchange.ts';

export interface ServerOptions {
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  /** Shared with the dispatch. */
  readonly lifecycle: Lifecycle;
  /** Behind a proxy idle connections are kept 65 s, longer than proxies keep theirs; else 5 s. */
  readonly isProxied?: boolean;
  /** Requests that one connection may carry; 0, the default, is without end. */
  readonly maxRequestsPerSocket?: number;
  /** Ends what would keep connections open, such as live reload. */
  readonly onStopping?: () => void;
}

export interface TreadleServer {
  /**
   * Listens and returns the address, such as `http://127.0.0.1:3000`. Port 0 takes a free one.
   *
   * @throws SERVER_PORT_TAKEN. @throws SERVER_LISTEN_FAILED.
   */
  listen(address: { readonly port: number; readonly host: string }): Promise<string>;
  /**
   * Stops: readiness answers 503, no connection is taken any more, requests in flight end, then it resolves. What is left
   * after `graceMs` is cut. A second call cuts at once.
   *
   * @param graceMs Default 10,000.
   */
  close(graceMs?: number): Promise<void>;
}

const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const MAX_HEADERS = 100;
const GRACE_MS = 10_000;
/** How often connections that became idle are looked for while stopping. */
const SWEEP_MS = 25;

function createHttp(options: ServerOptions): Server {
  const server = createHttpServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: options.isProxied ? 65_000 : 5_000,
    connectionsCheckingInterval: 5_000,
  });
  server.maxHeadersCount = MAX_HEADERS;
  server.maxRequestsPerSocket = options.maxRequestsPerSocket ?? 0;
  return server;
}

function toUrl(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  if (host === '0.0.0.0' || host === '::' || host === '') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function toListenError(error: NodeJS.ErrnoException, port: number): TreadleError {
  if (error.code === 'EADDRINUSE') {
    return new TreadleError('SERVER_PORT_TAKEN', `Port ${port} is in use.`, {
      hint: 'Stop what listens there, or pass --port with another one; 0 takes a free one.',
      cause: error,
    });
  }
  const hint = error.code === 'EACCES' ? 'Ports under 1024 need more rights; take another, such as 3000.' : undefined;
  const options = { cause: error, ...(hint === undefined ? {} : { hint }) };
  return new TreadleError('SERVER_LISTEN_FAILED', `Cannot listen: ${error.message}.`, options);
}

/** The HTTP server: polka around one handler, with limits on what a slow or greedy client can hold. */
export function createServer(options: ServerOptions): TreadleServer {
  const { dispatch, clock, lifecycle } = options;
  const server = createHttp(options);
  const app = polka({
    server,
    onError: (_error, req, res) => dispatch(req, res),
    onNoMatch: (req, res) => dispatch(req, res),
  });
  const closing: { done: Promise<void> | undefined } = { done: undefined };

  const close = (graceMs: number): Promise<void> => {
    lifecycle.isStopping = true;
    options.onStopping?.();
    return new Promise((resolve) => {
      const timers = { sweep: (): void => {} };
      const cancelGrace = clock.after(graceMs, () => server.closeAllConnections());
      const sweep = (): void => {
        server.closeIdleConnections();
        timers.sweep = clock.after(SWEEP_MS, sweep);
      };
      server.close(() => {
        cancelGrace();
        timers.sweep();
        resolve();
      });
      sweep();
    });
  };

  return {
    listen({ port, host }) {
      return new Promise((resolve, reject) => {
        const refuse = (error: Error): void => reject(toListenError(error, port));
        server.once('error', refuse);
        app.listen(port, host, () => {
          server.off('error', refuse);
          resolve(toUrl(server, host));
        });
      });
    },
    close(graceMs = GRACE_MS) {
      if (closing.done) server.closeAllConnections();
      closing.done ??= server.listening ? close(graceMs) : Promise.resolve();
      return closing.done;
    },
  };
}
