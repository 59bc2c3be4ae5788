import { type Listener } from '../../core/bus.ts';
import type { Model } from '../../model/model.ts';
import type { CallPlan, Context, RouteContribution } from '../../plan/feature.ts';
/** The route of a call: guard, stage, event (or hand-written handler), answer. */
export declare function toCallRoute(call: CallPlan, model: Model): RouteContribution;
/** Compiles a call to its listener. */
export declare function compileCall(call: CallPlan, context: Context): Listener;
/**
 * The last route under /rest: 404, or 405 with `Allow` if the path has calls of other methods, and OPTIONS.
 */
export declare function toMissingRoute(calls: readonly CallPlan[]): RouteContribution;
