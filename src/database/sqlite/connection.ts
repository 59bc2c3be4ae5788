import { BoundedMap } from '../../core/bounded-map.ts';
import type { Clock } from '../../core/clock.ts';
import { TreadleError, toError } from '../../core/errors.ts';
import { refusedError } from '../database-error.ts';
import type { Row } from '../row-statement.ts';
import { isSchemaChange } from '../schema-batch.ts';
import type { Binding, Changes, RawConnection, RawError, RawStatement } from './binding.ts';
import { isBusy, isDamage, toTreadleError } from './sqlite-error.ts';

/** Maximum milliseconds to wait for a lock. */
export const BUSY_DEADLINE = 5000;
/**
 * Milliseconds between tries for a lock held by another process. One retry is enough for most commits, and
 * others wait for it.
 */
const RETRY_MILLISECONDS = [1, 2, 4, 7];
const MAX_RETRY_MILLISECONDS = 10;
/** Milliseconds from which a statement runs alone, until it was quicker once. */
const SLOW_MILLISECONDS = 10;

export type Mode = 'all' | 'run' | 'exec';

/** A statement to run. `done` must not throw. */
export interface Operation {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly mode: Mode;
  /** True for the driver's own statements: only these may control transactions and settings. */
  readonly isOwn: boolean;
  /** True for a read that may run together with others of its kind. Default false. */
  readonly isShared?: boolean;
  /** Clock time until which to wait for a lock; 0 for 5 s from the first try. */
  deadline: number;
  /** Failed tries to get the lock. */
  tries?: number;
  readonly done: (error: TreadleError | null, rows: Row[], changes: Changes | undefined, rawError?: RawError) => void;
}

export interface ConnectionOptions {
  readonly binding: Binding;
  readonly clock: Clock;
  /** Cached prepared statements. Default 500. */
  readonly statements?: number;
  /** Called with each statement before it runs. For tests. */
  readonly trace?: (sql: string) => void;
  /** Called for each statement that found a damaged page. */
  readonly damaged?: (error: TreadleError) => void;
}

interface CachedStatement {
  readonly statement: RawStatement;
  readonly isOwn: boolean;
  isBound: boolean;
  /** True if its last run was quick enough to run together with others. */
  isQuick: boolean;
}

/** Statements that would end or change a transaction without the driver's knowledge, or use other files. */
const REFUSED = /^\s*(begin|commit|end|rollback|savepoint|release|attach|detach|vacuum)\b|\bor\s+rollback\b/i;

const EXPLAINS = /^\s*explain\b/i;

/** Drops the schema that the connection remembers, so that it reads it again; changes nothing in the file. */
export const PLAN_AGAIN = 'pragma writable_schema = reset';

/**
 * One connection: one statement at a time, in order; each is prepared once and cached.
 *
 * One at a time, because SQLite would block a second one inside a thread of libuv's pool. Shared reads that proved quick are
 * an exception: that thread has the next one ready, which otherwise waits for a turn of the event loop.
 */
export class Connection {
  readonly #raw: RawConnection;
  readonly #options: ConnectionOptions;
  readonly #statements: BoundedMap<CachedStatement>;
  readonly #queue: Operation[] = [];
  #current: Operation | undefined;
  #begunAt = 0;
  /** True if the next statement reads the schema again. */
  #isStale = false;
  /** Reads that run together; then there is no current operation. */
  #together = 0;
  /** Those of them whose statement is being prepared. */
  readonly #preparing = new Map<string, Operation[]>();
  readonly #dropped: RawStatement[] = [];
  /** Called when an operation ends, before its `done`. */
  onEnd: ((last: Operation, isIdle: boolean) => void) | undefined;

  constructor(raw: RawConnection, options: ConnectionOptions) {
    this.#raw = raw;
    this.#options = options;
    // While a statement runs, another thread has the connection's mutex.
    const onDrop = ({ statement }: CachedStatement): void => {
      if (this.#together > 0) this.#dropped.push(statement);
      else statement.finalize();
    };
    this.#statements = new BoundedMap(options.statements ?? 500, { onDrop });
  }

  /** Number of cached prepared statements. */
  get size(): number {
    return this.#statements.size;
  }

  hasPrepared(sql: string): boolean {
    return this.#statements.has(sql);
  }

  /** True if a shared read of this text can run together with those that run. */
  canJoin(sql: string): boolean {
    if (this.#together === 0 || this.#queue.length > 0 || this.#isStale) return false;
    return this.#statements.get(sql)?.isQuick !== false;
  }

  /**
   * SQLite reads the planner's statistics with the schema, and another connection's change of them is no change of it. From the
   * next statement on, every statement is planned with the present ones. Not for a connection that may be in a transaction.
   */
  planAgain(): void {
    this.#isStale = true;
  }

  execute(operation: Operation): void {
    if (this.#current !== undefined || this.#queue.length > 0) this.#queue.push(operation);
    else if (operation.isShared === true && !this.#isStale && this.#statements.get(operation.sql)?.isQuick !== false)
      this.#join(operation);
    else if (this.#together > 0) this.#queue.push(operation);
    else this.#start(operation);
  }

  #join(operation: Operation): void {
    const { sql } = operation;
    this.#options.trace?.(sql);
    this.#together += 1;
    const cached = this.#statements.get(sql);
    if (cached !== undefined) {
      this.#performTogether(operation, cached);
      return;
    }
    const waiting = this.#preparing.get(sql);
    if (waiting !== undefined) {
      waiting.push(operation);
      return;
    }
    const operations = [operation];
    this.#preparing.set(sql, operations);
    this.#raw.prepare(sql, (error, statement) => {
      this.#preparing.delete(sql);
      if (error || !statement) {
        for (const one of operations) this.#endTogether(one, error ?? new Error('The statement is empty.'), []);
        return;
      }
      const added: CachedStatement = { statement, isOwn: false, isBound: true, isQuick: true };
      this.#statements.set(sql, added);
      for (const one of operations) this.#performTogether(one, added);
    });
  }

  #performTogether(operation: Operation, cached: CachedStatement): void {
    const begunAt = this.#options.clock.now();
    const end = (error: RawError | null, rows: Row[] = []): void => {
      cached.isQuick = this.#options.clock.now() - begunAt < SLOW_MILLISECONDS;
      this.#endTogether(operation, error, rows);
    };
    try {
      cached.statement.all(this.#options.binding.toParameters(operation.parameters), end);
    } catch (error) {
      queueMicrotask(() => end(toError(error)));
    }
  }

  #endTogether(operation: Operation, error: RawError | null, rows: Row[]): void {
    this.#together -= 1;
    // The next try is made alone, when the others have ended.
    const isWaiting = error !== null && isBusy(error);
    if (isWaiting) this.#queue.push(operation);
    const isLast = this.#together === 0;
    if (isLast) for (const statement of this.#dropped.splice(0)) statement.finalize();
    const next = isLast ? this.#queue.shift() : undefined;
    if (next !== undefined) this.#start(next);
    if (isWaiting) return;
    this.onEnd?.(operation, isLast && next === undefined);
    this.#settle(operation, error, rows);
  }

  /** Runs one of the driver's own statements. @throws the statement's error. */
  control(sql: string, mode: Mode = 'all', deadline = 0, parameters: readonly unknown[] = []): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const done: Operation['done'] = (error, rows) => (error ? reject(error) : resolve(rows));
      this.execute({ sql, parameters, mode, isOwn: true, deadline, done });
    });
  }

  #start(operation: Operation): void {
    this.#current = operation;
    if (this.#isStale) {
      this.#isStale = false;
      // If it fails, so does the statement, or it has its former plan.
      this.#raw.exec(PLAN_AGAIN, () => this.#begin(operation));
    } else this.#begin(operation);
  }

  #begin(operation: Operation): void {
    this.#options.trace?.(operation.sql);
    if (operation.mode === 'exec') {
      this.#raw.exec(operation.sql, this.#finish);
      return;
    }
    const cached = this.#statements.get(operation.sql);
    // The driver's cached statement may be a "commit", which callers must not run.
    if (cached !== undefined && (operation.isOwn || !cached.isOwn)) this.#perform(operation, cached);
    else this.#prepare(operation, cached);
  }

  #prepare(operation: Operation, cached: CachedStatement | undefined): void {
    if (!operation.isOwn && REFUSED.test(operation.sql)) {
      this.#fail(refusedError(operation.sql));
      return;
    }
    if (cached !== undefined) {
      this.#perform(operation, cached);
      return;
    }
    // It runs once: preparing and keeping it costs more round trips.
    if (operation.parameters.length === 0 && isSchemaChange(operation.sql)) {
      this.#raw.exec(operation.sql, this.#finish);
      return;
    }
    this.#raw.prepare(operation.sql, (error, statement) => {
      if (error || !statement) {
        this.#finish(error ?? new Error('The statement is empty.'));
        return;
      }
      const added: CachedStatement = { statement, isOwn: operation.isOwn, isBound: false, isQuick: true };
      if (EXPLAINS.test(operation.sql)) this.#performOnce(operation, added);
      else {
        this.#statements.set(operation.sql, added);
        this.#perform(operation, added);
      }
    });
  }

  /**
   * The package `sqlite3` resets a statement at its next run. One that explains another keeps its transaction open until then, so
   * that a reader would show this moment for ever, and a writer could not begin.
   */
  #performOnce(operation: Operation, cached: CachedStatement): void {
    this.#perform(operation, cached, (error, rows) => {
      cached.statement.finalize();
      this.#finish(error, rows);
    });
  }

  #perform(operation: Operation, cached: CachedStatement, finish = this.#finish): void {
    try {
      const parameters = this.#options.binding.toParameters(operation.parameters);
      if (parameters.length > 0) cached.isBound = true;
      else if (cached.isBound) {
        // SQLite would run it with the previous caller's values.
        throw new TreadleError('DATABASE_PARAMETERS_MISSING', 'A query was run without its parameters.', {
          detail: { sql: operation.sql },
        });
      }
      this.#begunAt = this.#options.clock.now();
      if (operation.mode === 'all') cached.statement.all(parameters, finish);
      else cached.statement.run(parameters, this.#finishRun);
    } catch (error) {
      queueMicrotask(() => finish(toError(error)));
    }
  }

  /** Ends an operation that never reached SQLite; asynchronously, as for all others. */
  #fail(error: Error): void {
    queueMicrotask(() => this.#finish(error));
  }

  readonly #finishRun = (error: RawError | null, changes: Changes): void => this.#end(error, [], changes);
  readonly #finish = (error: RawError | null, rows: Row[] = []): void => this.#end(error, rows, undefined);

  #end(error: RawError | null, rows: Row[], changes: Changes | undefined): void {
    const operation = this.#current;
    if (operation === undefined) throw new TypeError('A statement ended twice');
    if (error !== null && isBusy(error) && this.#retry(operation)) return;
    this.#current = undefined;
    if (operation.isShared === true && error === null) this.#noteSpeed(operation);
    // The next one starts before this caller is notified, so that the thread is not idle in the meantime.
    const next = this.#queue.shift();
    if (next !== undefined) this.#start(next);
    this.onEnd?.(operation, next === undefined);
    this.#settle(operation, error, rows, changes);
  }

  #noteSpeed({ sql, parameters }: Operation): void {
    const cached = this.#statements.get(sql);
    const took = this.#options.clock.now() - this.#begunAt;
    if (cached !== undefined) cached.isQuick = parameters.length > 0 && took < SLOW_MILLISECONDS;
  }

  #settle(operation: Operation, rawError: RawError | null, rows: Row[], changes?: Changes): void {
    if (rawError === null) {
      operation.done(null, rows, changes);
      return;
    }
    const error = toTreadleError(rawError, operation.sql);
    if (isDamage(error)) this.#options.damaged?.(error);
    operation.done(error, [], undefined, rawError);
  }

  #retry(operation: Operation): boolean {
    const now = this.#options.clock.now();
    if (operation.deadline === 0) operation.deadline = now + BUSY_DEADLINE;
    if (now >= operation.deadline) return false;
    // Not the clock's timer, which would let a command exit while it waits.
    const tries = operation.tries ?? 0;
    operation.tries = tries + 1;
    setTimeout(() => this.#start(operation), RETRY_MILLISECONDS[tries] ?? MAX_RETRY_MILLISECONDS);
    return true;
  }

  /**
   * Interrupts the running statement, which then fails with SQLITE_INTERRUPT; has no effect on one that has
   * not started in its thread, or while several run together, of which it could end another. Never used on the writer: it
   * would roll back units that share the transaction. Not possible with `node:sqlite`, which runs on this thread.
   */
  interrupt(): void {
    if (this.#current !== undefined || this.#together === 1) this.#raw.interrupt?.();
  }

  /** Call it only while idle. */
  close(): Promise<void> {
    for (const { statement } of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    return new Promise((resolve, reject) => {
      this.#raw.close((error) => (error ? reject(toTreadleError(error)) : resolve()));
    });
  }
}
