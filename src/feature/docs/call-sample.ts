import type { Model } from '../../model/model.ts';
import type { Json } from '../../model/value-schema.ts';
import type { CallFacts, Method } from './call-facts.ts';
import { type CurlRequest, toCurl } from './curl.ts';
import { toSampleDetail, toSampleRow } from './row.ts';

/** A request to the call that works once the capital words are replaced. */
export function toCallCurl(facts: CallFacts, baseUrl: string): string {
  const { call, parameters } = facts;
  const method = pickMethod(facts);
  const path = call.path
    .split('/')
    .map((segment) => {
      const parameter = parameters.find(({ name, place }) => place === 'path' && segment === `:${name}`);
      return encodeURIComponent(parameter?.sample ?? segment).replace(/%2A/g, '*');
    })
    .join('/');
  const isWrite = method !== 'get';
  const query = parameters
    .filter(({ place, isRequired, name }) => place === 'query' && (isRequired || name === 'limit' || name === 'sort'))
    .filter(({ sample }) => sample !== '')
    .map(({ name, sample }) => `${name}=${encodeURIComponent(sample)}`);
  if (call.definition.access === 'app' && !isWrite) query.push('client_id=CLIENT_ID');
  const isJson = isWrite && facts.body.length > 0;
  return toCurl({
    method,
    url: `${baseUrl}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    ...toCredentials(facts, isWrite, isJson),
    ...(isJson ? { body: JSON.stringify(toSampleBody(facts)) } : {}),
  });
}

function toCredentials(facts: CallFacts, isWrite: boolean, isJson: boolean): Pick<CurlRequest, 'user' | 'headers'> {
  const { access } = facts.call.definition;
  const headers = [
    ...(access === 'user' ? ['Authorization: Bearer ACCESS_TOKEN'] : []),
    ...(isJson ? ['Content-Type: application/json'] : []),
  ];
  return { headers, ...(access === 'app' && isWrite ? { user: 'CLIENT_ID:CLIENT_SECRET' } : {}) };
}

/** The method that a sample uses: a call of all methods that has a body is sent by POST. */
export function pickMethod(facts: CallFacts): Method {
  const [only] = facts.methods;
  if (facts.methods.length === 1 && only) return only;
  return facts.action === 'other' || facts.action === 'search' || facts.action === 'detail' ? 'get' : 'post';
}

/** A body with what is required, or with the first field where nothing is. */
export function toSampleBody(facts: CallFacts): Json {
  const required = facts.body.filter(({ isRequired }) => isRequired);
  const chosen = required.length > 0 ? required : facts.body.slice(0, 1);
  return Object.fromEntries(chosen.map(({ name, sample }) => [name, sample]));
}

/** An answer that the call could give. */
export function toSampleAnswer(facts: CallFacts, model: Model): Json {
  const { schema, action } = facts;
  if (!schema || action === 'other') return { error: false, results: {} };
  const row = toSampleRow(schema, model);
  if (action === 'search') return { error: false, results: { rows: [row], total: 1 } };
  return { error: false, results: action === 'detail' ? toSampleDetail(schema, model) : row };
}
