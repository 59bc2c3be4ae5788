import type { Json } from '../../../model/json/value-schema.ts';
import type { Model } from '../../../model/model.ts';
import type { CallFacts, Method } from '../call-facts.ts';
import { createSampleDetail, createSampleRow } from '../row.ts';

/** The method of a sample: a call with method `all` and a body uses POST. */
export function pickMethod(facts: CallFacts): Method {
  const [only] = facts.methods;
  if (facts.methods.length === 1 && only) return only;
  return facts.action === 'other' || facts.action === 'search' || facts.action === 'detail' ? 'get' : 'post';
}

/** A body with the required fields, or with the first field if none is required. */
export function createSampleBody(facts: CallFacts): Json {
  const required = facts.body.filter(({ isRequired }) => isRequired);
  const chosen = required.length > 0 ? required : facts.body.slice(0, 1);
  return Object.fromEntries(chosen.map(({ name, sample }) => [name, sample]));
}

/** An example answer of the call. */
export function createSampleAnswer(facts: CallFacts, model: Model): Json {
  const { schema, action } = facts;
  if (!schema || action === 'other') return { error: false, results: {} };
  const row = createSampleRow(schema, model);
  if (action === 'search') return { error: false, results: { rows: [row], total: 1 } };
  if (action === 'batch') return { error: false, results: { rows: [row] } };
  if (action === 'link' || action === 'unlink') {
    const { parameters } = facts.call;
    return { error: false, results: Object.fromEntries(parameters.map((name) => [name, 1])) };
  }
  return { error: false, results: action === 'detail' ? createSampleDetail(schema, model) : row };
}
