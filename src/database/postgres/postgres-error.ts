import { readCode, readMessage, TreadleError, toError } from '../../core/errors.ts';
import { busyError, type ConstraintDetail, constraintError, fullError, RETRY } from '../database-error.ts';
import { toRuleName } from '../index/exclude-rule.ts';
import { isTreeConstraint } from '../tree/trigger.ts';

/** An error of `pg`: the server's have an SQLSTATE as code, network errors a word such as ECONNREFUSED. */
interface PostgresError extends Error {
  readonly code?: string;
  readonly detail?: string;
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
}

const KINDS: Readonly<Record<string, ConstraintDetail['kind']>> = {
  '23505': 'unique',
  '23P01': 'exclude',
  '23502': 'notnull',
  '23503': 'foreign',
  '23001': 'foreign',
  '23514': 'check',
};

/** Network errors, and messages of `pg` about a lost connection. */
const NETWORK =
  /^(ECONN\w+|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOENT|EACCES)$/;
const ENDED =
  /connection terminated|connection ended|connection error|not queryable|client was closed|read timeout|timeout expired|timeout exceeded/i;
/** Messages of `pg` about a connection time-out. */
const LATE = /timeout expired|connection timeout|timeout exceeded|read timeout/i;

/** True if the connection is lost, so that another one may work. Never for errors about a statement. */
export function isLost(error: unknown): boolean {
  const code = readCode(error);
  const message = readMessage(error);
  return /^(08\w{3}|57P0[1-5]|25P03)$/.test(code) || NETWORK.test(code) || (code === '' && ENDED.test(message));
}

/** True if a connection timed out: the server may not be responding. */
export function isLate(error: unknown): boolean {
  const code = readCode(error);
  return code === 'ETIMEDOUT' || (code === '' && LATE.test(readMessage(error)));
}

/** True if the server has no connection left for this user or database. */
export function isFull(error: unknown): boolean {
  return readCode(error) === '53300';
}

/**
 * True if the server shut down or no longer accepts writes, as after a failover: its other connections are
 * useless too.
 */
export function isMoved(error: unknown): boolean {
  return /^(25006|57P0[123])$/.test(readCode(error));
}

/** The error that ends all connections to a server that does not respond. */
export function silentError(): Error {
  return Object.assign(new Error('The database server stopped responding.'), { code: 'ETIMEDOUT' });
}

/**
 * True if the server rolled back a transaction that may succeed when repeated: after a deadlock, a conflict,
 * or a stale plan.
 */
export function isRepeatable(error: unknown): boolean {
  const code = readCode(error);
  return code === '40001' || code === '40P01' || isStalePlan(error);
}

/** The statement was prepared before a table changed. */
export function isStalePlan(error: unknown): boolean {
  const code = readCode(error);
  return code === '26000' || (code === '0A000' && /cached plan/i.test(readMessage(error)));
}

/** The error for the log, without values quoted in the message, and without `detail`, which contains rows. */
function toCause(error: PostgresError): Error {
  const message = (error.message ?? '').replace(/: ".*"$/s, '');
  return Object.assign(new Error(message), { code: error.code, constraint: error.constraint });
}

/** Names in `Key (a, "b")=(1, 2) …`: the server's language changes the words, not the parentheses. */
function parseKey(detail: string | undefined): string[] {
  const list = /\((.*?)\)=\(/s.exec(detail ?? '')?.[1] ?? '';
  return [...list.matchAll(/"((?:[^"]|"")+)"|([^\s,()"]+)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );
}

/** The column in the name of one of our indexes, `<column>_unique`, if the server does not show the key. */
function parseName(constraint: string | undefined): string[] {
  const name = /^(.+)_(unique|index)$/.exec(constraint ?? '')?.[1];
  return name === undefined ? [] : [name];
}

function findColumns(error: PostgresError, kind: ConstraintDetail['kind'], sql: string | undefined): readonly string[] {
  if (kind === 'notnull' || kind === 'tree') return error.column === undefined ? [] : [error.column];
  const columns = parseKey(error.detail);
  if (kind === 'unique') return columns.length > 0 ? columns : parseName(error.constraint);
  // When a referenced row cannot be deleted, the columns are those of the referring rows, so they are left
  // out.
  return kind === 'foreign' && !/^\s*(delete|with)\b/i.test(sql ?? '') ? columns : [];
}

function createConstraintError(
  error: PostgresError,
  found: ConstraintDetail['kind'],
  sql: string | undefined,
): TreadleError {
  const rule = toRuleName(error.constraint);
  // An exclusion constraint of the project's own may say anything.
  const kind = found === 'exclude' && rule === undefined ? 'unique' : found;
  const columns = kind === 'exclude' ? [] : findColumns(error, kind, sql);
  const detail = {
    kind,
    table: error.table,
    columns,
    ...(rule === undefined ? {} : { rule }),
    ...(sql === undefined ? {} : { sql }),
  };
  return constraintError(detail, toCause(error));
}

export function unreachableError(error: unknown): TreadleError {
  return new TreadleError('DATABASE_UNREACHABLE', 'The database server does not respond. Try again in a moment.', {
    status: 503,
    headers: RETRY,
    hint: 'Check that the PostgreSQL server runs and that DATABASE_URL names its host and port.',
    detail: { code: readCode(error) || undefined },
    cause: toCause(toError(error)),
  });
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly hint: string;
}

const LOGIN: Refusal = {
  code: 'DATABASE_UNREACHABLE',
  message: 'The database server refused the connection.',
  status: 503,
  hint: 'Check the user, the password and the name in DATABASE_URL; a server that requires TLS needs ?sslmode=require.',
};
const LONG: Refusal = {
  code: 'DATABASE_TRANSACTION_LONG',
  message: 'A query took too long.',
  status: 503,
  hint: 'Request less at once, or index the compared columns.',
};
const VALUE: Refusal = {
  code: 'DATABASE_VALUE_INVALID',
  message: 'A value does not fit its column.',
  status: 400,
  hint: 'Send a value of the type and size that the field has.',
};
const TEXT: Refusal = {
  code: 'DATABASE_TEXT_INVALID',
  message: 'A text has a character that the database cannot store.',
  status: 400,
  hint: 'Remove the character U+0000, and send valid UTF-8.',
};
const READ_ONLY: Refusal = {
  code: 'DATABASE_UNWRITABLE',
  message: 'The database server accepts no writes.',
  status: 503,
  hint: 'It may be a standby: let DATABASE_URL name the primary.',
};
const DENIED: Refusal = {
  code: 'DATABASE_UNWRITABLE',
  message: 'The database user lacks the permission for this.',
  status: 503,
  hint: 'Grant the user of DATABASE_URL the rights to its schema, or name another schema with ?schema=.',
};

const REFUSALS: readonly [RegExp, Refusal][] = [
  [/^(28\w{3}|3D000)$/, LOGIN],
  [/^57014$/, LONG],
  [/^(22021|22P05)$/, TEXT],
  [/^22/, VALUE],
  [/^25006$/, READ_ONLY],
  [/^(42501|3F000)$/, DENIED],
];

/**
 * Converts an error of PostgreSQL to Treadle's, with the columns of a violated constraint. The SQL goes into
 * `detail`, never into the message; parameters go nowhere.
 */
export function toTreadleError(error: unknown, sql?: string): TreadleError {
  if (error instanceof TreadleError) return error;
  const raw: PostgresError = toError(error);
  const { code = '' } = raw;
  const kind = isTreeConstraint(raw.constraint) ? 'tree' : KINDS[code];
  if (kind !== undefined) return createConstraintError(raw, kind, sql);
  if (isLost(raw)) return unreachableError(raw);
  const cause = toCause(raw);
  const detail = { sql, code: raw.code, fault: cause.message };
  if (isRepeatable(raw) || /^(55P03|53[234]00)$/.test(code)) return busyError(cause);
  if (code === '53100') return fullError({ detail, cause });
  const refusal = REFUSALS.find(([pattern]) => pattern.test(code))?.[1];
  if (refusal === undefined) {
    return new TreadleError('DATABASE_QUERY_FAILED', 'The database refused a query.', { detail, cause });
  }
  const headers = refusal.status === 503 ? RETRY : {};
  const { message, status, hint } = refusal;
  return new TreadleError(refusal.code, message, { status, hint, headers, detail, cause });
}

/** True if a unit of writes may be repeated, because the server rolled it back without an error of its own. */
export const mayRepeat = (error: unknown): boolean => error instanceof TreadleError && isRepeatable(error.cause ?? {});
