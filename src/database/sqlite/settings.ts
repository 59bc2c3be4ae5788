import { TreadleError } from '../../core/errors.ts';
import type { Connection } from './connection.ts';

/** Bytes of the write-ahead log to keep on disk after a checkpoint: 64 MB. */
const JOURNAL_BYTES = 67_108_864;

/**
 * Kilobytes of pages that each reader keeps, negative as SQLite counts them; its own default is 2000. What is missing
 * comes from the page cache of the operating system, and each commit empties a reader's pages anyway.
 */
const READER_CACHE = -1000;

interface Setting {
  readonly name: string;
  readonly value: string | number;
  /** The expected value when read back. */
  readonly is: string | number;
}

const WRITER: readonly Setting[] = [
  { name: 'journal_mode', value: 'wal', is: 'wal' },
  // FULL is set and read back: a build may have another default for WAL, and then a power cut loses the last
  // commits.
  { name: 'synchronous', value: 'full', is: 2 },
  { name: 'foreign_keys', value: 'on', is: 1 },
  { name: 'temp_store', value: 'memory', is: 2 },
  { name: 'journal_size_limit', value: JOURNAL_BYTES, is: JOURNAL_BYTES },
];
const READER: readonly Setting[] = [
  { name: 'cache_size', value: READER_CACHE, is: READER_CACHE },
  { name: 'query_only', value: 'on', is: 1 },
  { name: 'temp_store', value: 'memory', is: 2 },
];

/** Two round trips for all settings: each costs a wake-up of this thread, at every start and for every reader. */
async function apply(connection: Connection, settings: readonly Setting[]): Promise<void> {
  await connection.control(settings.map(({ name, value }) => `pragma ${name} = ${value}`).join('; '), 'exec');
  // A pragma's own answer is not trusted, so the values are read back.
  const columns = settings.map(({ name }) => `(select ${name} from pragma_${name}) as ${name}`);
  const [got] = await connection.control(`select ${columns.join(', ')}`);
  for (const { name, value, is } of settings) {
    if (got?.[name] === is) continue;
    throw new TreadleError(
      'DATABASE_SETTING_REFUSED',
      `SQLite keeps ${name} at "${String(got?.[name])}", not "${value}".`,
      {
        hint: 'Keep the database file on a local disk; network file systems do not support WAL.',
      },
    );
  }
}

/** Sets what durability depends on, and reads it back. @throws DATABASE_SETTING_REFUSED */
export function applyWriterSettings(connection: Connection, isMemory: boolean): Promise<void> {
  return apply(connection, isMemory ? WRITER.filter(({ name }) => !name.startsWith('journal')) : WRITER);
}

/** Makes a reader read-only. @throws DATABASE_SETTING_REFUSED */
export function applyReaderSettings(connection: Connection): Promise<void> {
  return apply(connection, READER);
}

/**
 * Turns foreign keys on or off, for rebuilding tables; only outside a transaction. @throws
 * DATABASE_SETTING_REFUSED
 */
export function applyForeignKeys(connection: Connection, isOn: boolean): Promise<void> {
  return apply(connection, [{ name: 'foreign_keys', value: isOn ? 'on' : 'off', is: isOn ? 1 : 0 }]);
}
