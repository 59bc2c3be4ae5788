import type { TreadleError } from '../../core/errors.ts';
import type { CommitItem, Row } from '../row-statement.ts';
import { endedError, groupCollected, type Outcome, type Session } from '../transaction.ts';
import type { RawError } from './binding.ts';
import type { Connection, Mode } from './connection.ts';
import { isBreaking, isFatal } from './sqlite-error.ts';

export interface WriterSessionOptions {
  /** Called with an error after which the writer accepts nothing more. */
  readonly failed: (error: TreadleError) => void;
  /** Whether a statement writes a watched table. */
  readonly touches: (sql: string) => boolean;
}

/** The writer's connection with an open transaction; refuses all calls after its end. */
export class WriterSession implements Session {
  /** Set if SQLite rolled back the whole transaction: further statements would commit separately. */
  broken: unknown;
  isOver = false;
  /** True once a statement wrote a watched table. @see CommitCount */
  isTouching = false;
  readonly #collected: CommitItem[] = [];
  readonly #last: CommitItem[] = [];
  readonly #connection: Connection;
  readonly #options: WriterSessionOptions;

  constructor(connection: Connection, options: WriterSessionOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  execute(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return this.#send(sql, parameters, 'all', (rows) => rows);
  }

  change(sql: string, parameters: readonly unknown[]): Promise<Outcome> {
    return this.#send(sql, parameters, 'run', (_, outcome) => outcome ?? { changes: 0, lastId: 0 });
  }

  control(sql: string): Promise<Row[]> {
    return this.#send(sql, [], 'all', (rows) => rows, true);
  }

  /** Sets the writer's own savepoint; if that fails, the transaction is lost. */
  async mark(sql: string): Promise<void> {
    if (this.broken !== undefined) return;
    try {
      await this.#connection.control(sql, 'exec');
    } catch (error) {
      this.broken = error;
    }
  }

  /** Adds to what statements write before the commit. If that fails, the transaction is lost. */
  collect(make: () => readonly CommitItem[]): void {
    try {
      for (const collected of make()) (collected.isLast ? this.#last : this.#collected).push(collected);
    } catch (error) {
      this.broken ??= error;
      throw error;
    }
  }

  /** Keeps what a statement wrote; if that fails, the transaction is lost. */
  keep(take: () => boolean): boolean {
    try {
      return take();
    } catch (error) {
      this.broken ??= error;
      return false;
    }
  }

  writeLast(collected: readonly CommitItem[]): void {
    for (const item of collected) this.#last.push(item);
  }

  /** True if something was collected that the next unit may read. */
  get hasCollected(): boolean {
    return this.#collected.length > 0;
  }

  /** Writes what was collected; if that fails, the transaction is lost. @param isLast True right before the commit. */
  async writeCollected(isLast = false): Promise<void> {
    const entries = this.#collected.splice(0);
    if (isLast) entries.push(...this.#last.splice(0));
    for (const [text, items] of groupCollected(entries)) {
      if (this.broken !== undefined) return;
      try {
        await this.change(text, [items]);
      } catch (error) {
        this.broken ??= error;
      }
    }
  }

  #send<T>(
    sql: string,
    parameters: readonly unknown[],
    mode: Mode,
    pick: (rows: Row[], outcome: Outcome | undefined) => T,
    isOwn = false,
  ): Promise<T> {
    if (this.broken !== undefined) return Promise.reject(this.broken);
    if (this.isOver) return Promise.reject(endedError());
    this.isTouching ||= !isOwn && this.#options.touches(sql);
    return new Promise((resolve, reject) => {
      const done = (
        error: TreadleError | null,
        rows: Row[],
        outcome: Outcome | undefined,
        rawError?: RawError,
      ): void => {
        if (error === null) {
          resolve(pick(rows, outcome));
          return;
        }
        if (rawError !== undefined && isBreaking(rawError)) this.broken = error;
        if (rawError !== undefined && isFatal(rawError)) this.#options.failed(error);
        reject(error);
      };
      this.#connection.execute({ sql, parameters, mode, isOwn, deadline: 0, done });
    });
  }
}
