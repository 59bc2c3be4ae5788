import { TreadleError } from '../core/errors.ts';

/** The violated constraint, for a message next to a field. */
export interface ConstraintDetail {
  readonly kind: 'unique' | 'exclude' | 'notnull' | 'foreign' | 'check' | 'tree';
  readonly table: string | undefined;
  readonly columns: readonly string[];
  /** Name of the rule of `exclude`, also of the check that a period does not end before it starts. */
  readonly rule?: string;
  readonly sql?: string;
}

/** Seconds after which a client may retry. */
export const RETRY = { 'retry-after': '1' };
/** Like {@link RETRY}, after a full disk. */
const RETRY_FULL = { 'retry-after': '5' };

const WORDS: Readonly<Record<ConstraintDetail['kind'], string>> = {
  unique: 'Another row has this value already',
  exclude: 'The period of another row overlaps',
  notnull: 'A value is required',
  foreign: 'A related row does not exist, or other rows still refer to this one',
  check: 'A value is not allowed',
  tree: 'A row would be below itself',
};

export function constraintError(detail: ConstraintDetail, cause: unknown): TreadleError {
  const { kind, columns } = detail;
  const message = `${WORDS[kind]}${columns.length > 0 ? ` (${columns.join(', ')})` : ''}.`;
  const status = kind === 'unique' || kind === 'exclude' || kind === 'foreign' ? 409 : 422;
  return new TreadleError('DATABASE_CONSTRAINT', message, { status, detail, cause });
}

export function busyError(cause?: unknown): TreadleError {
  return new TreadleError('DATABASE_BUSY', 'The database is busy. Try again in a moment.', {
    status: 503,
    headers: RETRY,
    hint: 'Another process holds the lock, or a transaction takes too long.',
    cause,
  });
}

export function fullError(options: { readonly detail: unknown; readonly cause: unknown }): TreadleError {
  const hint = 'Free some space; what was written before is safe.';
  return new TreadleError('DATABASE_FULL', 'The disk is full.', { status: 507, headers: RETRY_FULL, hint, ...options });
}

export function closedError(): TreadleError {
  return new TreadleError('DATABASE_CLOSED', 'The database is closed.', { status: 503 });
}

/** Error for a statement that would change the transaction without the driver's knowledge. */
export function refusedError(sql: string): TreadleError {
  return new TreadleError('DATABASE_STATEMENT_REFUSED', 'A statement would change the transaction it runs in.', {
    hint: 'Use database.write or database.transaction.',
    detail: { sql },
  });
}

/** SQLSTATEs and SQLite messages for a missing table, column or unique index. */
const MISSING_STATE = /^(42703|42P01|42P10)$/;
const MISSING_WORDS = /no such (table|column)|has no column named|ON CONFLICT clause does not match/;

/** Whether a statement failed because a table, column or unique index is missing. */
export function isStructureError(error: unknown): boolean {
  if (!(error instanceof TreadleError) || error.code !== 'DATABASE_QUERY_FAILED') return false;
  const { code, fault }: { readonly code?: unknown; readonly fault?: unknown } = error.detail ?? {};
  return MISSING_STATE.test(String(code)) || (code === 'SQLITE_ERROR' && MISSING_WORDS.test(String(fault)));
}
