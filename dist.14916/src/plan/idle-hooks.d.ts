import type { Problem } from '../core/errors.ts';
import type { CompiledPlan } from './compile.ts';
/**
 * Advice on hooks that name an event which reports nothing: they never fire. It is no error, because the
 * project works without them.
 */
export declare function findIdleHooks({ hooks, events }: CompiledPlan): Problem[];
