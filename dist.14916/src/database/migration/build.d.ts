import type { MigrationPlan } from '../migration-step.ts';
import { type PlanContext } from './context.ts';
/** Plans every table and orders the steps. */
export declare function buildPlan(context: PlanContext, base: string): Promise<MigrationPlan>;
