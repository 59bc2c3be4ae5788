import type { HookModel, Model } from '../../model/model.ts';
import { type HookFault } from './filter.ts';
import type { IsSecret } from './secret-name.ts';
/** Data that a hook captured from an event's results. */
export interface Captured {
    /** Minified JSON, as it is sent. */
    readonly data: string;
    /** Profile that the data belongs to; undefined if none. */
    readonly profileId: number | undefined;
}
/** A hook, compiled once per plan. */
export interface HookPlan {
    readonly hook: HookModel;
    /** Undefined if the hook's filter rejects the data. */
    capture(event: string, results: unknown): Captured | undefined;
    readonly faults: readonly HookFault[];
}
/** Compiles a hook's filter and columns, and finds the owner of its data. */
export declare function compileHookPlan(hook: HookModel, model: Model, isSecret: IsSecret): HookPlan;
