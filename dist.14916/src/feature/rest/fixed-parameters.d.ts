import type { Problem } from '../../core/errors.ts';
import type { Facts } from '../../plan/feature.ts';
/**
 * Warnings on fixed parameters of calls that no request can use: a filter on no column, an option that a select does not
 * have. Such a call answers 400, or no rows.
 */
export declare const findFixedProblems: ({ calls, model }: Facts) => Problem[];
