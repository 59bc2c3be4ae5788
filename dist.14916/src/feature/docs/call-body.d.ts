import type { SchemaModel } from '../../model/model.ts';
import { type Json } from '../../model/value-schema.ts';
import type { CallPlan } from '../../plan/feature.ts';
import type { Action } from './call-facts.ts';
/** One key of a call's body. */
export interface BodyFacts {
    readonly name: string;
    readonly type: string;
    readonly isRequired: boolean;
    /** True if null clears it. */
    readonly mayBeNull?: boolean;
    readonly rules: readonly string[];
    readonly description: string;
    readonly schema: Json;
    readonly sample: unknown;
}
/** The keys of a call's body: the columns of a row, or the operations of a batch. */
export declare function listBody(call: CallPlan, schema: SchemaModel, action: Action): BodyFacts[];
/** The columns as the JSON Schema of a closed object; null clears a column that is not required. */
export declare function toColumnsSchema(body: readonly BodyFacts[]): Json & {
    readonly properties: Json;
};
