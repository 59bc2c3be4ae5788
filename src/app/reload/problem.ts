import type { Problem, TreadleError } from '../../core/errors.ts';

/** The problem for an error that a reload threw. */
export function toReloadProblem(error: unknown): Problem {
  const { code, message, hint } = error as Partial<TreadleError>;
  return {
    code: code ?? 'RELOAD_FAILED',
    file: 'project',
    path: '',
    message: message ?? String(error),
    ...(hint === undefined ? {} : { hint }),
  };
}
