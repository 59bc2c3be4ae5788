import type { ClientBase, Pool } from 'pg';
import type { Clock } from '../../core/clock.ts';
import type { TreadleError } from '../../core/errors.ts';
import { busyError, closedError } from '../fault.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { toTreadleError } from './fault.ts';

/** Milliseconds until a connection of the pool must be had. */
const WAIT_MILLISECONDS = 5000;

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
}

/** Connections that are lent out, in the order in which they were asked for. */
export class ConnectionPool {
  readonly #pool: Pool;
  readonly #options: PoolOptions;
  /** Each with the number of structure changes that its prepared statements know. */
  readonly #connections = new WeakMap<ClientBase, { readonly connection: Connection; readonly generation: number }>();
  readonly #waiting: Waiter[] = [];
  #free: number;
  #generation = 0;
  #isClosed = false;

  constructor(pool: Pool, options: PoolOptions) {
    this.#pool = pool;
    this.#options = options;
    this.#free = options.size;
    // A connection that ends while nobody has it is taken out by the pool itself.
    pool.on('error', nothing);
    // One that ends while somebody has it: the statement under way fails, or the next one does.
    pool.on('connect', (client) => client.on('error', nothing));
  }

  /** @throws DATABASE_BUSY where all are taken for 5 s. @throws DATABASE_UNREACHABLE within 2 s. */
  async take(): Promise<Lease> {
    if (this.#isClosed) throw closedError();
    await this.#enter();
    try {
      return await this.#lend();
    } catch (fault) {
      this.#leave();
      throw toTreadleError(fault);
    }
  }

  async #lend(): Promise<Lease> {
    const client = await this.#pool.connect();
    const known = this.#connections.get(client);
    if (known !== undefined && known.generation !== this.#generation) {
      client.release(true);
      return this.#lend();
    }
    const kept = known ?? { connection: new Connection(client, this.#options), generation: this.#generation };
    this.#connections.set(client, kept);
    const release = (isBroken = false): void => {
      client.release(isBroken);
      this.#leave();
    };
    return { connection: kept.connection, release };
  }

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

  /** Closes what is idle, and the rest when it comes back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(closedError());
    await this.#pool.end();
  }
}

function nothing(): void {}
