import type { TreadleError } from '../../core/errors.ts';
import type { Collected, Row } from '../database.ts';
import { endedError, type Outcome, type Session } from '../transaction.ts';
import type { RawFault } from './binding.ts';
import type { Connection, Mode } from './connection.ts';
import { isBreaking, isFatal } from './fault.ts';

/** The writer's connection with an open transaction; refuses all calls after its end. */
export class WriterSession implements Session {
  /** Set if SQLite rolled back the whole transaction: further statements would commit separately. */
  broken: TreadleError | undefined;
  isOver = false;
  readonly #collected = new Map<string, unknown[]>();
  readonly #connection: Connection;
  readonly #failed: (error: TreadleError) => void;

  constructor(connection: Connection, failed: (error: TreadleError) => void) {
    this.#connection = connection;
    this.#failed = failed;
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
      this.broken = error as TreadleError;
    }
  }

  /** Adds to what a statement writes before the commit. If that fails, the transaction is lost. */
  collect(make: () => Collected | undefined): void {
    try {
      const collected = make();
      if (collected === undefined) return;
      const items = this.#collected.get(collected.text);
      if (items === undefined) this.#collected.set(collected.text, [collected.item]);
      else items.push(collected.item);
    } catch (error) {
      this.broken ??= error as TreadleError;
      throw error;
    }
  }

  get hasCollected(): boolean {
    return this.#collected.size > 0;
  }

  /** Writes what was collected; if that fails, the transaction is lost. */
  async writeCollected(): Promise<void> {
    const entries = [...this.#collected];
    this.#collected.clear();
    for (const [text, items] of entries) {
      if (this.broken !== undefined) return;
      try {
        await this.change(text, [JSON.stringify(items)]);
      } catch (error) {
        this.broken ??= error as TreadleError;
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
    return new Promise((resolve, reject) => {
      const done = (error: TreadleError | null, rows: Row[], outcome: Outcome | undefined, fault?: RawFault): void => {
        if (error === null) {
          resolve(pick(rows, outcome));
          return;
        }
        if (fault !== undefined && isBreaking(fault)) this.broken = error;
        if (fault !== undefined && isFatal(fault)) this.#failed(error);
        reject(error);
      };
      this.#connection.execute({ sql, parameters, mode, isOwn, deadline: 0, done });
    });
  }
}
