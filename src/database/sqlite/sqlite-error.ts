import { TreadleError, toError } from '../../core/errors.ts';
import { busyError, type ConstraintDetail, constraintError, fullError } from '../database-error.ts';
import { readBrokenPeriod } from '../index/exclude-rule.ts';
import type { RawError } from './binding.ts';

export const isBusy = (error: RawError): boolean => error.code === 'SQLITE_BUSY' || error.code === 'SQLITE_LOCKED';

/** SQLite rolls the transaction back on these errors, so nothing more may run in it. */
const BREAKING = new Set([
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_NOMEM',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_INTERRUPT',
]);
export const isBreaking = (error: RawError): boolean => BREAKING.has(error.code ?? '');

/** After these errors no write can be trusted to be on disk: the database stops accepting writes. */
const FATAL = new Set(['SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_NOTADB']);
export const isFatal = (error: RawError): boolean => FATAL.has(error.code ?? '');
/** True for errors made from a fatal error ({@link isFatal}). */
export const isFailure = ({ code }: TreadleError): boolean => code === 'DATABASE_FAILED' || code === 'DATABASE_DAMAGED';

/**
 * A page that SQLite did not write. A restart does not repair it, so the process continues with what can be
 * read.
 */
export const isDamage = ({ code }: TreadleError): boolean => code === 'DATABASE_DAMAGED';

function damagedError(cause: unknown): TreadleError {
  return new TreadleError('DATABASE_DAMAGED', 'The database file is damaged.', {
    status: 503,
    hint: 'Stop Treadle, run `pragma integrity_check`, restore the last backup, and start Treadle again.',
    cause,
  });
}

function failedError(cause: unknown): TreadleError {
  return new TreadleError('DATABASE_FAILED', 'The database file cannot be read or written.', {
    status: 503,
    hint: 'Check the disk and the log, run `pragma integrity_check`, and start Treadle again.',
    cause,
  });
}

const CONSTRAINTS: readonly [RegExp, ConstraintDetail['kind']][] = [
  [/UNIQUE constraint failed: (.+)$/, 'unique'],
  [/PRIMARY KEY must be unique/, 'unique'],
  [/NOT NULL constraint failed: (.+)$/, 'notnull'],
  [/FOREIGN KEY constraint failed/, 'foreign'],
  [/CHECK constraint failed/, 'check'],
  [/TREE constraint failed: (.+)$/, 'tree'],
];

function createConstraintError(error: RawError, sql: string | undefined): TreadleError {
  const broken = readBrokenPeriod(error.message);
  if (broken !== undefined) {
    return constraintError({ ...broken, table: undefined, columns: [], ...(sql === undefined ? {} : { sql }) }, error);
  }
  const found = CONSTRAINTS.map(([pattern, kind]) => ({ kind, match: pattern.exec(error.message) })).find(
    ({ match }) => match !== null,
  );
  const kind = found?.kind ?? 'check';
  const names = (found?.match?.[1] ?? '').split(', ').filter((name) => name.includes('.'));
  const columns = names.map((name) => name.slice(name.indexOf('.') + 1));
  const table = names[0]?.slice(0, names[0].indexOf('.'));
  return constraintError({ kind, table, columns, ...(sql === undefined ? {} : { sql }) }, error);
}

/**
 * Converts an error of SQLite to Treadle's. The SQL goes into `detail`, never into the message; parameters go
 * nowhere.
 */
export function toTreadleError(error: unknown, sql?: string): TreadleError {
  if (error instanceof TreadleError) return error;
  const raw: RawError = toError(error);
  const detail = { sql, code: raw.code, fault: raw.message };
  if (raw.code === 'SQLITE_CONSTRAINT') return createConstraintError(raw, sql);
  if (isBusy(raw)) return busyError(raw);
  if (raw.code === 'SQLITE_FULL') return fullError({ detail, cause: raw });
  if (raw.code === 'SQLITE_CORRUPT' || raw.code === 'SQLITE_NOTADB') return damagedError(raw);
  if (isFatal(raw)) return failedError(raw);
  if (raw.code === 'SQLITE_CANTOPEN' || raw.code === 'SQLITE_READONLY') {
    const hint = 'Give the user that runs Treadle the right to write the file and its folder.';
    return new TreadleError('DATABASE_UNWRITABLE', 'The database file cannot be opened for writing.', {
      status: 503,
      hint,
      detail,
      cause: raw,
    });
  }
  return new TreadleError('DATABASE_QUERY_FAILED', 'The database refused a query.', { detail, cause: raw });
}
