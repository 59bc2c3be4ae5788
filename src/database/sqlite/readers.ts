import { availableParallelism } from 'node:os';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log/log.ts';
import { Admission, type PendingRead, type ReadFigures } from '../load/admission.ts';
import type { SlowReads } from '../load/slow-reads.ts';
import { countRows } from '../row-statement.ts';
import type { Connection, Operation } from './connection.ts';
import { toTreadleError } from './sqlite-error.ts';

/** A reading statement, and the connection that it runs on. */
export interface ReadOperation extends Omit<Operation, 'done'>, PendingRead {
  done: Operation['done'];
  connection: Connection | undefined;
}

export interface ReadersOptions {
  readonly open: () => Promise<Connection>;
  /** Maximum connections. */
  readonly limit: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds that a read of a request may wait, and then run. */
  readonly readMilliseconds: () => number;
  readonly slow: SlowReads;
}

/** Reads by a key that run at once, on any connections that have prepared them. */
const MOST_SHARED = 16;

/** Reading connections, opened on demand, and the control of which reads run. */
export class Readers {
  readonly #options: ReadersOptions;
  readonly #admission: Admission<ReadOperation>;
  readonly #all: Connection[] = [];
  readonly #idle: Connection[] = [];
  /** Admitted reads that wait for a connection to be opened. */
  readonly #queue: ReadOperation[] = [];
  #opening = 0;
  #drained: (() => void) | undefined;

  constructor(options: ReadersOptions) {
    const { clock, log, limit, slow } = options;
    this.#options = options;
    this.#admission = new Admission({
      clock,
      log,
      slow,
      slots: limit,
      // Each scan uses a processor; one connection stays free for other reads.
      costlySlots: Math.max(1, Math.min(limit - 1, availableParallelism())),
      shared: MOST_SHARED,
      limit: options.readMilliseconds,
      begin: (read) => this.#begin(read),
      refuse: (read) => read.done(toTreadleError(read.ended), [], undefined),
      cancel: ({ connection }) => connection?.interrupt(),
    });
  }

  /** Number of open connections. */
  get size(): number {
    return this.#all.length;
  }

  /** Number of running statements. */
  get busy(): number {
    return this.#admission.figures.running;
  }

  /** @see Connection.planAgain */
  planAgain(): void {
    for (const connection of this.#all) connection.planAgain();
  }

  /** Number of waiting statements. */
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
    const connection = (read.isShared === true ? this.#findShared(read.sql) : undefined) ?? this.#take(read.sql);
    if (connection !== undefined) {
      this.#run(connection, read);
      return;
    }
    this.#queue.push(read);
    if (this.#all.length + this.#opening < this.#options.limit && this.#opening < this.#queue.length) void this.#add();
  }

  /** An idle connection, preferably one that has prepared this statement: preparing takes longer than most reads. */
  #take(sql: string): Connection | undefined {
    const at = this.#idle.findLastIndex((connection) => connection.hasPrepared(sql));
    return at < 0 ? this.#idle.pop() : this.#idle.splice(at, 1)[0];
  }

  /** A connection that runs shared reads, unless others wait for one that is idle. */
  #findShared(sql: string): Connection | undefined {
    return this.#queue.length > 0 ? undefined : this.#all.find((connection) => connection.canJoin(sql));
  }

  #run(connection: Connection, read: ReadOperation): void {
    read.connection = connection;
    connection.execute(read);
  }

  async #add(): Promise<void> {
    this.#opening += 1;
    try {
      const connection = await this.#options.open();
      connection.onEnd = (last, isIdle) => {
        // A reading connection runs nothing else.
        const read = last as ReadOperation;
        if (isIdle) this.#next(connection, read);
        else this.#leave(read);
      };
      this.#all.push(connection);
      this.#opening -= 1;
      this.#next(connection);
    } catch (error) {
      this.#opening -= 1;
      // Open connections will serve the queue; without any, nothing would.
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
    for (let more = this.#queue[0]; more?.isShared === true && connection.canJoin(more.sql); more = this.#queue[0]) {
      this.#queue.shift();
      this.#run(connection, more);
    }
    if (last !== undefined) this.#leave(last);
    if (this.#idle.length > 0) this.#drained?.();
  }

  #leave(read: ReadOperation): void {
    read.connection = undefined;
    const took = this.#admission.leave(read);
    if (took > 0) this.#tell(read, took);
  }

  /** Tells of a slow read once its rows are known: right before its caller gets them. */
  #tell(read: ReadOperation, took: number): void {
    const { done } = read;
    read.done = (error, rows, changes, rawError) => {
      this.#options.slow.tell(read, took, error === null ? countRows(rows) : undefined);
      done(error, rows, changes, rawError);
    };
  }

  /** Waits for running statements, then closes. */
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
