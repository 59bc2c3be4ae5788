import { type Problem, readCode, readMessage, TreadleError } from '../../core/errors.ts';

/** The problem for an error that a reload threw. */
export function toReloadProblem(error: unknown): Problem {
  const hint = error instanceof TreadleError ? error.hint : undefined;
  return {
    code: readCode(error) || 'RELOAD_FAILED',
    file: 'project',
    path: '',
    message: readMessage(error),
    ...(hint === undefined ? {} : { hint }),
  };
}
