import { TreadleError } from '../../core/errors.ts';
import type { CommitItem, Row } from '../row-statement.ts';
import { endedError, groupCollected, type Outcome, type Session } from '../transaction.ts';
import type { Connection, Result, SendOptions } from './connection.ts';
import { toTreadleError } from './postgres-error.ts';

/** How the statements of a session without time limits are sent. */
export const UNLIMITED: SendOptions = { isPassing: true, limit: 0 };

/** A connection with an open transaction; refuses all calls after its end. */
export class PostgresSession implements Session {
  /**
   * The first failed statement: PostgreSQL rejects further ones until a rollback to the savepoint before
   * it. Later callers get this error, not that the transaction is aborted.
   */
  #broken: TreadleError | undefined;
  #isOver = false;
  readonly #connection: Connection;
  readonly #sending: SendOptions;
  readonly #touches: (sql: string) => boolean;
  /** True once a statement wrote a watched table. @see CommitCount */
  isTouching = false;

  /** @param touches Whether a statement writes a watched table. */
  constructor(connection: Connection, touches: (sql: string) => boolean, sending: SendOptions = {}) {
    this.#connection = connection;
    this.#touches = touches;
    this.#sending = sending;
  }

  async execute(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return (await this.#send(sql, parameters)).rows;
  }

  async change(sql: string, parameters: readonly unknown[]): Promise<Outcome> {
    const { rowCount } = await this.#send(sql, parameters);
    return { changes: rowCount ?? 0, lastId: 0 };
  }

  async #send(sql: string, parameters: readonly unknown[]): Promise<Result> {
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#isOver) throw endedError();
    this.isTouching ||= this.#touches(sql);
    try {
      return await this.#connection.execute(sql, parameters, this.#sending);
    } catch (error) {
      // Refused before it was sent, so the transaction is intact.
      if (error instanceof TreadleError) throw error;
      this.#broken ??= toTreadleError(error, sql);
      throw this.#broken;
    }
  }

  /** `savepoint`, `release` and `rollback to`; only the last repairs a failed transaction. */
  async control(sql: string): Promise<void> {
    const isMending = sql.startsWith('rollback to');
    if (this.#broken !== undefined && !isMending) throw this.#broken;
    try {
      await this.#connection.control(sql);
    } catch (error) {
      this.#broken ??= toTreadleError(error, sql);
      throw this.#broken;
    }
    if (isMending) this.#broken = undefined;
  }

  async writeLast(collected: readonly CommitItem[]): Promise<void> {
    for (const [text, items] of groupCollected(collected)) await this.#send(text, [items]);
  }

  /** Refuses all further calls. */
  end(): void {
    this.#isOver = true;
  }

  /**
   * @throws the first error inside, even if somebody caught it: PostgreSQL would answer this commit with a
   * rollback.
   */
  async commit(): Promise<void> {
    this.#isOver = true;
    if (this.#broken !== undefined) throw this.#broken;
    let result: Result;
    try {
      result = await this.#connection.control('commit');
    } catch (error) {
      throw toTreadleError(error, 'commit');
    }
    if (result.command !== 'COMMIT') throw this.#broken ?? endedError();
  }
}
