import type { Action } from '../core/access.ts';
import type { Model } from '../model/model.ts';
import type { CallPlan } from './feature.ts';
/** What a call does with a schema's rows, as its definition tells. */
export interface CallActions {
    readonly schema: string;
    readonly actions: readonly Action[];
}
/** Undefined where the definition does not tell: a handler answers, or the request names the schema. */
export declare function findCallActions({ definition, handler, schema }: CallPlan, { schemas }: Pick<Model, 'schemas'>): CallActions | undefined;
