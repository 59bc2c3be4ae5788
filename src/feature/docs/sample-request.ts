import type { Json } from '../../model/value-schema.ts';
import type { CallFacts } from './call-facts.ts';
import { pickMethod, toSampleBody } from './call-sample.ts';

/** A text of which parts stand in the environment: what differs by reader is set once, and each sample runs as it stands. */
export type SampleText = readonly (string | { readonly env: string })[];

/** A request before it is written in some language. */
export interface SampleRequest {
  /** In capitals. */
  readonly method: string;
  readonly url: SampleText;
  readonly headers: readonly (readonly [name: string, value: SampleText])[];
  /** Variables that hold the user and the password of HTTP Basic. */
  readonly basic?: { readonly user: string; readonly password: string };
  readonly json?: Json;
  readonly form?: readonly (readonly [name: string, value: SampleText])[];
  /** Whether the answer has `error` and `results`, which the token doors' has not. */
  readonly isEnvelope: boolean;
}

const env = (name: string): { readonly env: string } => ({ env: name });

/** Puts a query behind an address; names and fixed values are percent-encoded. */
export function toUrl(address: string, query: readonly (readonly [name: string, value: SampleText])[]): SampleText {
  const parts = query.flatMap(([name, value], index) => [
    `${index === 0 ? '?' : '&'}${encode(name)}=`,
    ...value.map((part) => (typeof part === 'string' ? encode(part) : part)),
  ]);
  return mergeTexts([address, ...parts]);
}

/** As `encodeURIComponent`, and with what a shell or a curl address would take for its own. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Joins fixed parts that stand side by side. */
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

/** A request to the call that works once the variables are set: what is required, and for a search a page of two. */
export function toSampleRequest(facts: CallFacts, baseUrl: string): SampleRequest {
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
    ...(isWrite && facts.body.length > 0 ? { json: toSampleBody(facts) } : {}),
    isEnvelope: true,
  };
}

/** Variables that a request names, in the order of their first use. */
export function listVariables({ url, headers, form = [], basic }: SampleRequest): string[] {
  const texts = [url, ...headers.map(([, value]) => value), ...form.map(([, value]) => value)].flat();
  const named = texts.flatMap((part) => (typeof part === 'string' ? [] : [part.env]));
  return [...new Set([...(basic ? [basic.user, basic.password] : []), ...named])];
}
