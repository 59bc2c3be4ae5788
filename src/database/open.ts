import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { type BindingName, loadBinding } from './sqlite/binding.ts';
import { Connection, type ConnectionOptions } from './sqlite/connection.ts';
import { toTreadleError } from './sqlite/fault.ts';
import { Readers } from './sqlite/readers.ts';
import { applyReaderSettings, applyWriterSettings } from './sqlite/settings.ts';
import { SqliteDatabase } from './sqlite/sqlite-database.ts';
import { Writer } from './sqlite/writer.ts';

export interface OpenOptions {
  /** `sqlite:var/app.db` (from the project's root, or absolute), `sqlite::memory:`, `postgres://…`. */
  readonly url: string;
  /** Project root, absolute. */
  readonly root: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Connections that read, at most. Default 4. */
  readonly readers?: number;
  /** Prepared statements kept by each connection. Default 500. */
  readonly statements?: number;
  /** Told of each statement of the writer before it runs. For tests. */
  readonly trace?: (sql: string) => void;
  /** Told once when an error of the disk ended all writing; a server then stops. */
  readonly failed?: (error: TreadleError) => void;
  /** Takes this binding or none. For tests. */
  readonly binding?: BindingName;
}

/**
 * Opens the database that a URL names and checks its settings. Creates the file and its folder.
 *
 * @throws DATABASE_URL_UNSUPPORTED, DATABASE_BINDING_MISSING, DATABASE_UNWRITABLE, DATABASE_SETTING_REFUSED
 */
export async function openDatabase(options: OpenOptions): Promise<SqliteDatabase> {
  const { url } = options;
  if (url.startsWith('sqlite:')) return openSqlite(url.slice('sqlite:'.length), options);
  // Where a PostgreSQL database will be opened: postgres/ beside sqlite/, over the same Frame and the same KyselyParts.
  const scheme = /^[a-z+]+:/i.exec(url)?.[0] ?? 'no scheme';
  throw new TreadleError('DATABASE_URL_UNSUPPORTED', `The database URL has ${scheme}, which is not supported.`, {
    hint: 'Write "sqlite:" and a path, such as sqlite:var/app.db, in config/settings.json or DATABASE_URL.',
  });
}

async function openSqlite(path: string, options: OpenOptions): Promise<SqliteDatabase> {
  const { clock, log } = options;
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
