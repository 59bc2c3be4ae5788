import type { Model } from '../../model/model.ts';
import type { Json } from '../../model/value-schema.ts';
import type { CallFacts, Method } from './call-facts.ts';
/** The method of a sample: a call with method `all` and a body uses POST. */
export declare function pickMethod(facts: CallFacts): Method;
/** A body with the required fields, or with the first field if none is required. */
export declare function toSampleBody(facts: CallFacts): Json;
/** An example answer of the call. */
export declare function toSampleAnswer(facts: CallFacts, model: Model): Json;
