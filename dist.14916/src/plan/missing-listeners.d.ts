import type { Problem } from '../core/errors.ts';
import type { CompiledPlan } from './compile.ts';
/**
 * Calls and hooks with an event that has no listener: the call can only fail, the hook never fires. No error, so that a
 * definition can be saved before its listener is written; advice on a hook, because code may emit what it reports.
 */
export declare function findMissingListeners(plan: CompiledPlan): Problem[];
