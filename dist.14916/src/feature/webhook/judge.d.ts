import type { Problem } from '../../core/errors.ts';
import type { Facts } from '../../plan/feature.ts';
import type { HookPlan } from './hook-plan.ts';
/** All problems of the hooks. */
export declare function judgeHooks(plans: readonly HookPlan[], facts: Facts): Problem[];
