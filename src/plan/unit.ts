import { TreadleError } from '../core/errors.ts';
import type { Response } from '../core/response.ts';
import { currentScope, type Unit } from '../core/scope.ts';
import { isRead } from '../model/hook-event.ts';
import type { Context, Plan } from './feature.ts';
import type { WorkWatch } from './work-watch.ts';

const HINT = 'What may fail alone is put into an app.transaction of its own, inside this one.';

/** Events that no hook reports, but that are rolled back with the transaction. */
const QUEUING = ['mail-send', 'job-queue'];

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

/** Events that only read: one that fails leaves nothing half done. */
function findReading({ events }: Pick<Plan, 'events'>): (event: string) => boolean {
  const silent = new Set(events.filter(({ commits }) => commits === 'nothing').map(({ event }) => event));
  return (event) => !QUEUING.includes(event) && (silent.has(event) || isRead(event));
}

/** The emit, which in an `app.transaction` notes the first one that failed, and refuses writes after it. */
export function watchEmit(emit: Context['emit'], plan: Pick<Plan, 'events'>, watching: WorkWatch): Context['emit'] {
  const isReading = findReading(plan);
  const writing = new Set(plan.events.map(({ event }) => event).filter((event) => !isReading(event)));
  return async (event, request, response) => {
    const unit = currentScope.getStore()?.unit;
    const faults = response.faults;
    if (writing.has(event)) refuseFailed(unit);
    watching.noteEvent(event);
    const emitted = await emit(event, request, response);
    if (unit === undefined) return emitted;
    if (response.faults === faults) {
      // A listener of it may have gone on after a failed emit.
      if (writing.has(event)) refuseFailed(unit);
    } else if (!isReading(event)) {
      const message = response.getMessage();
      unit.failed ??= { event, response, looks: undefined, ...(message === undefined ? {} : { message }) };
    }
    return emitted;
  };
}
