import { chmod, mkdir, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log/log.ts';
import type { Database } from './database.ts';
import { SlowReads } from './load/slow-reads.ts';
import { openPostgres } from './postgres/open.ts';
import { type BindingName, loadBinding } from './sqlite/binding.ts';
import { Connection, type ConnectionOptions } from './sqlite/connection.ts';
import { Reserve } from './sqlite/disk-reserve.ts';
import { checkRoom, explainBegin } from './sqlite/disk-space.ts';
import { FileGuard } from './sqlite/file-guard.ts';
import { SqliteHealth } from './sqlite/health.ts';
import { Readers } from './sqlite/readers.ts';
import { applyReaderSettings, applyWriterSettings } from './sqlite/settings.ts';
import { SqliteDatabase } from './sqlite/sqlite-database.ts';
import { isDamage, toTreadleError } from './sqlite/sqlite-error.ts';
import { Writer } from './sqlite/writer.ts';

const READ_SECONDS = 5;

export interface OpenOptions {
  /**
   * `sqlite:var/app.db` (relative to the project's root, or absolute), `sqlite::memory:`,
   * `postgres://user@host/name?schema=…`.
   */
  readonly url: string;
  /** Project root, absolute. */
  readonly root: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Maximum read connections of SQLite. Default 4. */
  readonly readers?: number;
  /** Seconds that a read of a request may take; called each time, so that a reload changes it. Default 5. */
  readonly readSeconds?: () => number;
  /** Where slow reads are told. SQLite in memory tells none. */
  readonly slow?: SlowReads;
  /** Prepared statements cached by each connection. Default 500. */
  readonly statements?: number;
  /** Called with each statement (of SQLite's writer) before it runs. For tests. */
  readonly trace?: (sql: string) => void;
  /**
   * Called once when an error of SQLite's file or disk ended all writing and a restart may help. If given,
   * the file is watched, as a server needs.
   */
  readonly failed?: (error: TreadleError) => void;
  /** Uses only this SQLite binding. For tests. */
  readonly binding?: BindingName;
  /** Whether to create a missing PostgreSQL schema; else it reads as empty. Default true. */
  readonly isMaking?: boolean;
}

/**
 * Opens the database of a URL and checks its settings. Creates a missing SQLite file and folder, or
 * PostgreSQL schema.
 * @throws DATABASE_URL_UNSUPPORTED, DATABASE_BINDING_MISSING, DATABASE_UNWRITABLE, DATABASE_UNREACHABLE,
 *   DATABASE_SETTING_REFUSED
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { url } = options;
  if (url.startsWith('sqlite:')) return openSqlite(options);
  if (/^postgres(ql)?:\/\//i.test(url))
    return openPostgres({ ...options, readMilliseconds: toReadMilliseconds(options) });
  const scheme = /^[a-z+]+:/i.exec(url)?.[0] ?? 'no scheme';
  throw new TreadleError('DATABASE_URL_UNSUPPORTED', `The database URL has ${scheme}, which is not supported.`, {
    hint: 'Write sqlite:var/app.db or postgres://user:password@host/name in config/settings.json or DATABASE_URL.',
  });
}

/** Opens a SQLite database; see {@link openDatabase}. */
async function openSqlite(options: OpenOptions): Promise<SqliteDatabase> {
  const { clock, log } = options;
  const path = options.url.slice('sqlite:'.length);
  const isMemory = path === ':memory:';
  const file = isMemory ? path : resolve(options.root, path.replace(/^\/\//, ''));
  const binding = await loadBinding(options.binding);
  if (!isMemory) {
    await makeFolder(dirname(file));
    await makePrivate(file, log);
  }
  const statements = options.statements === undefined ? {} : { statements: options.statements };
  const trace = options.trace === undefined ? {} : { trace: options.trace };
  const connect = async (more: Partial<ConnectionOptions>): Promise<Connection> => {
    try {
      return new Connection(await binding.open(file), { binding, clock, ...statements, ...more });
    } catch (error) {
      throw toTreadleError(error);
    }
  };
  const openWriter = async (): Promise<Connection> => {
    const opened = await connect(trace);
    try {
      await applyWriterSettings(opened, isMemory);
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  };
  const reserve = isMemory || options.failed === undefined ? undefined : new Reserve(file);
  const connection = await openWriter().catch(async (error: TreadleError) => {
    if (!(await makeRoom(file, reserve))) throw isMemory ? error : await explainBegin(file, error);
    log.warn('the disk of the database is full; the reserve is used', { error });
    return openWriter();
  });
  if (reserve !== undefined)
    await checkRoom(file).then(
      () => reserve.keep(),
      () => {},
    );
  const guard = isMemory ? undefined : new FileGuard(file);
  const failed = (error: TreadleError): void => {
    log.error('database-failed', { error });
    if (!isDamage(error)) options.failed?.(error);
  };
  const own =
    guard === undefined ? {} : { checkFile: () => guard.check(), explainBegin: explainBegin.bind(null, file) };
  const writer = new Writer({ connection, clock, failed, ...own });
  const openReader = async (): Promise<Connection> => {
    // SQLite would create a missing file.
    writer.checkFile();
    const reader = await connect({ damaged: (error) => writer.fail(error) });
    try {
      await applyReaderSettings(reader);
      // The file of this name may have been replaced.
      writer.checkFile();
      return reader;
    } catch (error) {
      await reader.close();
      throw error;
    }
  };
  const { slow = new SlowReads() } = options;
  const reading = { clock, log, slow, readMilliseconds: toReadMilliseconds(options) };
  return new SqliteDatabase({
    // Closing has just freed the space of the log and the shared memory.
    closed: async () => reserve?.keep(),
    connection,
    writer,
    readers: isMemory ? undefined : new Readers({ ...reading, open: openReader, limit: options.readers ?? 4 }),
    openReader: isMemory ? undefined : openReader,
    health: guard === undefined ? undefined : new SqliteHealth({ writer, clock, openReader, file, guard, reserve }),
    isWatching: guard !== undefined && options.failed !== undefined,
    file: isMemory ? undefined : file,
    log,
    clock,
  });
}

/** Whether the disk was full and removing the reserve freed space. */
async function makeRoom(file: string, reserve: Reserve | undefined): Promise<boolean> {
  if (reserve === undefined) return false;
  const hasRoom = await checkRoom(file).then(
    () => true,
    () => false,
  );
  return !hasRoom && reserve.release();
}

const toReadMilliseconds =
  ({ readSeconds }: Pick<OpenOptions, 'readSeconds'>): (() => number) =>
  () =>
    (readSeconds?.() ?? READ_SECONDS) * 1000;

const OTHERS = 0o077;

/**
 * Makes the file, and the log and index beside it, readable by their owner alone. SQLite gives the two others the
 * rights of the file.
 */
async function makePrivate(file: string, log: Log): Promise<void> {
  // A missing file is made empty; `openWriter` reports a folder that cannot be written.
  await open(file, 'a', 0o600).then(
    (handle) => handle.close(),
    () => {},
  );
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      const { mode } = await stat(path);
      if ((mode & OTHERS) === 0 || process.platform === 'win32') continue;
      await chmod(path, mode & 0o700);
      log.info('a file of the database was readable by others; now only by its owner', { file: path });
    } catch {
      // It is missing, or belongs to somebody else.
    }
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new TreadleError('DATABASE_UNWRITABLE', 'The folder of the database file cannot be created.', {
      status: 503,
      hint: 'Give the user that runs Treadle the right to write there, or set DATABASE_URL.',
      detail: { folder },
      cause,
    });
  }
}
