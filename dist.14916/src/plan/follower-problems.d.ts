import type { Problem } from '../core/errors.ts';
import type { CompiledPlan } from './compile.ts';
/** Problems of `after` listeners: schemas that are not defined, and listeners that never run. */
export declare const findFollowerProblems: (plan: CompiledPlan) => Problem[];
