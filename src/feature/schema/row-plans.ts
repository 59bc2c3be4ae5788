import type { Clock } from '../../core/clock.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
import { compileRowPlan, type RowPlan } from './row-plan.ts';

/** The row plan of a schema, compiled on first use and cached as long as the plan. */
export type RowPlans = (schema: SchemaModel, clock: Clock) => RowPlan;

export function createRowPlans(model: Model): RowPlans {
  const plans = new Map<string, RowPlan>();
  return (schema, clock) => {
    const known = plans.get(schema.name);
    if (known) return known;
    const made = compileRowPlan(model, schema, clock);
    plans.set(schema.name, made);
    return made;
  };
}
