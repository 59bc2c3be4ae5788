import type { Clock } from '../../core/clock.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
import { type RowPlan } from './row-plan.ts';
/** The row plan of a schema, compiled on first use and kept as long as the plan. */
export type RowPlans = (schema: SchemaModel, clock: Clock) => RowPlan;
export declare function createRowPlans(model: Model): RowPlans;
