import type { Worker } from 'node:cluster';
import { createServer, type Server, type Socket } from 'node:net';
import { type Clock, systemClock } from '../../core/clock.ts';
import { type ListenAddress, listenOn } from '../../http/connection/listen.ts';
import type { PrimaryMessage } from './message.ts';

/** Maximum number of connections that wait for one worker; more are closed. */
const MOST_WAITING = 1024;
/** Milliseconds that connections wait for a new worker after the last one died. */
const PARK_MS = 5000;

/**
 * Accepts connections and hands them to workers in turn, first to workers without unconfirmed ones. A connection
 * belongs to this process until the worker confirms it, so connections of a worker that dies go to another one.
 * Node's own distribution loses them, and their clients wait forever.
 */
export class Balancer {
  readonly #clock: Clock;
  readonly #workers = new Map<Worker, Map<number, Socket>>();
  /** Connections without a worker. */
  readonly #parked = new Set<Socket>();
  readonly #retired = new Set<Worker>();
  #server: Server | undefined;
  #opened: Promise<string> | undefined;
  #nextId = 0;
  #settled: (() => void) | undefined;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /**
   * Starts accepting connections; concurrent calls return the same URL.
   *
   * @throws SERVER_PORT_TAKEN. @throws SERVER_LISTEN_FAILED.
   */
  open(address: ListenAddress): Promise<string> {
    if (this.#opened !== undefined) return this.#opened;
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => this.#hand(socket));
    this.#server = server;
    this.#opened = listenOn(server, address).then(
      (url) => {
        server.on('error', () => {});
        return url;
      },
      (error: unknown) => {
        this.#opened = undefined;
        throw error;
      },
    );
    return this.#opened;
  }

  /** Stops accepting connections. */
  close(): void {
    this.#server?.close();
    this.#server = undefined;
    this.#opened = undefined;
  }

  /** Adds a worker to the rotation. */
  add(worker: Worker): void {
    this.#workers.set(worker, new Map());
    const parked = [...this.#parked];
    this.#parked.clear();
    for (const socket of parked) this.#hand(socket);
  }

  /**
   * Hands this worker no more connections; it still takes those handed over. Without any worker the server accepts no
   * connections.
   */
  retire(worker: Worker): void {
    this.#retired.add(worker);
    if (this.#choose() === undefined) this.close();
  }

  /** A worker has ended: its unconfirmed connections go to others. */
  remove(worker: Worker): void {
    const waiting = this.#workers.get(worker);
    this.#workers.delete(worker);
    this.#retired.delete(worker);
    if (this.#choose() === undefined) this.close();
    for (const socket of waiting?.values() ?? []) this.#hand(socket);
    this.#tellSettled();
  }

  taken(worker: Worker, id: number): void {
    const waiting = this.#workers.get(worker);
    // The worker has its own descriptor.
    waiting?.get(id)?.destroy();
    waiting?.delete(id);
    this.#tellSettled();
  }

  /** Resolves when every connection is taken by a worker. */
  async settled(): Promise<void> {
    if (this.#isSettled()) return;
    await new Promise<void>((resolve) => {
      this.#settled = resolve;
    });
  }

  #isSettled(): boolean {
    return this.#parked.size === 0 && [...this.#workers.values()].every((waiting) => waiting.size === 0);
  }

  #tellSettled(): void {
    if (this.#settled !== undefined && this.#isSettled()) this.#settled();
  }

  #choose(): [Worker, Map<number, Socket>] | undefined {
    let found: [Worker, Map<number, Socket>] | undefined;
    for (const entry of this.#workers) {
      if (this.#retired.has(entry[0]) || !entry[0].isConnected()) continue;
      if (found === undefined || entry[1].size < found[1].size) found = entry;
    }
    return found;
  }

  #hand(socket: Socket): void {
    const chosen = this.#choose();
    if (chosen === undefined) {
      this.#park(socket);
      return;
    }
    const [worker, waiting] = chosen;
    if (waiting.size >= MOST_WAITING) {
      socket.destroy();
      return;
    }
    // Moves the worker to the end of the rotation.
    this.#workers.delete(worker);
    this.#workers.set(worker, waiting);
    const id = this.#nextId;
    this.#nextId += 1;
    waiting.set(id, socket);
    socket.on('error', () => {});
    const message: PrimaryMessage = { treadle: 'connection', id };
    // If this fails, the connection is handed over again when the worker's end is noticed.
    worker.send(message, socket, { keepOpen: true }, () => {});
  }

  #park(socket: Socket): void {
    this.#parked.add(socket);
    this.#clock.after(PARK_MS, () => {
      if (this.#parked.delete(socket)) socket.destroy();
      this.#tellSettled();
    });
  }
}
