import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import process from 'node:process';
import polka from 'polka';
import type { Clock } from '../core/clock.ts';
import { isTrusting, type TrustedProxies } from '../model/trusted-proxies.ts';
import { type ConnectionFigures, Connections } from './connection/connections.ts';
import { Drain } from './connection/drain.ts';
import { DEFAULT_HOST, type ListenAddress, listenOn } from './connection/listen.ts';
import type { Lifecycle } from './exchange.ts';
import type { Handle } from './handle.ts';

/** Number of files, including sockets, that this process may open; undefined if the system does not say. */
function readDescriptorLimit(): number | undefined {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return readReportedLimit();
  }
}

/** For systems without /proc. */
function readReportedLimit(): number | undefined {
  const { report } = process;
  if (report === undefined) return undefined;
  // Without this, the report looks up every address in the DNS.
  Object.assign(report, { excludeNetwork: true });
  const { userLimits }: { userLimits?: { open_files?: { soft?: unknown } } } = report.getReport();
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isInteger(soft) && soft > 0 ? soft : undefined;
}

/** File descriptors reserved for the database, files and web hooks: a quarter, from 32 to 256. */
const toReserve = (descriptors: number): number => Math.min(256, Math.max(32, Math.floor(descriptors / 4)));

const LEAST = 8;

/** Maximum number of connections: as many as wanted, limited by the file descriptors. */
export function toMostConnections(wanted: number, descriptors: number | undefined): number {
  if (descriptors === undefined) return wanted;
  return Math.min(wanted, Math.max(LEAST, descriptors - toReserve(descriptors)));
}

export interface ServerOptions {
  readonly dispatch: Handle;
  readonly clock: Clock;
  /** Shared with the dispatch. */
  readonly lifecycle: Lifecycle;
  /** Maximum number of connections; fewer if the process may open fewer files. Default 4096. */
  readonly connections?: number;
  /** Behind a proxy idle connections are kept 65 s, longer than proxies keep theirs; otherwise 5 s. */
  readonly trustProxy?: TrustedProxies;
  /** Maximum requests per connection; 0, the default, means no limit. */
  readonly maxRequestsPerSocket?: number;
  /** Milliseconds that an idle connection stays open during shutdown, for a request in transit. Default 0. */
  readonly idleMs?: number;
  /** Called to end long-lived connections, such as live reload. */
  readonly onStopping?: () => void;
}

export interface TreadleServer {
  readonly connections: ConnectionFigures;
  /**
   * Listens and returns the URL, such as `http://127.0.0.1:3000`. Port 0 picks a free port.
   *
   * @throws SERVER_PORT_TAKEN. @throws SERVER_LISTEN_FAILED.
   */
  listen(address: ListenAddress): Promise<string>;
  /** Serves connections that another process accepted, instead of listening; returns a function that takes one. */
  attach(): (socket: Socket) => void;
  /**
   * Shuts down: accepts no more connections, closes each connection after its answer, and resolves when the requests
   * in flight have ended. After `graceMs` it destroys the rest. A second call destroys all at once.
   *
   * @param graceMs Default 8,000.
   */
  close(graceMs?: number): Promise<void>;
}

const CONNECTIONS = 4096;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const MAX_HEADERS = 100;
const GRACE_MS = 8_000;

function createHttp(options: ServerOptions): Server {
  const server = createHttpServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: isTrusting(options.trustProxy ?? false) ? 65_000 : 5_000,
    connectionsCheckingInterval: 5_000,
  });
  server.maxHeadersCount = MAX_HEADERS;
  server.maxRequestsPerSocket = options.maxRequestsPerSocket ?? 0;
  return server;
}

/** The HTTP server: polka around one handler, with limits on what a slow or greedy client can occupy. */
export function createServer(options: ServerOptions): TreadleServer {
  const { dispatch, clock, lifecycle } = options;
  const server = createHttp(options);
  const most = toMostConnections(options.connections ?? CONNECTIONS, readDescriptorLimit());
  const app = polka({
    server,
    onError: (_error, req, res) => dispatch(req, res),
    onNoMatch: (req, res) => dispatch(req, res),
  });
  const take: Handle = (req, res) => void setImmediate(app.handler as Handle, req, res);
  const connections = new Connections({ clock, most, take });
  connections.watch(server);
  // Runs first, so that a request above the connection's limit costs almost nothing.
  const serve: Handle = (req, res) => connections.take(req, res);
  // Without its own listener, Node asks each client for its body before anybody has looked at the request.
  const hear = (): void => void server.on('request', serve).on('checkContinue', serve);
  const drain = new Drain({ server, clock, idleMs: options.idleMs ?? 0 });
  const closing: { done: Promise<void> | undefined } = { done: undefined };
  const close = (graceMs: number): Promise<void> => {
    lifecycle.isStopping = true;
    options.onStopping?.();
    return drain.end(graceMs);
  };

  return {
    get connections() {
      return connections.figures;
    },
    listen(address) {
      lifecycle.host = address.host ?? DEFAULT_HOST;
      hear();
      return listenOn(server, address);
    },
    attach() {
      hear();
      // On this event Node starts its timer for slow headers.
      server.emit('listening');
      return (socket) => {
        // As Node does for connections it accepts itself: a client that has finished sending can still read its
        // answer.
        socket.allowHalfOpen = true;
        socket.setNoDelay(true);
        server.emit('connection', socket);
      };
    },
    close(graceMs = GRACE_MS) {
      if (closing.done) drain.cut();
      closing.done ??= close(graceMs);
      return closing.done;
    },
  };
}
