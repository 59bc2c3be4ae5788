import type { Problem } from '../../core/errors.ts';
/** The problem for an error that a reload threw. */
export declare function toReloadProblem(error: unknown): Problem;
