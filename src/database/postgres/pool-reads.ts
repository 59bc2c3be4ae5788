import type { CompiledQuery } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log/log.ts';
import { currentScope } from '../../core/scope.ts';
import { Admission, type PendingRead, type ReadFigures } from '../load/admission.ts';
import type { ReadCost } from '../load/read-cost.ts';
import type { SlowReads } from '../load/slow-reads.ts';
import type { Result } from './connection.ts';
import type { Lease } from './pool.ts';

/** A reading statement, with the connection that it runs on. */
export interface PoolRead extends PendingRead {
  lease: Lease | undefined;
  /** Its cancellation, which must end before the connection is used by others. */
  cancelling: Promise<void> | undefined;
  readonly begin: () => void;
  readonly refuse: () => void;
}

export interface PoolReadsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Connections of the pool. */
  readonly size: number;
  /** Milliseconds that a read of a request may wait, and then run. */
  readonly readMilliseconds: () => number;
  /** Cancels a backend's statement over another connection. */
  readonly cancel: (pid: number) => Promise<void>;
  /** Runs the statement; sets its connection, and returns it with {@link giveBack}. */
  readonly run: (query: CompiledQuery, parameters: readonly unknown[], read: PoolRead) => Promise<Result>;
  readonly slow: SlowReads;
}

/** Controls which single reading statements run on a pool. */
export class PoolReads {
  readonly #options: PoolReadsOptions;
  readonly #admission: Admission<PoolRead>;

  constructor(options: PoolReadsOptions) {
    const { clock, log, size, readMilliseconds, slow } = options;
    this.#options = options;
    this.#admission = new Admission({
      clock,
      log,
      slow,
      slots: size,
      // The other connections are for cheap reads and for writes.
      costlySlots: Math.max(1, Math.floor(size / 2)),
      limit: readMilliseconds,
      begin: ({ begin }) => begin(),
      refuse: ({ refuse }) => refuse(),
      cancel: (read) => this.#cancel(read),
    });
  }

  get figures(): ReadFigures {
    return this.#admission.figures;
  }

  run(query: CompiledQuery, parameters: readonly unknown[], about: ReadCost): Promise<Result> {
    return new Promise((resolve, reject) => {
      const read: PoolRead = {
        sql: query.sql,
        parameters,
        about,
        caller: currentScope.getStore()?.caller,
        cost: 0,
        known: undefined,
        rank: 0,
        begunAt: 0,
        since: 0,
        ended: undefined,
        lease: undefined,
        cancelling: undefined,
        refuse: () => reject(read.ended),
        begin: () => {
          this.#options.run(query, parameters, read).then(
            (result) => {
              this.#leave(read, result.rows.length);
              resolve(result);
            },
            (error: unknown) => {
              this.#leave(read);
              reject(read.ended ?? error);
            },
          );
        },
      };
      this.#admission.enter(read);
    });
  }

  #leave(read: PoolRead, rows?: number): void {
    const took = this.#admission.leave(read);
    if (took > 0) this.#options.slow.tell(read, took, rows);
  }

  #cancel(read: PoolRead): void {
    const pid = read.lease?.connection.pid;
    if (pid === undefined || read.cancelling !== undefined) return;
    read.cancelling = this.#options.cancel(pid).finally(() => {
      read.cancelling = undefined;
    });
  }
}

/**
 * Returns a connection to the pool. Closes it if a running cancellation might hit a later statement. Gives a
 * promise if there is something to wait for.
 */
export function giveBack(lease: Lease, read: PoolRead | undefined, isBroken = false): Promise<void> | undefined {
  if (read !== undefined) read.lease = undefined;
  if (read?.cancelling === undefined) {
    lease.release(isBroken);
    return undefined;
  }
  return read.cancelling.finally(() => lease.release(true));
}
