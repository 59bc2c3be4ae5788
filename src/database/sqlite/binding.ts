import { TreadleError } from '../../core/errors.ts';
import type { Row } from '../database.ts';

/** A fault as SQLite names it, whichever binding it came through: `code` is `SQLITE_BUSY`, `SQLITE_CONSTRAINT`, … */
export interface RawFault extends Error {
  readonly code?: string;
}

/** What a statement without rows did. */
export interface Changes {
  readonly changes: number;
  readonly lastId: number;
}

/**
 * The little of SQLite that the driver needs, so that the npm package `sqlite3` and Node's own `node:sqlite` are one.
 * Callbacks must not throw.
 */
export interface RawStatement {
  /** Steps to the end and reads all rows, so that no read transaction stays open behind it. */
  all(parameters: readonly unknown[], callback: (error: RawFault | null, rows: Row[]) => void): void;
  /** For a statement that returns no rows. */
  run(parameters: readonly unknown[], callback: (error: RawFault | null, changes: Changes) => void): void;
  /** To be called only while the connection does nothing else: it takes the connection's mutex on this thread. */
  finalize(): void;
}

export interface RawConnection {
  prepare(sql: string, callback: (error: RawFault | null, statement: RawStatement | undefined) => void): void;
  /** Several statements at once, without parameters and rows. */
  exec(sql: string, callback: (error: RawFault | null) => void): void;
  /** Ends what runs; missing where a statement runs in this thread, so that nothing can be said to it meanwhile. */
  interrupt?(): void;
  close(callback: (error: RawFault | null) => void): void;
}

export interface Binding {
  readonly name: 'sqlite3' | 'node:sqlite';
  /** Rejects with a {@link RawFault}. */
  open(file: string): Promise<RawConnection>;
  /** The parameters as this binding takes them. @throws DATABASE_PARAMETER_INVALID */
  toParameters(parameters: readonly unknown[]): readonly unknown[];
}

/** Milliseconds that SQLite itself waits for a lock, in a thread of the pool; then the driver retries asynchronously. */
export const BUSY_MILLISECONDS = 20;

const REMEDY =
  'Type `npm install-scripts approve sqlite3 && npm rebuild sqlite3` (or `npm rebuild sqlite3`), or run Node 22.16 or later, which carries SQLite itself.';

export type BindingName = Binding['name'];

/**
 * Loads SQLite: the npm package, or where its native part is missing, Node's own.
 *
 * @param only Takes this binding or none. For tests.
 * @throws DATABASE_BINDING_MISSING where neither is there.
 */
export async function loadBinding(only?: BindingName): Promise<Binding> {
  const faults: unknown[] = [];
  if (only !== 'node:sqlite') {
    try {
      return (await import('./binding-sqlite3.ts')).createBinding((await import('sqlite3')).default);
    } catch (error) {
      faults.push(error);
    }
  }
  if (only !== 'sqlite3') {
    try {
      // The name is kept from the compiler: Node 20, whose types are used, does not have it.
      const name: string = 'node:sqlite';
      return (await import('./binding-node.ts')).createBinding(await import(name));
    } catch (error) {
      faults.push(error);
    }
  }
  throw new TreadleError('DATABASE_BINDING_MISSING', `SQLite's native part is not installed. ${REMEDY}`, {
    hint: REMEDY,
    cause: faults[0],
  });
}
