import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import { Pipeline, type RequestTaker } from './pipeline.ts';

export interface ConnectionsOptions {
  readonly clock: Clock;
  /** Maximum number of connections. */
  readonly most: number;
  /** Answers a request. */
  readonly take: RequestTaker;
}

/** One connection with its state. */
interface Connection {
  readonly socket: Socket;
  /** Number of the check at which it was opened. */
  readonly since: number;
  /** Increases with each request of the server: the lowest value was used longest ago. */
  used: number;
  hasRequested: boolean;
  /** The answer in progress, or the last one. */
  current: ServerResponse | undefined;
  /** Requests that arrived before the previous one was answered. */
  pipeline: Pipeline | undefined;
}

/** Figures of the connections, for operators; `closed` and `refused` count from the start. */
export interface ConnectionFigures {
  readonly open: number;
  readonly most: number;
  /** Closed because they sent nothing, read nothing, or were idle when another one needed the room. */
  readonly closed: number;
  /** Refused because all others were busy. */
  readonly refused: number;
}

const LOOK_MS = 500;
/**
 * Milliseconds within which a connection must send something, and within which it must send the headers of a request.
 */
const SILENT_MS = 10_000;
const REQUEST_MS = 20_000;
/**
 * Milliseconds without a byte read of an answer. Node reports it after this time or, if some bytes were read before,
 * after twice this time.
 */
const UNREAD_MS = 10_000;
/** Maximum bytes of unsent answers for all clients together; above it, the clients that read least are closed. */
const UNREAD_BYTES = 33_554_432;

const REFUSAL = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/**
 * The connections of a server: their number, their requests in progress, and which are closed because they
 * are idle or slow.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #all = new Map<Socket, Connection>();
  readonly #count = { used: 0, closed: 0, refused: 0, held: 0, ahead: 0 };
  #looks = 0;
  #isLooking = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  get figures(): ConnectionFigures {
    const { closed, refused } = this.#count;
    return { open: this.#all.size, most: this.#options.most, closed, refused };
  }

  /** Starts watching a server. */
  watch(server: Server): void {
    // A margin for connections that arrive faster than others can be closed.
    server.maxConnections = this.#options.most + 16;
    server.on('connection', (socket) => this.#open(socket));
    server.on('timeout', (socket) => this.#timeout(socket));
  }

  #open(socket: Socket): void {
    if (this.#all.size >= this.#options.most && !this.#makeRoom()) {
      this.#count.refused += 1;
      socket.end(REFUSAL, () => socket.destroySoon());
      return;
    }
    this.#all.set(socket, {
      socket,
      since: this.#looks,
      used: 0,
      hasRequested: false,
      current: undefined,
      pipeline: undefined,
    });
    socket.once('close', () => {
      this.#all.get(socket)?.pipeline?.drop();
      this.#all.delete(socket);
    });
    if (!this.#isLooking) this.#lookLater();
  }

  /**
   * Closes the oldest connection that never sent a request, or else the one that was idle longest; returns false if
   * all are busy.
   */
  #makeRoom(): boolean {
    let least: Connection | undefined;
    for (const connection of this.#all.values()) {
      if (!isIdle(connection) || (least !== undefined && connection.used >= least.used)) continue;
      least = connection;
      if (!connection.hasRequested) break;
    }
    if (least === undefined) return false;
    this.#close(least);
    return true;
  }

  #close({ socket }: Connection): void {
    this.#count.closed += 1;
    this.#all.get(socket)?.pipeline?.drop();
    this.#all.delete(socket);
    socket.destroy();
  }

  /** Answers a request, or holds it until the earlier ones on its connection are answered. */
  take(req: IncomingMessage, res: ServerResponse): void {
    const connection = this.#all.get(req.socket);
    // The connection is closing: nobody reads this answer.
    if (req.socket.writableEnded) return;
    if (connection === undefined) {
      this.#options.take(req, res);
      return;
    }
    this.#count.used += 1;
    connection.used = this.#count.used;
    connection.hasRequested = true;
    const { current } = connection;
    connection.current = res;
    if (connection.pipeline !== undefined) connection.pipeline.add(req, res);
    else if (current === undefined || current.writableFinished) this.#options.take(req, res);
    else this.#pipe(connection, current).add(req, res);
  }

  #pipe(connection: Connection, first: ServerResponse): Pipeline {
    const pipeline = new Pipeline({
      first,
      socket: connection.socket,
      take: this.#options.take,
      count: this.#count,
      over: () => {
        connection.pipeline = undefined;
      },
    });
    connection.pipeline = pipeline;
    return pipeline;
  }

  /** Node reports a socket that was silent for its timeout: a kept-alive one, or one that does not read. */
  #timeout(socket: Socket): void {
    const connection = this.#all.get(socket);
    if (connection === undefined || isIdle(connection)) socket.destroy();
    else if (socket.writableLength > 0) this.#close(connection);
    // Its handler is running, which has its own limit.
    else socket.setTimeout(0);
  }

  #lookLater(): void {
    this.#isLooking = true;
    this.#options.clock.after(LOOK_MS, () => this.#look());
  }

  #look(): void {
    this.#looks += 1;
    let bytes = 0;
    for (const connection of this.#all.values()) {
      const { socket } = connection;
      if (this.#isSilent(connection)) this.#close(connection);
      const unsent = countUnsent(connection);
      bytes += unsent;
      // From here on Node checks whether the client reads; the next request ends that.
      if (unsent > 0 && socket.timeout !== UNREAD_MS) socket.setTimeout(UNREAD_MS);
    }
    if (bytes > UNREAD_BYTES) this.#closeUnread(bytes);
    this.#isLooking = false;
    if (this.#all.size > 0) this.#lookLater();
  }

  #isSilent({ socket, hasRequested, since }: Connection): boolean {
    const limit = socket.bytesRead === 0 ? SILENT_MS : REQUEST_MS;
    return !hasRequested && (this.#looks - since) * LOOK_MS > limit;
  }

  #closeUnread(bytes: number): void {
    const unread = [...this.#all.values()].map((connection) => ({ connection, unsent: countUnsent(connection) }));
    unread.sort((a, b) => b.unsent - a.unsent);
    let left = bytes;
    for (const { connection, unsent } of unread) {
      if (left <= UNREAD_BYTES / 2) return;
      left -= unsent;
      this.#close(connection);
    }
  }
}

/** Bytes of complete but unsent answers. */
const countUnsent = ({ socket, pipeline }: Connection): number => pipeline?.unsentBytes ?? socket.writableLength;

function isIdle({ current, pipeline }: Connection): boolean {
  return pipeline === undefined && (current === undefined || current.writableFinished);
}
