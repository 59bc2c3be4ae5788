import type { Row } from '../row-statement.ts';
import { type Binding, BUSY_MILLISECONDS, type RawConnection, type RawError, type RawStatement } from './binding.ts';
import { toParameters } from './parameter.ts';

/** The parts of the npm package `sqlite3` that are used; its own types are loose. */
interface NativeStatement {
  all(parameters: readonly unknown[], callback: (error: RawError | null, rows: Row[]) => void): void;
  run(
    parameters: readonly unknown[],
    callback: (this: { changes: number; lastID: number }, error: RawError | null) => void,
  ): void;
  finalize(): void;
}

type MakeStatement = new (database: object, sql: string, callback: (error: RawError | null) => void) => NativeStatement;

interface NativeDatabase {
  exec(sql: string, callback: (error: RawError | null) => void): void;
  close(callback: (error: RawError | null) => void): void;
  interrupt(): void;
  configure(option: 'busyTimeout', value: number): void;
}

interface Native {
  Database: new (file: string, callback: (error: Error | null) => void) => NativeDatabase;
  Statement: MakeStatement;
}

class Statement implements RawStatement {
  readonly #statement: NativeStatement;

  constructor(statement: NativeStatement) {
    this.#statement = statement;
  }

  all(parameters: readonly unknown[], callback: (error: RawError | null, rows: Row[]) => void): void {
    this.#statement.all(parameters, callback);
  }

  run(...[parameters, callback]: Parameters<RawStatement['run']>): void {
    this.#statement.run(parameters, function (error) {
      callback(error, { changes: this.changes, lastId: this.lastID });
    });
  }

  finalize(): void {
    this.#statement.finalize();
  }
}

class SqliteConnection implements RawConnection {
  readonly #database: NativeDatabase;
  readonly #make: MakeStatement;

  constructor(database: NativeDatabase, make: MakeStatement) {
    this.#database = database;
    this.#make = make;
  }

  /** With the package's `prepare`, a thread would also bind no parameters, which takes as long as the preparing. */
  prepare(...[sql, callback]: Parameters<RawConnection['prepare']>): void {
    const statement = new this.#make(this.#database, sql, (error) =>
      callback(error, error ? undefined : new Statement(statement)),
    );
  }

  exec(...[sql, callback]: Parameters<RawConnection['exec']>): void {
    this.#database.exec(sql, callback);
  }

  interrupt(): void {
    this.#database.interrupt();
  }

  close(...[callback]: Parameters<RawConnection['close']>): void {
    this.#database.close(callback);
  }
}

/** SQLite on the npm package `sqlite3`, which runs in libuv's threads. */
export function createBinding(native: Native): Binding {
  return {
    name: 'sqlite3',
    toParameters,
    open: (file) =>
      new Promise((resolve, reject) => {
        const database = new native.Database(file, (error) => {
          if (error) return reject(error);
          database.configure('busyTimeout', BUSY_MILLISECONDS);
          resolve(new SqliteConnection(database, native.Statement));
        });
      }),
  };
}
