import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../core/clock.ts';
import { Pipeline, type Take } from './pipeline.ts';

export interface ConnectionsOptions {
  readonly clock: Clock;
  /** Connections at most. */
  readonly most: number;
  /** Answers a request. */
  readonly take: Take;
}

/** One connection and what it is used for. */
interface Connection {
  readonly socket: Socket;
  /** Number of the look around at which it came. */
  readonly since: number;
  /** Counts up with each request of the server: who has the least was used longest ago. */
  used: number;
  hasAsked: boolean;
  /** The answer under way, or the last one. */
  current: ServerResponse | undefined;
  /** Requests that came before the one before them was answered. */
  pipeline: Pipeline | undefined;
}

/** Figures of the connections, for operators; `closed` and `refused` count since the start. */
export interface ConnectionFigures {
  readonly open: number;
  readonly most: number;
  /** Closed since they sent nothing, read nothing, or were idle when another one needed room. */
  readonly closed: number;
  /** Not taken, since all others were busy. */
  readonly refused: number;
}

const LOOK_MS = 500;
/** Milliseconds until a connection must have sent something, and until it must have sent the headers of a request. */
const SILENT_MS = 10_000;
const REQUEST_MS = 20_000;
/** Milliseconds without a byte read of an answer. Node tells of them after these or, if some were read before, twice these. */
const UNREAD_MS = 10_000;
/** Bytes of answers that wait in memory for all clients together; those who read least are closed. */
const UNREAD_BYTES = 67_108_864;

const REFUSAL = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/**
 * The connections of a server: how many there are, how many requests each has under way, and which are closed since they
 * only hold on.
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

  /** Watches a server from now on. */
  watch(server: Server): void {
    // Where connections come faster than others can be closed.
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
      hasAsked: false,
      current: undefined,
      pipeline: undefined,
    });
    socket.once('close', () => {
      this.#all.get(socket)?.pipeline?.drop();
      this.#all.delete(socket);
    });
    if (!this.#isLooking) this.#lookLater();
  }

  /** Closes the oldest connection that never sent a request, else the one that was idle longest; false where all are busy. */
  #makeRoom(): boolean {
    let least: Connection | undefined;
    for (const connection of this.#all.values()) {
      if (!isIdle(connection) || (least !== undefined && connection.used >= least.used)) continue;
      least = connection;
      if (!connection.hasAsked) break;
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

  /** Answers a request, or keeps it until those before it on its connection are answered. */
  take(req: IncomingMessage, res: ServerResponse): void {
    const connection = this.#all.get(req.socket);
    // It is being closed: nobody reads this answer.
    if (req.socket.writableEnded) return;
    if (connection === undefined) {
      this.#options.take(req, res);
      return;
    }
    this.#count.used += 1;
    connection.used = this.#count.used;
    connection.hasAsked = true;
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

  /** Node tells of a socket that was still for as long as it may be: one that was kept alive, or one that does not read. */
  #timeout(socket: Socket): void {
    const connection = this.#all.get(socket);
    if (connection === undefined || isIdle(connection)) socket.destroy();
    else if (socket.writableLength > 0) this.#close(connection);
    // Its handler is at work: the handler has a limit of its own.
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
      // From here on Node watches whether it reads; the next request ends that.
      if (unsent > 0 && socket.timeout !== UNREAD_MS) socket.setTimeout(UNREAD_MS);
    }
    if (bytes > UNREAD_BYTES) this.#closeUnread(bytes);
    this.#isLooking = false;
    if (this.#all.size > 0) this.#lookLater();
  }

  #isSilent({ socket, hasAsked, since }: Connection): boolean {
    const limit = socket.bytesRead === 0 ? SILENT_MS : REQUEST_MS;
    return !hasAsked && (this.#looks - since) * LOOK_MS > limit;
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

/** Bytes of answers that are made and not sent. */
const countUnsent = ({ socket, pipeline }: Connection): number => pipeline?.unsentBytes ?? socket.writableLength;

function isIdle({ current, pipeline }: Connection): boolean {
  return pipeline === undefined && (current === undefined || current.writableFinished);
}
