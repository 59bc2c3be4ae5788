import type { CompiledQuery, Kysely } from 'kysely';
import type { FigureSource } from '../core/figure.ts';
import type { ReadRows } from '../core/scope.ts';
import type { FailedCheck } from './health.ts';
import type { ReadFigures } from './load/admission.ts';
import type { ReadCost } from './load/read-cost.ts';
import type { RecentVersions } from './recent-versions.ts';
import type { CommitItem, Row, RowStatement } from './row-statement.ts';
import type { CountedTable, TableVersions } from './version/table-version.ts';

const DIALECTS = ['sqlite', 'postgres'] as const;
export type Dialect = (typeof DIALECTS)[number];

export interface WriteOptions {
  /** For background work: on SQLite later units may go first, for up to 25 ms. Default false. */
  readonly isPatient?: boolean;
  /** True for a transaction of its own instead of a shared commit, for units with project code. Default false. */
  readonly isAlone?: boolean;
}

/** Reads rows. */
export interface Reader {
  readonly dialect: Dialect;
  /** Builds and runs queries. Tables come from the model, so rows are untyped here. */
  readonly kysely: Kysely<Record<string, Row>>;
  /**
   * Builds and runs queries that only read, with a connection or a transaction that cannot write. Inside a transaction it
   * sees what that has written. @throws QUERY_WRITES
   */
  readonly reader: Kysely<Record<string, Row>>;
  /**
   * Runs a query that was compiled before (once, kept by its caller) with these parameters. Outside
   * transactions a read may have to wait for its turn.
   * @param about What is known of a read's cost; only for reads.
   * @param rows Which rows a read shows, where the caller knows more than the names of tables. @see noteRead
   * @throws DATABASE_READS_TOO_MANY (503, `Retry-After`) and DATABASE_READ_LONG (503) for a read of a
   *   request; ClientGone if the client of a GET or HEAD request has disconnected.
   */
  run<R = Row>(
    query: CompiledQuery,
    parameters?: readonly unknown[],
    about?: ReadCost,
    rows?: readonly ReadRows[],
  ): Promise<R[]>;
  /** How many reads run and wait now, and how many were refused, dropped or cut off. */
  readonly reads: ReadFigures | undefined;
  /**
   * Read-only; everything inside sees the data of one moment, however long it takes, and others can write
   * meanwhile. Inside a transaction it is that transaction.
   */
  snapshot<T>(fn: () => Promise<T>): Promise<T>;
  /** Whether a transaction is open in this asynchronous context. */
  readonly isInTransaction: boolean;
}

/** Writes rows. */
export interface Writer {
  /** True if several transactions write at once: rows are locked before they are judged, and a deadlock repeats a unit. */
  readonly writesInParallel: boolean;
  /**
   * Runs a statement that writes one row, outside any transaction; gives what it returns. On SQLite in a commit that it may
   * share: it needs no savepoint, and may write the rows of several writes. Everything but another `writeRow` sees what it
   * collects as written.
   * @throws DATABASE_BUSY (503), as {@link write}.
   */
  writeRow(statement: RowStatement): Promise<Row[]>;
  /**
   * Adds to what is written right before the open transaction or unit commits, in one statement for all items of a text.
   * What is rolled back takes its items with it, and nothing in the transaction sees them. Call it inside one.
   * @throws DATABASE_TRANSACTION_ENDED
   */
  collect(item: CommitItem): void;
  /**
   * A short, atomic write. On SQLite concurrent units share one commit, each in its own savepoint; it
   * resolves after that commit. Inside a transaction it is a savepoint of it.
   * On PostgreSQL a deadlock repeats the unit, up to 3 times: it must have no effects besides database
   * writes. To keep another unit from changing rows that it has read, it reads them with {@link lockRows}.
   * @throws DATABASE_BUSY (503) if the writer or another process's lock was not free within 5 s.
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
   * As {@link Database.transaction}, serializable: it fails with a conflict that {@link Database.mayRepeat} tells if
   * another transaction changed what it read. Not inside a transaction. On SQLite every transaction is
   * serializable.
   */
  serializable<T>(fn: () => Promise<T>): Promise<T>;
  /** True if an error rolled a transaction back that may succeed when it runs again. On SQLite none may. */
  mayRepeat(error: unknown): boolean;
  /**
   * Waits for a lock by name and holds it until the outermost transaction ends. Call it inside one. On SQLite nothing waits: a
   * transaction holds the only writer.
   */
  lock(name: string): Promise<void>;
  /**
   * Runs a task after the outermost open transaction has committed and before its caller gets the result;
   * never after a rollback. Outside a transaction it runs at once. An error of the task is logged and does
   * not undo the commit.
   */
  afterCommit(task: () => Promise<void>): Promise<void>;
  /**
   * Runs a task if the innermost open transaction, or one around it, is rolled back: to undo effects
   * outside the database. Outside a transaction it does nothing.
   */
  afterRollback(task: () => Promise<void>): void;
}

/** Shows what has changed. */
export interface Watch {
  /**
   * A text that changes after any commit of any process: while it is unchanged, everything read is still
   * valid. Cheaper than reading a row. Does not show what was written.
   */
  version(): Promise<string>;
  /**
   * As {@link Database.version}, by row, for tables given to {@link Database.trackTables}. Costs no more.
   */
  tableVersions(): Promise<TableVersions>;
  /**
   * {@link Database.tableVersions} without a query for each answer: commits of this process show at once, those of others
   * within 20 ms on SQLite, and 100 ms on PostgreSQL.
   */
  readonly recentVersions: RecentVersions;
  /**
   * Starts noting the writes to these tables, by any program. The tables must exist. Does nothing if they
   * are already noted.
   */
  trackTables(tables: readonly CountedTable[]): Promise<void>;
  /** Changes the version of every table: for changes of query results without a write to the table's rows. */
  touchTables(): Promise<void>;
  /** A text that changes when any process changes tables, columns or indexes. */
  structureVersion(): Promise<string>;
  /** True if processes on other machines may use the database. Those on this machine notify each other without it. */
  readonly hasOthers: boolean;
  /** Notifies processes on other machines of news on a topic; several calls may be combined. On SQLite there are none. */
  announce(topic: string): void;
  /** Calls back when another process announced a topic; returns a function that unsubscribes. May miss some. */
  listen(topic: string, callback: () => void): () => void;
}

/** Changes tables, and looks after the database. */
export interface Upkeep {
  /**
   * A transaction for schema changes, without a time limit. With `isRebuilding` foreign keys are not
   * enforced inside (dropping a table would delete rows that refer to it) but checked before the commit.
   * PostgreSQL changes its tables in place and keeps enforcing them.
   * @param lock Name of a task that only one process does at a time, such as `migration`: others wait for
   *   it, 60 s at most.
   * @throws DATABASE_CONSTRAINT (409) if a row would have a dangling foreign key. @throws DATABASE_BUSY
   *   (503) without the lock.
   */
  restructure<T>(fn: () => Promise<T>, isRebuilding?: boolean, lock?: string): Promise<T>;
  /**
   * Checks whether reads and writes would succeed now, without writing. Empty if so. Hangs with a server
   * that hangs, so the caller must set a time limit.
   */
  health(): Promise<readonly FailedCheck[]>;
  /** Metrics for operators: connections, queues for them, size. */
  figures(): readonly FigureSource[];
  close(): Promise<void>;
}

/**
 * All access to the data. Calls inside a {@link Database.transaction} or {@link Database.write} join it:
 * the open transaction travels with the asynchronous context, so a query cannot deadlock with its caller's
 * transaction.
 */
export interface Database extends Reader, Writer, Watch, Upkeep {}

/** A table of Treadle's own, declared by a feature; its name begins with `treadle_`. */
export interface SystemTable {
  readonly name: string;
  /** Its name in an earlier version of Treadle; a rename keeps its rows. */
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
  /** `id`: auto-increment integer primary key. `key`: text primary key. */
  readonly type: 'id' | 'key' | 'text' | 'integer' | 'json';
  readonly isRequired?: boolean;
  /** Foreign key `table.column`; the row is deleted with its target. */
  readonly references?: string;
  readonly default?: string | number;
  /** Its name in an earlier version of Treadle; a rename keeps its values. */
  readonly was?: string;
}
