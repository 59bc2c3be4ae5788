import type { Model } from '../../model/model.ts';
import type { Json } from '../../model/value-schema.ts';
import type { CallFacts, Method } from './call-facts.ts';
/** Every response of a call, by status. */
export declare function toResponses(facts: CallFacts, method: Method, model: Model): Json;
