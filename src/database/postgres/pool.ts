import type { ClientBase, Pool } from 'pg';
import type { Clock } from '../../core/clock.ts';
import type { TreadleError } from '../../core/errors.ts';
import { busyError, closedError } from '../database-error.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import type { Hosts } from './hosts.ts';
import { type Answer, Liveness } from './liveness.ts';
import { isFull, isLate, isLost, isMoved, silentError, toTreadleError, unreachableError } from './postgres-error.ts';

/** Milliseconds to wait for a connection of the pool. */
const WAIT_MILLISECONDS = 5000;
/** Milliseconds before asking a full server for another connection. */
const FULL_MILLISECONDS = 1000;
/** Minimum milliseconds between two replacements of all connections. */
const MOVED_MILLISECONDS = 1000;
/** Milliseconds that connections have to end when the pool is closed. */
const GOODBYE_MILLISECONDS = 1000;

interface Waiter {
  readonly grant: () => void;
  readonly refuse: (error: TreadleError) => void;
}

/** A connection in use. */
export interface Lease {
  readonly connection: Connection;
  /** Returns it to the pool; `isBroken` closes it. */
  release(isBroken?: boolean): void;
}

export interface PoolOptions extends ConnectionOptions {
  readonly clock: Clock;
  /** Maximum connections. */
  readonly size: number;
  readonly hosts: Hosts;
  /** Pings the server on a separate connection. */
  readonly ping: () => Promise<Answer>;
  /** Ends every connection at once, including those being opened. */
  readonly destroyAll: (error: Error) => void;
}

/** Lends connections in the order of the requests. */
export class ConnectionPool {
  readonly #pool: Pool;
  readonly #options: PoolOptions;
  /** Each connection with the number of replacements at its creation. */
  readonly #connections = new WeakMap<ClientBase, { readonly connection: Connection; readonly generation: number }>();
  readonly #lent = new Set<Connection>();
  readonly #silence: Liveness;
  readonly #waiting: Waiter[] = [];
  #free: number;
  #generation = 0;
  #movedAt = 0;
  #isClosed = false;

  constructor(pool: Pool, options: PoolOptions) {
    this.#pool = pool;
    this.#options = options;
    this.#free = options.size;
    const { clock, ping } = options;
    this.#silence = new Liveness({ clock, ping, pending: this.#lent, silent: this.#silent, answering: nothing });
    // The pool itself removes a connection that ends while idle.
    pool.on('error', nothing);
    // If one ends while in use, its current or next statement fails.
    pool.on('connect', (client) => client.on('error', nothing));
  }

  /** Connections in use. */
  get busy(): number {
    return this.#options.size - this.#free;
  }

  /** Maximum connections. */
  get size(): number {
    return this.#options.size;
  }

  /** Number of callers that wait for a connection. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * @throws DATABASE_BUSY if all stay in use for 5 s. @throws DATABASE_UNREACHABLE within 2 s, or at once if
   * the server is known not to respond.
   */
  async take(until = this.#options.clock.now() + WAIT_MILLISECONDS): Promise<Lease> {
    if (this.#isClosed) throw closedError();
    if (this.#silence.isSilent) throw unreachableError(silentError());
    await this.#enter();
    try {
      return await this.#lend();
    } catch (error) {
      if (isFull(error) && this.#pool.totalCount > 0 && this.#options.clock.now() < until) {
        // Others use up the server's connections: retry with fewer, and allow one more after a while.
        this.#options.clock.after(FULL_MILLISECONDS, () => this.#leave());
        return this.take(until);
      }
      this.#leave();
      this.#options.hosts.forget();
      if (isLate(error)) this.#silence.suspect();
      throw toTreadleError(error);
    }
  }

  async #lend(): Promise<Lease> {
    const search = this.#options.hosts.find();
    if (search !== undefined) await search;
    const client = await this.#pool.connect();
    const known = this.#connections.get(client);
    if (known !== undefined && known.generation !== this.#generation) {
      client.release(true);
      return this.#lend();
    }
    const kept = known ?? { connection: this.#createConnection(client), generation: this.#generation };
    this.#connections.set(client, kept);
    const { connection } = kept;
    const release = (isBroken = false): void => {
      this.#lent.delete(connection);
      client.release(isBroken || connection.isDoomed);
      this.#leave();
    };
    this.#lent.add(connection);
    this.#silence.watch();
    return { connection, release };
  }

  #createConnection(client: ClientBase): Connection {
    return new Connection(client, {
      ...this.#options,
      received: () => this.#silence.received(),
      failed: (error) => this.#judge(error),
    });
  }

  /** The server shut down or became a standby: its connections are useless. */
  #judge(error: unknown): void {
    if (isMoved(error)) this.leaveServer();
    else if (isLost(error)) this.#options.hosts.forget();
  }

  /** Replaces every connection before its next use, at most once a second, and chooses the server again. */
  leaveServer(): void {
    this.#options.hosts.forget();
    const age = this.#options.clock.now() - this.#movedAt;
    if (age >= 0 && age < MOVED_MILLISECONDS) return;
    this.#movedAt = this.#options.clock.now();
    this.renew();
  }

  readonly #silent = (): void => {
    const error = silentError();
    this.#options.hosts.forget();
    this.renew();
    for (const { refuse } of this.#waiting.splice(0)) refuse(unreachableError(error));
    this.#options.destroyAll(error);
  };

  /** Replaces every connection before its next use: its prepared statements refer to changed tables. */
  renew(): void {
    this.#generation += 1;
  }

  #enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const cancel = this.#options.clock.after(WAIT_MILLISECONDS, () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(busyError());
      });
      const waiter: Waiter = {
        grant() {
          cancel();
          resolve();
        },
        refuse(error) {
          cancel();
          reject(error);
        },
      };
      this.#waiting.push(waiter);
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.grant();
  }

  /**
   * Closes idle connections at once, the others when they are returned. Does not wait for a server that does
   * not respond.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#silence.close();
    for (const { refuse } of this.#waiting.splice(0)) refuse(closedError());
    const timer = setTimeout(() => this.#options.destroyAll(silentError()), GOODBYE_MILLISECONDS);
    await this.#pool.end();
    clearTimeout(timer);
  }
}

function nothing(): void {}
