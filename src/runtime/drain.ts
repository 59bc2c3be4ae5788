import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Clock } from '../core/clock.ts';

export interface DrainOptions {
  readonly server: Server;
  readonly clock: Clock;
  /** Milliseconds that idle connections stay open, for a request that is on its way. */
  readonly idleMs: number;
}

/** How often connections that became idle are looked for. */
const SWEEP_MS = 25;

/**
 * Ends a server without a reset. The listener closes first. Connections that are used get `Connection: close` with their next answer (the
 * dispatch writes it) and end with that. An idle one is closed only after a pause in which nothing arrived: a request that
 * meets the close of its connection is lost, and the client cannot tell whether it was carried out.
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

  /** Resolves once every connection has ended; those that are left after `graceMs` are cut. */
  async end(graceMs: number): Promise<void> {
    const { server, clock, idleMs } = this.#options;
    // Of http's own, this would close idle connections at once.
    if (server.listening) NetServer.prototype.close.call(server);
    const cancels = { sweep: (): void => {}, grace: clock.after(graceMs, () => this.cut()) };
    // What has arrived is read before the look: its connection is not idle.
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
    // Ends the watch for slow headers; there is nothing left to close.
    server.close();
  }

  /** Ends every connection at once. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
