import type { Problem } from '../../core/errors.ts';
import type { Model } from '../../model/model.ts';
import type { CallPlan } from '../../plan/feature.ts';
/** Advice on calls that always fail, because no role of their callers allows the action. */
export declare function findClosedCalls(model: Model, calls: readonly CallPlan[]): Problem[];
