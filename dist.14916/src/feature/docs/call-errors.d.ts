import type { CallPlan } from '../../plan/feature.ts';
import type { Action } from './call-facts.ts';
/** An error status of a call. */
export interface ErrorFacts {
    readonly status: number;
    readonly reason: string;
    /** True if only methods that write can return it. */
    readonly isOfWrites: boolean;
}
/** True if `If-Match` may condition a write of this action. */
export declare const hasVersion: (action: Action) => boolean;
/** Every error status of a call, with its reason. */
export declare function listErrors(call: CallPlan, action: Action): ErrorFacts[];
