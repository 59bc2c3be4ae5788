import type { Json } from '../../model/value-schema.ts';
import type { Plan } from '../../plan/feature.ts';
import type { CallFacts, Method } from './call-facts.ts';
/** The operators below a column in `filter`, with the values that they compare with. */
export declare const COMPARED: Json;
/** Calls are grouped by their schema; calls without one, by access. */
export declare const toTag: ({ schema, call }: CallFacts) => string;
/** A call with one method, as an operation. */
export declare function toOperation(facts: CallFacts, method: Method, plan: Plan, wildcards: readonly string[]): Json;
