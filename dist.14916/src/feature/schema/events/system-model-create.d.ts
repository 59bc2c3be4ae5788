import type { EventContribution } from '../../../plan/feature.ts';
import type { RowPlans } from '../row-plans.ts';
export declare const systemModelCreate: (plans: RowPlans) => EventContribution;
