import { TreadleError } from '../../core/errors.ts';
import type { Response } from '../../core/response.ts';
import { type Messages, toInvalidMessage } from '../../model/validate.ts';
import type { ConstraintDetail } from './sql.ts';

/** Why an event failed, as data. */
export interface Failure {
  readonly status: number;
  readonly message: string;
  /** Messages by column; for a fieldset by group and field. */
  readonly validation?: Readonly<Messages>;
}

/** Sets a failure on the response (message, status, messages by column) and removes the results. */
export function fail(response: Response, { status, message, validation }: Failure): void {
  response.removeResults().setStatus(status).setError(true, message);
  for (const [column, text] of Object.entries(validation ?? {})) response.addValidation(column, text);
}

/** Sets the results. Keeps an error that was set before the event. */
export function succeed(response: Response, results: unknown): void {
  response.setResults(results);
  if (!response.isError()) response.setError(false);
}

/** A validation failure. Its message is the single fault, or names the invalid columns. */
export function toInvalid(validation: Readonly<Messages>, status = 422): Failure {
  return { status, message: toInvalidMessage(validation), validation };
}

/** The message for an id of a row that does not exist, or that the caller may not see. */
export const toMissingMessage = (label: string, id: unknown): string => `${label} ${String(id)} does not exist`;

export const notFound: Failure = { status: 404, message: 'Not Found' };

export const notOwned = (plural: string): Failure => ({
  status: 403,
  message: `${plural} do not belong to a profile, so a user call cannot reach them.`,
});

export const outOfReach = (singular: string): Failure => ({
  status: 403,
  message: `The change would move the ${singular} out of the rows that you may change.`,
});

/** The constraint that a write violated; undefined for any other error. */
export function findConstraint(error: unknown): ConstraintDetail | undefined {
  return error instanceof TreadleError && error.code === 'DATABASE_CONSTRAINT'
    ? (error.detail as ConstraintDetail)
    : undefined;
}
