import { TreadleError } from '../../core/errors.ts';
import type { Row } from '../row-statement.ts';

/** A SQLite error, the same for both bindings: `code` is `SQLITE_BUSY`, `SQLITE_CONSTRAINT`, … */
export interface RawError extends Error {
  readonly code?: string;
}

/** Result of a statement without rows. */
export interface Changes {
  readonly changes: number;
  readonly lastId: number;
}

/**
 * The part of SQLite that the driver needs; hides the differences between the npm package `sqlite3` and
 * `node:sqlite`. Callbacks must not throw.
 */
export interface RawStatement {
  /** Reads all rows to the end, so that no read transaction stays open. */
  all(parameters: readonly unknown[], callback: (error: RawError | null, rows: Row[]) => void): void;
  /** For a statement that returns no rows. */
  run(parameters: readonly unknown[], callback: (error: RawError | null, changes: Changes) => void): void;
  /** Call it only while the connection is idle: it takes the connection's mutex on this thread. */
  finalize(): void;
}

export interface RawConnection {
  prepare(sql: string, callback: (error: RawError | null, statement: RawStatement | undefined) => void): void;
  /** Runs several statements without parameters and rows. */
  exec(sql: string, callback: (error: RawError | null) => void): void;
  /** Interrupts the running statement; missing if statements run on this thread. */
  interrupt?(): void;
  close(callback: (error: RawError | null) => void): void;
}

export interface Binding {
  readonly name: 'sqlite3' | 'node:sqlite';
  /** Rejects with a {@link RawError}. */
  open(file: string): Promise<RawConnection>;
  /** Converts parameters for this binding. @throws DATABASE_PARAMETER_INVALID */
  toParameters(parameters: readonly unknown[]): readonly unknown[];
}

/**
 * Milliseconds that SQLite itself waits for a lock, in a thread of the pool; after that the driver retries
 * asynchronously.
 */
export const BUSY_MILLISECONDS = 20;

const REMEDY =
  'Type `npm install-scripts approve sqlite3 && npm rebuild sqlite3` (or `npm rebuild sqlite3`), or run Node 22.16 or later, which carries SQLite itself.';

export type BindingName = Binding['name'];

/**
 * Loads SQLite: the npm package, or `node:sqlite` if the package's native part is missing.
 *
 * @param only Uses only this binding. For tests.
 * @throws DATABASE_BINDING_MISSING if neither can be loaded.
 */
export async function loadBinding(only?: BindingName): Promise<Binding> {
  const errors: unknown[] = [];
  if (only !== 'node:sqlite') {
    try {
      return (await import('./binding-sqlite3.ts')).createBinding((await import('sqlite3')).default);
    } catch (error) {
      errors.push(error);
    }
  }
  if (only !== 'sqlite3') {
    try {
      // A variable hides the name from the compiler, because the types of Node 20 do not have it.
      const name: string = 'node:sqlite';
      return (await import('./binding-node.ts')).createBinding(await import(name));
    } catch (error) {
      errors.push(error);
    }
  }
  throw new TreadleError('DATABASE_BINDING_MISSING', `SQLite's native part is not installed. ${REMEDY}`, {
    hint: REMEDY,
    cause: errors[0],
  });
}
