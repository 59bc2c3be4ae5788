import { TreadleError } from '../../core/errors.ts';
import type { Response } from '../../core/response.ts';
import { type Messages, toInvalidMessage } from '../../model/validate.ts';
import type { ConstraintDetail } from './sql.ts';

/** Why an event failed, as data. */
export interface Failure {
  readonly status: number;
  readonly message: string;
  /** Messages by column; of a fieldset by group and field. */
  readonly validation?: Readonly<Messages>;
}

/** Sets a failure on the response: message, status, messages by column; results are removed. */
export function fail(response: Response, { status, message, validation }: Failure): void {
  response.removeResults().setStatus(status).setError(true, message);
  for (const [column, text] of Object.entries(validation ?? {})) response.addValidation(column, text);
}

/** Sets what succeeded; an error that was there before the event stays. */
export function succeed(response: Response, results: unknown): void {
  response.setResults(results);
  if (!response.isError()) response.setError(false);
}

/** A failure of validation: its message is the fault, or how many there are. */
export function toInvalid(validation: Readonly<Messages>, status = 422): Failure {
  return { status, message: toInvalidMessage(validation), validation };
}

export const notFound: Failure = { status: 404, message: 'Not Found' };

export const notOwned = (plural: string): Failure => ({
  status: 403,
  message: `${plural} do not belong to a profile, so a user call cannot reach them.`,
});

export const outOfReach = (singular: string): Failure => ({
  status: 403,
  message: `${singular} would then be outside the rows that you may change.`,
});

/** What a write broke in the database; undefined where it failed otherwise. */
export function findConstraint(error: unknown): ConstraintDetail | undefined {
  return error instanceof TreadleError && error.code === 'DATABASE_CONSTRAINT'
    ? (error.detail as ConstraintDetail)
    : undefined;
}
