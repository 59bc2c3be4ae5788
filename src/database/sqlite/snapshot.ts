import type { Clock } from '../../core/clock.ts';
import type { Row } from '../row-statement.ts';
import { Frame, type Outcome, type Session } from '../transaction.ts';
import type { Connection, Mode } from './connection.ts';

/** A reading connection with an open transaction. */
class ReaderSession implements Session {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  execute(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return this.#send(sql, parameters, 'all', (rows) => rows);
  }

  change(sql: string, parameters: readonly unknown[]): Promise<Outcome> {
    return this.#send(sql, parameters, 'run', (_, outcome) => outcome ?? { changes: 0, lastId: 0 });
  }

  control(sql: string): Promise<Row[]> {
    return this.#connection.control(sql);
  }

  #send<T>(
    sql: string,
    parameters: readonly unknown[],
    mode: Mode,
    pick: (rows: Row[], outcome: Outcome | undefined) => T,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#connection.execute({
        sql,
        parameters,
        mode,
        isOwn: false,
        deadline: 0,
        done: (error, rows, outcome) => (error === null ? resolve(pick(rows, outcome)) : reject(error)),
      });
    });
  }
}

/** Runs `fn` on a connection that sees the database as of now until `fn` ends. */
export async function readAsOfNow<T>(
  connection: Connection,
  { owner, clock }: { readonly owner: object; readonly clock: Clock },
  fn: () => Promise<T>,
): Promise<T> {
  await connection.control('begin');
  // The first read defines the moment.
  await connection.control('select 1 from sqlite_schema limit 1');
  const frame = new Frame({ owner, session: new ReaderSession(connection), clock });
  try {
    return await frame.perform(fn);
  } finally {
    frame.end();
    await connection.control('rollback').catch(() => {});
  }
}
