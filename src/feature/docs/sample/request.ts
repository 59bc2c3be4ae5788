import type { Json } from '../../../model/json/value-schema.ts';
import type { CallFacts } from '../call-facts.ts';
import { createSampleBody, pickMethod } from './call-sample.ts';

/** A text with parts from the environment: the reader sets their credentials once, and each sample runs unchanged. */
export type SampleText = readonly (string | { readonly env: string })[];

/** A request, independent of a language. */
export interface SampleRequest {
  /** In capitals. */
  readonly method: string;
  readonly url: SampleText;
  readonly headers: readonly (readonly [name: string, value: SampleText])[];
  /** Environment variables with the user and the password of HTTP Basic. */
  readonly basic?: { readonly user: string; readonly password: string };
  readonly json?: Json;
  readonly form?: readonly (readonly [name: string, value: SampleText])[];
  /** True if the answer has `error` and `results`; the token endpoints' answers do not. */
  readonly isEnvelope: boolean;
}

/** A URL for people: variables in capitals. */
export const printSample = (text: SampleText): string =>
  text.map((part) => (typeof part === 'string' ? part : part.env)).join('');

export const env = (name: string): { readonly env: string } => ({ env: name });

/** Appends a query to a URL; names and fixed values are percent-encoded. */
export function toUrl(address: string, query: readonly (readonly [name: string, value: SampleText])[]): SampleText {
  const parts = query.flatMap(([name, value], index) => [
    `${index === 0 ? '?' : '&'}${encode(name)}=`,
    ...value.map((part) => (typeof part === 'string' ? encode(part) : part)),
  ]);
  return mergeTexts([address, ...parts]);
}

/** As `encodeURIComponent`, and also encodes characters that are special in a shell or a curl URL. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Joins adjacent fixed parts. */
export function mergeTexts(parts: SampleText): SampleText {
  const merged: (string | { readonly env: string })[] = [];
  for (const part of parts) {
    const last = merged[merged.length - 1];
    if (typeof part === 'string' && typeof last === 'string') merged[merged.length - 1] = last + part;
    else merged.push(part);
  }
  return merged;
}

function toPath({ call, parameters }: CallFacts): string {
  const segments = call.path.split('/').map((segment) => {
    const parameter = parameters.find(({ name, place }) => place === 'path' && segment === `:${name}`);
    return parameter ? encode(parameter.sample) : encodeURIComponent(segment);
  });
  return segments.join('/').replace(/%2A/g, '*');
}

/**
 * A request to the call that works once the variables are set: with required values, and for a search a page of two
 * rows.
 */
export function createSampleRequest(facts: CallFacts, baseUrl: string): SampleRequest {
  const { access } = facts.call.definition;
  const method = pickMethod(facts);
  const isWrite = method !== 'get';
  const query = facts.parameters
    .filter(({ place, isRequired, name }) => place === 'query' && (isRequired || name === 'limit' || name === 'sort'))
    .filter(({ sample }) => sample !== '')
    .map(({ name, sample }) => [name, [sample]] as const);
  const isByQuery = access === 'app' && !isWrite;
  return {
    method: method.toUpperCase(),
    url: toUrl(baseUrl + toPath(facts), [...query, ...(isByQuery ? [['client_id', [env('CLIENT_ID')]] as const] : [])]),
    headers: access === 'user' ? [['Authorization', ['Bearer ', env('ACCESS_TOKEN')]]] : [],
    ...(access === 'app' && isWrite ? { basic: { user: 'CLIENT_ID', password: 'CLIENT_SECRET' } } : {}),
    ...(isWrite && facts.body.length > 0 ? { json: createSampleBody(facts) } : {}),
    isEnvelope: true,
  };
}

/** Environment variables of a request, in the order of their first use. */
export function listVariables({ url, headers, form = [], basic }: SampleRequest): string[] {
  const texts = [url, ...headers.map(([, value]) => value), ...form.map(([, value]) => value)].flat();
  const named = texts.flatMap((part) => (typeof part === 'string' ? [] : [part.env]));
  return [...new Set([...(basic ? [basic.user, basic.password] : []), ...named])];
}
