import type { Model, SchemaModel } from '../../model/model.ts';
import { type Json } from '../../model/value-schema.ts';
import type { CallPlan } from '../../plan/feature.ts';
/** A parameter of a call's path or query. */
export interface ParameterFacts {
    readonly name: string;
    readonly place: 'path' | 'query';
    readonly type: string;
    readonly description: string;
    readonly isRequired: boolean;
    readonly schema: Json;
    readonly sample: string;
}
export declare const OPERATORS: readonly string[];
/** The search grammar for one schema: only what its flags allow. */
export declare function listSearchParameters(schema: SchemaModel, model: Model, call: CallPlan): ParameterFacts[];
/** The parameters of a detail, except the row's id. */
export declare function listDetailParameters(schema: SchemaModel, model: Model, call: CallPlan): ParameterFacts[];
