import { toStatusCode } from '../../../core/error-catalog.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import { headerRef, schemaRef } from './parts.ts';

/** The body of every error. @see RFC 9457 */
export const PROBLEM: Json = {
  type: 'object',
  title: 'Problem',
  description: 'Problem details of RFC 9457, with the members error, message and validation.',
  required: ['type', 'title', 'status', 'detail', 'code', 'error', 'message', 'validation'],
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'Address of the page that explains the code; about:blank if the site has no docs',
    },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'What is wrong, for a person' },
    instance: { type: 'string', format: 'uri-reference' },
    error: { type: 'boolean', const: true },
    message: { type: 'string', description: 'The same as detail' },
    validation: {
      type: 'object',
      description: 'Messages by column; for a list or a group of fields, by item and field',
      additionalProperties: { anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'array', items: {} }] },
    },
    errors: {
      type: 'array',
      description: 'Each error with its place: a pointer into the body, a parameter or a header',
      items: {
        type: 'object',
        required: ['rule', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'RFC 6901', examples: ['/comment_detail'] },
          parameter: { type: 'string', description: 'Of the path or the query', examples: ['filter[product_price]'] },
          header: { type: 'string', examples: ['Idempotency-Key'] },
          rule: {
            type: 'string',
            description: 'The rule that is broken. The docs list all names under error codes, and more may come',
            examples: ['required', 'taken', 'char_lte', 'unknown'],
          },
          detail: { type: 'string', description: 'What is wrong, for a person' },
          params: {
            type: 'object',
            description: 'What the rule was given',
            additionalProperties: true,
            examples: [{ max: 10 }],
          },
          suggestion: { type: 'string', description: 'The name that an unknown one most likely meant' },
        },
      },
    },
    code: { type: 'string', description: 'Code of the error', examples: ['VALIDATION_FAILED'] },
    hint: { type: 'string', description: 'What to do about it' },
    docs: { type: 'string', format: 'uri', description: 'Address of the page that explains the code' },
  },
};

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  406: 'Not Acceptable',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

interface Kind {
  readonly description: string;
  /** The message of the sample. */
  readonly sample: string;
  readonly headers?: readonly string[];
  readonly required?: readonly string[];
}

const KINDS: Readonly<Record<number, Kind>> = {
  400: {
    description: 'The request is malformed',
    sample: '"limt" is not a parameter of a search. Did you mean "limit"?',
  },
  401: {
    description: 'Credentials are missing or wrong',
    sample: 'The access token is unknown, expired or revoked. Ask the user for a new one.',
    headers: ['WWW-Authenticate'],
    required: ['WWW-Authenticate'],
  },
  403: {
    description: 'The token lacks a scope',
    sample: 'The token needs the scope profile_read.',
    headers: ['WWW-Authenticate', 'RateLimit', 'RateLimit-Policy'],
  },
  404: { description: 'The row does not exist', sample: 'Article 12 does not exist.' },
  406: { description: 'The answer has no type that Accept allows', sample: 'This is answered as JSON.' },
  409: {
    description: 'The change conflicts with another row, or a call with this Idempotency-Key is still running',
    sample: 'Another article has this title.',
    headers: ['Retry-After'],
  },
  412: {
    description: 'The row has changed',
    sample: 'The row has changed since you read it.',
    headers: ['ETag'],
  },
  413: { description: 'The body is too large', sample: 'The body is larger than 1048576 bytes.' },
  415: { description: 'The body has another type', sample: 'Send the body as application/json.' },
  422: { description: 'A value breaks a rule', sample: 'Comment is required' },
  428: {
    description: 'The call needs If-Match',
    sample: 'Send If-Match with the ETag that you read.',
    headers: ['ETag'],
  },
  429: {
    description: 'Too many requests',
    sample: 'Too many requests with these credentials. Wait as long as Retry-After says.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
    required: ['Retry-After'],
  },
};

/** Codes of the samples, where the status has a better one than its own. */
const CODES: Readonly<Record<number, string>> = {
  400: 'SEARCH_INVALID',
  401: 'TOKEN_REFUSED',
  403: 'SCOPE_MISSING',
  404: 'ROW_MISSING',
  406: 'ACCEPT_EXCLUDES_JSON',
  409: 'VALUE_TAKEN',
  412: 'ROW_CHANGED',
  413: 'REQUEST_BODY_TOO_LARGE',
  415: 'BODY_TYPE_REFUSED',
  428: 'IF_MATCH_MISSING',
  429: 'RATE_REACHED',
};

const BROKEN: Json = {
  description: 'The server failed, or 503: the service is busy and Retry-After says how long to wait',
  headers: { 'Retry-After': headerRef('Retry-After'), 'X-Request-Id': headerRef('X-Request-Id') },
  content: {
    'application/problem+json': { schema: schemaRef('problem') },
    'application/json': { schema: schemaRef('problem') },
  },
};

function toSample(status: number, message: string): Json {
  const code = CODES[status] ?? toStatusCode(status);
  return {
    type: `https://example.org/developer/docs/errors/${code}`,
    title: TITLES[status],
    status,
    detail: message,
    code,
    error: true,
    message,
    validation: status === 422 ? { comment_detail: message } : {},
  };
}

function toResponse(status: number, { description, sample, headers = [], required = [] }: Kind): Json {
  const named = [...headers, 'X-Request-Id'].map((name) => [name, headerRef(name, required.includes(name))]);
  return {
    description,
    headers: Object.fromEntries(named),
    content: {
      'application/problem+json': { schema: schemaRef('problem'), example: toSample(status, sample) },
      // The same, for clients that accept only this type.
      'application/json': { schema: schemaRef('problem') },
    },
  };
}

/** One response component for each error status. */
export const PROBLEM_RESPONSES: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(
    Object.entries(KINDS).map(([status, kind]) => [`problem${status}`, toResponse(Number(status), kind)]),
  ),
  problem: BROKEN,
};
