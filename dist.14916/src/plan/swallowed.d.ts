import type { Problem } from '../core/errors.ts';
import type { CompiledPlan } from './compile.ts';
/**
 * Routes of the project for any path, which answer before Treadle's own: its log-in, its calls, its docs. One with a
 * priority only looks on, as middleware does, so it is not told.
 */
export declare function findSwallowed(plan: CompiledPlan): Problem[];
