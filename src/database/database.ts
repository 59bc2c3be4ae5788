import type { CompiledQuery, Kysely } from 'kysely';

export const DIALECTS = ['sqlite', 'postgres'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** A stored row: column to value. Times are text `YYYY-MM-DD HH:MM:SS`, booleans 0 and 1, JSON is text. */
export type Row = Record<string, unknown>;

export interface WriteOptions {
  /** For work that nobody waits for: on SQLite units that come later go first, for 25 ms at most. Default false. */
  readonly isPatient?: boolean;
}

/**
 * The one way to the data. Whatever is run inside a {@link Database.transaction} or {@link Database.write}, through
 * any of these members, joins it: the open transaction travels with the asynchronous context, so a query cannot wait
 * behind the transaction that its own caller holds.
 */
export interface Database {
  readonly dialect: Dialect;
  /** Builds and runs queries. Tables come from the model, so rows are untyped here. */
  readonly kysely: Kysely<Record<string, Row>>;
  /** Runs a query that was compiled before (once, kept by its caller) with these parameters. */
  run<R = Row>(query: CompiledQuery, parameters?: readonly unknown[]): Promise<R[]>;
  /**
   * A short unit of writing, all or nothing. On SQLite units that arrive together share one commit, each in its own
   * savepoint; it resolves after that commit. Inside a transaction it is a savepoint of it.
   *
   * On PostgreSQL the unit is run again, 3 times at most, where the server undid it for a deadlock: so it does nothing
   * that may not be done twice but write data. Where another unit could change what this one has read, it reads with
   * {@link lockRows}.
   *
   * @throws DATABASE_BUSY (503) where the writer or another process's lock was not had within 5 s.
   */
  write<T>(unit: () => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * An interactive transaction; nested ones become savepoints. Rolled back when `fn` throws or after `seconds`.
   *
   * @param seconds Default and maximum 5.
   * @throws DATABASE_TRANSACTION_LONG (503) after that time. @throws DATABASE_BUSY (503).
   */
  transaction<T>(fn: () => Promise<T>, seconds?: number): Promise<T>;
  /**
   * Runs a task once the outermost open transaction has committed, before its caller gets its answer; never after a
   * rollback. Outside a transaction it runs at once. A task's error is logged and does not undo the commit.
   */
  afterCommit(task: () => Promise<void>): Promise<void>;
  /**
   * Runs a task where the innermost open transaction is rolled back, or one that it is nested in: for what it did outside
   * the database. Outside a transaction nothing is kept, since nothing can be rolled back.
   */
  afterRollback?(task: () => Promise<void>): void;
  /**
   * A transaction for changes of the structure, without a limit of time. With `isRebuilding` foreign keys are not
   * enforced inside (dropping a table would remove what leads to it) but checked before the commit; PostgreSQL changes
   * its tables in place and goes on enforcing them.
   *
   * @param lock Name of what only one process does at a time, such as `migration`: another waits for it, 60 s at most.
   * @throws DATABASE_CONSTRAINT (409) where a row would lead to none. @throws DATABASE_BUSY (503) without the lock.
   */
  restructure<T>(fn: () => Promise<T>, isRebuilding?: boolean, lock?: string): Promise<T>;
  /**
   * Reads only, and all that is read inside is as it was at one moment, however long it takes; others go on writing.
   * Inside a transaction it is that transaction.
   */
  snapshot?<T>(fn: () => Promise<T>): Promise<T>;
  /**
   * A text that is another one after anything was committed, by whichever process: while it is the same, whatever was read
   * is still so. It costs less than reading a row; where it changes, no more is known than that something did.
   */
  version?(): Promise<string>;
  /**
   * Tells the other processes on this database, soon and many times at once as one, that there is something of a topic to
   * look at. Missing where a database serves one machine, whose processes look by themselves.
   */
  announce?(topic: string): void;
  /** Calls back when another process announced something of a topic; returns what ends it. May miss some. */
  listen?(topic: string, callback: () => void): () => void;
  /** Whether a transaction is open in this asynchronous context. */
  readonly isInTransaction: boolean;
  close(): Promise<void>;
}

/** A table of Treadle's own, declared by a feature; its name starts with `treadle_`. */
export interface SystemTable {
  readonly name: string;
  /** Its name in an earlier version of Treadle, so that its rows are kept. */
  readonly was?: string;
  readonly columns: readonly SystemColumn[];
  readonly indexes?: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly isUnique?: boolean;
  }[];
}

export interface SystemColumn {
  readonly name: string;
  /** `id`: integer primary key that counts up. `key`: text primary key. */
  readonly type: 'id' | 'key' | 'text' | 'integer' | 'json';
  readonly isRequired?: boolean;
  /** Foreign key: `table.column`, removed with it. */
  readonly references?: string;
  readonly default?: string | number;
  /** Its name in an earlier version of Treadle, so that its values are kept. */
  readonly was?: string;
}
