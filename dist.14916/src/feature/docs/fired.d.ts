import type { HookModel } from '../../model/model.ts';
import type { CallPlan } from '../../plan/feature.ts';
/** A hook that a call fires, always or depending on the values of the request. */
export interface Fired<T> {
    readonly item: T;
    readonly isCertain: boolean;
}
/** The hooks that a successful call fires. */
export declare const listFiredHooks: (call: CallPlan, hooks: readonly HookModel[]) => Fired<HookModel>[];
/** The calls that fire a hook. */
export declare const listFiringCalls: (hook: HookModel, calls: readonly CallPlan[]) => Fired<CallPlan>[];
