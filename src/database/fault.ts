import { TreadleError } from '../core/errors.ts';

/** What broke a rule of the tables: for whoever turns it into a message beside a field. */
export interface ConstraintDetail {
  readonly kind: 'unique' | 'notnull' | 'foreign' | 'check';
  readonly table: string | undefined;
  readonly columns: readonly string[];
  readonly sql?: string;
}

/** Seconds after which a client may try again. */
export const RETRY = { 'retry-after': '1' };

const WORDS: Readonly<Record<ConstraintDetail['kind'], string>> = {
  unique: 'Another row has this value already',
  notnull: 'A value is required',
  foreign: 'A row that this one leads to does not exist, or others still lead to this one',
  check: 'A value is not allowed',
};

export function constraintError(detail: ConstraintDetail, cause: unknown): TreadleError {
  const { kind, columns } = detail;
  const message = `${WORDS[kind]}${columns.length > 0 ? ` (${columns.join(', ')})` : ''}.`;
  const status = kind === 'unique' || kind === 'foreign' ? 409 : 422;
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
  return new TreadleError('DATABASE_FULL', 'The disk is full.', { status: 507, hint, ...options });
}

export function closedError(): TreadleError {
  return new TreadleError('DATABASE_CLOSED', 'The database is closed.', { status: 503 });
}

/** A statement would change the transaction behind the driver's back. */
export function refusedError(sql: string): TreadleError {
  return new TreadleError('DATABASE_STATEMENT_REFUSED', 'A statement would change the transaction it runs in.', {
    hint: 'Use database.write or database.transaction.',
    detail: { sql },
  });
}
