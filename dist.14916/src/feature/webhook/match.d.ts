import type { Request } from '../../core/request.ts';
import type { HookModel } from '../../model/model.ts';
import type { HookPlan } from './hook-plan.ts';
/** Finds the hooks of an event. Exact names are looked up; patterns are tested and skip read-only events. */
export type FindHooks = (event: string) => readonly HookPlan[];
export declare function compileHooks(plans: readonly HookPlan[]): FindHooks;
/** Whether every key of the hook's parameters equals the stage's. */
export declare function isMatch(hook: HookModel, request: Request): boolean;
