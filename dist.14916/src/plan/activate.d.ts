import type { CompiledPlan } from './compile.ts';
import type { Context, Services } from './feature.ts';
/**
 * Binds a compiled plan to the running services: adds the built-in listeners (always last), then freezes the
 * bus. Once per plan.
 */
export declare function activatePlan(plan: CompiledPlan, services: Services): Context;
/** Each seed writes only what differs, so a start without changes does not wait for the disk. */
export declare function runSeeds(plan: CompiledPlan, context: Context): Promise<void>;
