import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres/open.ts';
import { type BindingName, loadBinding } from './sqlite/binding.ts';
import { Connection, type ConnectionOptions } from './sqlite/connection.ts';
import { toTreadleError } from './sqlite/fault.ts';
import { Readers } from './sqlite/readers.ts';
import { applyReaderSettings, applyWriterSettings } from './sqlite/settings.ts';
import { SqliteDatabase } from './sqlite/sqlite-database.ts';
import { Writer } from './sqlite/writer.ts';

export interface OpenOptions {
  /** `sqlite:var/app.db` (from the project's root, or absolute), `sqlite::memory:`, `postgres://user@host/name?schema=…`. */
  readonly url: string;
  /** Project root, absolute. */
  readonly root: string;
  readonly log: Log;
  readonly clock: Clock;
  /** SQLite's connections that read, at most. Default 4. */
  readonly readers?: number;
  /** Prepared statements kept by each connection. Default 500. */
  readonly statements?: number;
  /** Told of each statement (of SQLite's writer) before it runs. For tests. */
  readonly trace?: (sql: string) => void;
  /** Told once when an error of SQLite's disk ended all writing; a server then stops. */
  readonly failed?: (error: TreadleError) => void;
  /** Takes this binding of SQLite or none. For tests. */
  readonly binding?: BindingName;
  /** Whether PostgreSQL's schema is made where it is missing; else it reads as one without tables. Default true. */
  readonly isMaking?: boolean;
}

/**
 * Opens the database that a URL names and checks its settings. Creates SQLite's file and its folder, and PostgreSQL's
 * schema where the URL names one that is not there.
 *
 * @throws DATABASE_URL_UNSUPPORTED, DATABASE_BINDING_MISSING, DATABASE_UNWRITABLE, DATABASE_UNREACHABLE,
 * DATABASE_SETTING_REFUSED
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { url } = options;
  if (url.startsWith('sqlite:')) return openSqlite(options);
  if (/^postgres(ql)?:\/\//i.test(url)) return openPostgres(options);
  const scheme = /^[a-z+]+:/i.exec(url)?.[0] ?? 'no scheme';
  throw new TreadleError('DATABASE_URL_UNSUPPORTED', `The database URL has ${scheme}, which is not supported.`, {
    hint: 'Write sqlite:var/app.db or postgres://user:password@host/name in config/settings.json or DATABASE_URL.',
  });
}

/** Opens a SQLite database; see {@link openDatabase}. */
export async function openSqlite(options: OpenOptions): Promise<SqliteDatabase> {
  const { clock, log } = options;
  const path = options.url.slice('sqlite:'.length);
  const isMemory = path === ':memory:';
  const file = isMemory ? path : resolve(options.root, path.replace(/^\/\//, ''));
  const binding = await loadBinding(options.binding);
  if (!isMemory) await makeFolder(dirname(file));
  const statements = options.statements === undefined ? {} : { statements: options.statements };
  const trace = options.trace === undefined ? {} : { trace: options.trace };
  const connect = async (more: Partial<ConnectionOptions>): Promise<Connection> => {
    try {
      return new Connection(await binding.open(file), { binding, clock, ...statements, ...more });
    } catch (error) {
      throw toTreadleError(error);
    }
  };
  const connection = await connect(trace);
  await applyWriterSettings(connection, isMemory);
  const failed = (error: TreadleError): void => {
    log.error('database-failed', { error });
    options.failed?.(error);
  };
  const openReader = async (): Promise<Connection> => {
    const reader = await connect({});
    await applyReaderSettings(reader);
    return reader;
  };
  return new SqliteDatabase({
    connection,
    writer: new Writer({ connection, clock, failed }),
    readers: isMemory ? undefined : new Readers(openReader, options.readers ?? 4),
    openReader: isMemory ? undefined : openReader,
    log,
    clock,
  });
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new TreadleError('DATABASE_UNWRITABLE', 'The folder of the database file cannot be made.', {
      status: 503,
      hint: 'Give the user that runs Treadle the right to write there, or set DATABASE_URL.',
      detail: { folder },
      cause,
    });
  }
}
