import { TreadleError } from '../../core/errors.ts';
import type { Response } from '../../core/request/response.ts';
import { currentScope, type Unit } from '../../core/scope.ts';

const HINT = 'What may fail alone is put into an app.transaction of its own, inside this one.';

/** @throws TRANSACTION_FAILED for code that goes on although an emit of its transaction has failed. */
export function refuseFailed(unit: Unit | undefined): void {
  const failed = unit?.failed;
  if (failed === undefined) return;
  const { event, message } = failed;
  const reason = message === undefined ? '' : ` ("${message}")`;
  const remedy = 'Look at isError() after each emit, and return or throw.';
  const text = `"${event}" failed in app.transaction${reason}, so all of it is rolled back. ${remedy}`;
  throw new TreadleError('TRANSACTION_FAILED', text, { hint: HINT });
}

/** Notes that code got the response of an emit: if that failed, the code must look at it. */
export function noteGiven(response: Response): void {
  const failed = currentScope.getStore()?.unit?.failed;
  if (failed?.response === response) failed.looks = response.looks;
}

/**
 * Whether a transaction is to be rolled back at its end.
 * @throws TRANSACTION_FAILED if an emit failed and the code has not looked at its response.
 */
export function isRolledBack(unit: Unit): boolean {
  if (unit.failed && unit.failed.looks === unit.failed.response.looks) refuseFailed(unit);
  return unit.failed !== undefined;
}
