import type { Problem } from '../core/errors.ts';
import type { CompiledPlan } from './compile.ts';
/**
 * Advice on permissions that match no route and no static file, and on those for paths that are never
 * guarded.
 *
 * @param files Paths of the static files, such as `/staff/plan.txt`.
 */
export declare function findUnmet(plan: CompiledPlan, files: readonly string[]): Problem[];
