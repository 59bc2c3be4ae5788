import type { ClientBase, Pool } from 'pg';
import type { Clock } from '../../core/clock.ts';
import type { TreadleError } from '../../core/errors.ts';
import { busyError, closedError } from '../fault.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { isFull, isLate, isLost, isMoved, silentFault, toTreadleError, unreachableError } from './fault.ts';
import type { Hosts } from './hosts.ts';
import { type Answer, Silence } from './silence.ts';

/** Milliseconds until a connection of the pool must be had. */
const WAIT_MILLISECONDS = 5000;
/** Milliseconds until a server that has no connection left is asked for one more. */
const FULL_MILLISECONDS = 1000;
/** Milliseconds between two replacements of all connections. */
const MOVED_MILLISECONDS = 1000;
/** Milliseconds that connections have to say goodbye when the pool is closed. */
const GOODBYE_MILLISECONDS = 1000;

interface Waiter {
  readonly grant: () => void;
  readonly refuse: (error: TreadleError) => void;
}

/** A connection while somebody has it. */
export interface Lease {
  readonly connection: Connection;
  /** Gives it back; `isBroken` closes it. */
  release(isBroken?: boolean): void;
}

export interface PoolOptions extends ConnectionOptions {
  readonly clock: Clock;
  /** Connections at most. */
  readonly size: number;
  readonly hosts: Hosts;
  /** Asks the server on a connection of its own. */
  readonly ping: () => Promise<Answer>;
  /** Ends every connection at once, also those that are being made. */
  readonly destroyAll: (error: Error) => void;
}

/** Connections that are lent out, in the order in which they were asked for. */
export class ConnectionPool {
  readonly #pool: Pool;
  readonly #options: PoolOptions;
  /** Each with the number of replacements when it was made. */
  readonly #connections = new WeakMap<ClientBase, { readonly connection: Connection; readonly generation: number }>();
  readonly #lent = new Set<Connection>();
  readonly #silence: Silence;
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
    this.#silence = new Silence({ clock, ping, pending: this.#lent, silent: this.#silent, answering: nothing });
    // A connection that ends while nobody has it is taken out by the pool itself.
    pool.on('error', nothing);
    // One that ends while somebody has it: the statement under way fails, or the next one does.
    pool.on('connect', (client) => client.on('error', nothing));
  }

  /** Connections that are lent out. */
  get busy(): number {
    return this.#options.size - this.#free;
  }

  /** Connections at most. */
  get size(): number {
    return this.#options.size;
  }

  /** Those who wait for a connection. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * @throws DATABASE_BUSY where all are taken for 5 s. @throws DATABASE_UNREACHABLE within 2 s; at once while the server is
   * known to be silent.
   */
  async take(until = this.#options.clock.now() + WAIT_MILLISECONDS): Promise<Lease> {
    if (this.#isClosed) throw closedError();
    if (this.#silence.isSilent) throw unreachableError(silentFault());
    await this.#enter();
    try {
      return await this.#lend();
    } catch (fault) {
      if (isFull(fault) && this.#pool.totalCount > 0 && this.#options.clock.now() < until) {
        // Others have the server's connections: one of ours will do. The place is back when there may be one more.
        this.#options.clock.after(FULL_MILLISECONDS, () => this.#leave());
        return this.take(until);
      }
      this.#leave();
      this.#options.hosts.forget();
      if (isLate(fault)) this.#silence.suspect();
      throw toTreadleError(fault);
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
      heard: () => this.#silence.heard(),
      failed: (fault) => this.#judge(fault),
    });
  }

  /** A server that shut down, or that became a standby: what is connected to it is of no more use. */
  #judge(fault: unknown): void {
    if (isMoved(fault)) this.leaveServer();
    else if (isLost(fault)) this.#options.hosts.forget();
  }

  /** Replaces every connection before it is lent again, once a second at most, and looks for the server to use. */
  leaveServer(): void {
    this.#options.hosts.forget();
    const age = this.#options.clock.now() - this.#movedAt;
    if (age >= 0 && age < MOVED_MILLISECONDS) return;
    this.#movedAt = this.#options.clock.now();
    this.renew();
  }

  readonly #silent = (): void => {
    const fault = silentFault();
    this.#options.hosts.forget();
    this.renew();
    for (const { refuse } of this.#waiting.splice(0)) refuse(unreachableError(fault));
    this.#options.destroyAll(fault);
  };

  /** Replaces every connection before it is lent again: what it prepared is about tables that changed. */
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

  /** Closes what is idle, and the rest when it comes back; a server that does not answer is not waited for. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#silence.close();
    for (const { refuse } of this.#waiting.splice(0)) refuse(closedError());
    const timer = setTimeout(() => this.#options.destroyAll(silentFault()), GOODBYE_MILLISECONDS);
    await this.#pool.end();
    clearTimeout(timer);
  }
}

function nothing(): void {}
