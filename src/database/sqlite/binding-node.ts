import { toError } from '../../core/errors.ts';
import type { Row } from '../row-statement.ts';
import type { Binding, Changes, RawConnection, RawError, RawStatement } from './binding.ts';
import { toParameters } from './parameter.ts';

/** The parts of `node:sqlite` that are used. */
interface NodeStatement {
  all(...parameters: unknown[]): Row[];
  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

interface NodeDatabase {
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  close(): void;
}

interface NodeSqlite {
  DatabaseSync: new (file: string) => NodeDatabase;
}

/** SQLite's primary result codes, by the low byte of the code that Node reports. */
const CODES: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  9: 'SQLITE_INTERRUPT',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
};

function toRawError(error: unknown): RawError {
  const raw: Error & { readonly errcode?: unknown; code?: string } = toError(error);
  if (typeof raw.errcode === 'number') raw.code = CODES[raw.errcode & 0xff] ?? 'SQLITE_ERROR';
  return raw;
}

/**
 * Node binds every number as a float, which a text column would store as "5.0"; a bigint is bound as an
 * integer.
 */
function toNodeParameters(parameters: readonly unknown[]): readonly unknown[] {
  return toParameters(parameters).map((value) => {
    if (typeof value === 'boolean') return value ? 1n : 0n;
    return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
  });
}

/**
 * Runs the work synchronously and calls back in a later microtask, since the other binding is asynchronous.
 * With a lock time-out of 0 it never waits for another process.
 */
function call<T>(work: () => T, fallback: T, callback: (error: RawError | null, value: T) => void): void {
  let error: RawError | null = null;
  let value = fallback;
  try {
    value = work();
  } catch (thrown) {
    error = toRawError(thrown);
  }
  setImmediate(callback, error, value);
}

class Statement implements RawStatement {
  readonly #statement: NodeStatement;

  constructor(statement: NodeStatement) {
    this.#statement = statement;
  }

  all(...[parameters, callback]: Parameters<RawStatement['all']>): void {
    // Node's rows have no prototype; those of the other binding have one.
    call(() => this.#statement.all(...parameters).map((row) => ({ ...row })), [], callback);
  }

  run(...[parameters, callback]: Parameters<RawStatement['run']>): void {
    const run = (): Changes => {
      const { changes, lastInsertRowid } = this.#statement.run(...parameters);
      return { changes: Number(changes), lastId: Number(lastInsertRowid) };
    };
    call(run, { changes: 0, lastId: 0 }, callback);
  }

  /** Node finalizes a statement when it is garbage collected, or with its connection. */
  finalize(): void {}
}

/** Node has SQLite since 22.13, with the full-text search for word indexes since 22.16. */
function hasWords({ DatabaseSync }: NodeSqlite): boolean {
  const database = new DatabaseSync(':memory:');
  const [row] = database.prepare("select sqlite_compileoption_used('ENABLE_FTS5') as used").all();
  database.close();
  return row?.used === 1;
}

/** SQLite on `node:sqlite` (Node 22.16 and later). Throws if it has no FTS5. */
export function createBinding(native: NodeSqlite): Binding {
  if (!hasWords(native)) throw new Error("This Node's SQLite has no FTS5.");
  const connect = (database: NodeDatabase): RawConnection => ({
    prepare: (sql, callback) => call(() => new Statement(database.prepare(sql)), undefined, callback),
    exec: (sql, callback) => call(() => database.exec(sql), undefined, callback),
    close: (callback) => call(() => database.close(), undefined, callback),
  });
  return {
    name: 'node:sqlite',
    toParameters: toNodeParameters,
    open: (file) =>
      new Promise((resolve, reject) => {
        const opened = (error: RawError | null, value: RawConnection | undefined): void =>
          value ? resolve(value) : reject(error);
        call(() => connect(new native.DatabaseSync(file)), undefined, opened);
      }),
  };
}
