import type { Json } from '../../../model/json/value-schema.ts';

const text = (description: string, example: string): Json => ({ description, schema: { type: 'string' }, example });
const count = (description: string, example: number): Json => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

/** Headers of responses, by name. */
const ANSWERED: Readonly<Record<string, Json>> = {
  ETag: {
    description: 'Version of what is answered: strong of one row, weak (W/) of a list',
    schema: { type: 'string', pattern: '^(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"$' },
    example: '"3q2-7w"',
  },
  Link: text(
    'The first page, and those before and after, as first, prev and next (RFC 8288)',
    '</rest/x?offset=50&limit=50>; rel="next"',
  ),
  Location: {
    description: 'Where the new row is read',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/rest/public/comment/detail/1',
  },
  RateLimit: text('What is left, and the seconds until it is whole again', '"default";r=599;t=60'),
  'RateLimit-Policy': text('Calls of a window, and its seconds', '"default";q=600;w=60'),
  'Retry-After': { ...count('Seconds to wait', 12), schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': text('What is missing (RFC 6750)', 'Bearer realm="Site", error="invalid_token"'),
  'Idempotency-Replayed': {
    description: 'true: this is the answer that an earlier call with the key was given',
    schema: { const: 'true' },
    example: 'true',
  },
  'Preference-Applied': text('return=minimal: the row was left out, as Prefer asked', 'return=minimal'),
  Deprecation: text('Since when the call should not be used any more (RFC 9745)', '@1767225600'),
  Sunset: text('From when the call may be gone (RFC 8594)', 'Sat, 31 Jan 2026 00:00:00 GMT'),
  'X-Request-Id': text('Identifier of this request, which the log has too', '0f8c2b1d-17'),
};

/** Prefix of the component names of required headers. */
export const NEEDED = 'Needed-';

/** Header components: each as optional, and as required. */
export const HEADERS: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries(ANSWERED).flatMap(([name, header]) => [
    [name, header],
    [`${NEEDED}${name}`, { ...header, required: true }],
  ]),
);

const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  description: 'ETag that was read: the call changes nothing, and answers 412, where the row has another by now',
  schema: { type: 'string' },
};

/** Headers of requests, as parameter components. */
export const HEADER_PARAMETERS: Readonly<Record<string, Json>> = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETags that the client has: 304 without a body where one of them is still good',
    schema: { type: 'string' },
  },
  IfMatch: IF_MATCH,
  NeededIfMatch: { ...IF_MATCH, required: true },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A text of your own, such as a UUID: the call sent again with it within 24 hours happens once',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: 'return=minimal leaves the row out of the answer (RFC 7240)',
    schema: { type: 'string' },
  },
};
