import type { Json } from '../../../model/json/value-schema.ts';
import { type Batch, MOST_ITEMS, toBatchCall } from '../../../plan/call/batch.ts';
import { createPlainItem, listServedBatches } from '../batch.ts';
import type { DocumentParts } from './operation.ts';
import { headerRef, parameterRef, RATE_HEADERS, responseRef } from './parts.ts';
import { listSecurity } from './security.ts';

const DESCRIPTION = [
  'Runs 1 to 100 calls that write rows in one transaction: all of them, or none. Each is judged as it would be alone.',
  'A value `{"$ref": "a.order_id"}` in `path` or `body` is that column of the results of the earlier item `a`.',
  'A client that sends only objects sends `{"operations": [ … ]}`.',
].join(' ');

const id: Json = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Names the item for references' };

const toItem = ({ calls }: Batch): Json => ({
  type: 'object',
  required: ['call'],
  properties: {
    id,
    call: { type: 'string', enum: [...calls.keys()].sort(), description: 'Name of the call' },
    path: { type: 'object', additionalProperties: true, description: 'Parameters of the call’s path, by name' },
    body: { type: 'object', additionalProperties: true, description: 'Body of the call' },
    ifMatch: { type: 'string', description: 'ETag of the row, as in If-Match' },
  },
  additionalProperties: false,
});

const toBody = (batch: Batch): Json => ({
  type: 'array',
  title: 'Writes in one transaction',
  minItems: 1,
  maxItems: MOST_ITEMS,
  items: toItem(batch),
});

const RESULTS: Json = {
  type: 'array',
  description: 'What each item answered, in order',
  items: {
    type: 'object',
    required: ['call', 'status', 'results'],
    properties: {
      id,
      call: { type: 'string' },
      status: { type: 'integer', minimum: 200, maximum: 299 },
      etag: { type: 'string', description: 'Version of the row, for the next ifMatch' },
      results: { type: 'object', additionalProperties: true },
    },
  },
};

const STATUSES = [400, 401, 403, 404, 409, 412, 413, 415, 422, 428, 429];
const OF_CREDENTIALS: ReadonlySet<number> = new Set([401, 429]);

function toResponses({ access }: Batch, items: readonly Json[]): Json {
  const isLimited = access !== 'public';
  const headers = {
    ...(isLimited ? RATE_HEADERS : {}),
    'Idempotency-Replayed': headerRef('Idempotency-Replayed'),
    'X-Request-Id': headerRef('X-Request-Id', true),
  };
  const schema = {
    type: 'object',
    required: ['error', 'results'],
    properties: { error: { type: 'boolean', const: false }, results: RESULTS },
  };
  const done = items.map(({ id: name, call }) => ({
    ...(name === undefined ? {} : { id: name }),
    call,
    status: 201,
    results: {},
  }));
  const statuses = STATUSES.filter((status) => isLimited || !OF_CREDENTIALS.has(status));
  return {
    200: {
      description: 'Done',
      headers,
      content: { 'application/json': { schema, example: { error: false, results: done } } },
    },
    ...Object.fromEntries(statuses.map((status) => [status, responseRef(`problem${status}`)])),
    default: responseRef('problem'),
  };
}

function toOperation(batch: Batch, { plan, shared }: DocumentParts): Json {
  const call = toBatchCall(batch);
  // Tools take a `$ref` in an example for one of the document.
  const items = [createPlainItem(batch, plan)];
  const isTaken = plan.calls.some(({ name }) => name === call.name);
  return {
    operationId: isTaken ? `${call.name}-of-calls` : call.name,
    summary: 'Several writes in one transaction',
    description: DESCRIPTION,
    tags: [batch.access],
    parameters: [parameterRef('IdempotencyKey')],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: shared.share('schemas', `${batch.access}-batch`, toBody(batch)),
          example: items,
        },
      },
    },
    responses: toResponses(batch, items),
    security: listSecurity(call, plan.model, false),
    'x-treadle-access': batch.access,
  };
}

/** The paths of the batches. */
export const buildBatchPaths = (parts: DocumentParts): Record<string, Record<string, Json>> =>
  Object.fromEntries(listServedBatches(parts.plan).map((batch) => [batch.path, { post: toOperation(batch, parts) }]));
