import type { SchemaModel } from '../../model/model.ts';
import type { RestMethod } from '../../model/shape.ts';
import type { CallPlan, Plan } from '../../plan/feature.ts';
import { type BodyFacts } from './call-body.ts';
import { type ErrorFacts } from './call-errors.ts';
import { type ParameterFacts } from './search-parameters.ts';
export type Action = 'search' | 'detail' | 'create' | 'update' | 'remove' | 'restore' | 'link' | 'unlink' | 'batch' | 'other';
export type Method = Exclude<RestMethod, 'all'>;
/** Everything that the docs show about a call, computed from the plan once for pages and OpenAPI. */
export interface CallFacts {
    readonly call: CallPlan;
    readonly action: Action;
    readonly schema: SchemaModel | undefined;
    readonly methods: readonly Method[];
    readonly parameters: readonly ParameterFacts[];
    readonly body: readonly BodyFacts[];
    readonly status: 200 | 201;
    readonly errors: readonly ErrorFacts[];
    /** The results of the event in a sentence, if they are not a row. */
    readonly results: string | undefined;
}
/** Computes the facts about a call. */
export declare function toCallFacts(call: CallPlan, plan: Plan): CallFacts;
