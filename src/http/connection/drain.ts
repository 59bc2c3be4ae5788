import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Clock } from '../../core/clock.ts';

export interface DrainOptions {
  readonly server: Server;
  readonly clock: Clock;
  /** Milliseconds that idle connections stay open, for requests in transit. */
  readonly idleMs: number;
}

/** Interval of the check for idle connections. */
const SWEEP_MS = 25;

/**
 * Closes a server without resetting connections. The listener closes first. A connection in use gets `Connection:
 * close` with its next answer (the dispatch writes it) and ends after it. An idle one is closed only after a pause
 * without traffic: a request that meets the closing of its connection is lost, and the client cannot tell whether it
 * was processed.
 */
export class Drain {
  readonly #options: DrainOptions;
  readonly #sockets = new Set<Socket>();
  #ended: (() => void) | undefined;

  constructor(options: DrainOptions) {
    this.#options = options;
    options.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        if (this.#sockets.size === 0) this.#ended?.();
      });
    });
  }

  /** Resolves when every connection has ended. Connections that are left after `graceMs` are destroyed. */
  async end(graceMs: number): Promise<void> {
    const { server, clock, idleMs } = this.#options;
    // `close` of http.Server would also close idle connections at once.
    if (server.listening) NetServer.prototype.close.call(server);
    const cancels = { sweep: (): void => {}, grace: clock.after(graceMs, () => this.cut()) };
    // Reads what has arrived first: a connection with a pending request is not idle.
    const sweep = (): void =>
      void setImmediate(() => {
        server.closeIdleConnections();
        cancels.sweep = clock.after(SWEEP_MS, sweep);
      });
    if (this.#sockets.size > 0) {
      const ended = new Promise<void>((resolve) => {
        this.#ended = resolve;
      });
      if (idleMs === 0) sweep();
      else cancels.sweep = clock.after(idleMs, sweep);
      await ended;
    }
    cancels.grace();
    cancels.sweep();
    // Stops the timer for slow headers; no connection is left to close.
    server.close();
  }

  /** Destroys every connection at once. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
