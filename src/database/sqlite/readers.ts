import { availableParallelism } from 'node:os';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { Admission, type Read, type ReadFigures } from '../admission.ts';
import type { Connection, Operation } from './connection.ts';
import { toTreadleError } from './fault.ts';

/** A statement that reads, and the connection that it runs on. */
export interface ReadOperation extends Operation, Read {
  connection: Connection | undefined;
}

export interface ReadersOptions {
  readonly open: () => Promise<Connection>;
  /** Connections at most. */
  readonly limit: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds that a read of a request may wait, and then run. */
  readonly readMilliseconds: () => number;
}

/** Connections that read, opened when they are first needed, and the admission before them. */
export class Readers {
  readonly #options: ReadersOptions;
  readonly #admission: Admission<ReadOperation>;
  readonly #all: Connection[] = [];
  readonly #idle: Connection[] = [];
  /** Admitted, and waiting for a connection to be opened. */
  readonly #queue: ReadOperation[] = [];
  #opening = 0;
  #drained: (() => void) | undefined;

  constructor(options: ReadersOptions) {
    const { clock, log, limit } = options;
    this.#options = options;
    this.#admission = new Admission({
      clock,
      log,
      slots: limit,
      // Those that scan take a processor each; one connection stays for those that do not.
      costlySlots: Math.max(1, Math.min(limit - 1, availableParallelism())),
      limit: options.readMilliseconds,
      begin: (read) => this.#begin(read),
      refuse: (read) => read.done(toTreadleError(read.ended), [], undefined),
      cancel: ({ connection }) => connection?.interrupt(),
    });
  }

  /** Connections open now. */
  get size(): number {
    return this.#all.length;
  }

  /** Statements that run now. */
  get busy(): number {
    return this.#admission.figures.running;
  }

  /** Statements that wait for their turn. */
  get waiting(): number {
    return this.#admission.figures.waiting;
  }

  get figures(): ReadFigures {
    return this.#admission.figures;
  }

  execute(read: ReadOperation): void {
    this.#admission.enter(read);
  }

  #begin(read: ReadOperation): void {
    const connection = this.#idle.pop();
    if (connection !== undefined) {
      this.#run(connection, read);
      return;
    }
    this.#queue.push(read);
    if (this.#all.length + this.#opening < this.#options.limit && this.#opening < this.#queue.length) void this.#add();
  }

  #run(connection: Connection, read: ReadOperation): void {
    read.connection = connection;
    connection.execute(read);
  }

  async #add(): Promise<void> {
    this.#opening += 1;
    try {
      const connection = await this.#options.open();
      connection.onIdle = (last) => this.#next(connection, last as ReadOperation);
      this.#all.push(connection);
      this.#opening -= 1;
      this.#next(connection);
    } catch (error) {
      this.#opening -= 1;
      // Those that are open will serve the queue; without any, nobody would.
      if (this.#all.length > 0 || this.#opening > 0) return;
      for (const read of this.#queue.splice(0)) {
        this.#admission.leave(read);
        read.done(toTreadleError(error), [], undefined);
      }
      this.#drained?.();
    }
  }

  #next(connection: Connection, last?: ReadOperation): void {
    const read = this.#queue.shift();
    if (read === undefined) this.#idle.push(connection);
    else this.#run(connection, read);
    if (last !== undefined) {
      last.connection = undefined;
      this.#admission.leave(last);
    }
    if (this.#idle.length > 0) this.#drained?.();
  }

  /** Waits for what is under way, then closes. */
  async close(): Promise<void> {
    const isDrained = (): boolean => this.#idle.length === this.#all.length && this.#opening === 0;
    while (!isDrained()) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    this.#idle.length = 0;
    await Promise.all(this.#all.splice(0).map((connection) => connection.close()));
  }
}
