import { toPortable } from '../../../model/json/portable-schema.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import type { Model } from '../../../model/model.ts';
import { AGGREGATES } from '../../../model/shape.ts';
import { type Action, hasVersion } from '../call-errors.ts';
import type { CallFacts, Method } from '../call-facts.ts';
import { createSampleAnswer } from '../sample/call-sample.ts';
import { detailName, headerRef, responseRef, rowName, schemaRef } from './parts.ts';

const toEnd = (end: string): Json => ({
  anyOf: [{ type: 'number', format: 'double' }, { type: 'string' }, { type: 'null' }],
  description: `The ${end} value of the requested column, as rows show it; null without a value`,
});

const GROUP: Json = {
  type: 'object',
  required: ['count'],
  properties: {
    count: { type: 'integer', minimum: 0, description: 'Rows of the group' },
    total: {
      anyOf: [{ type: 'number', format: 'double' }, { type: 'string' }],
      description: 'Exact sum of the requested column; text, if it has more digits than a number holds',
    },
    average: {
      anyOf: [{ type: ['number', 'null'], format: 'double' }, { type: 'string' }],
      description: 'Average of the requested column, with four digits more; text of a decimal, null without a value',
    },
    least: toEnd('least'),
    greatest: toEnd('greatest'),
  },
};

/** The group parameters that a call allows or fixes. */
function listGroupKeys({ call }: CallFacts): string[] {
  const { aggregate = [], parameters = {} } = call.definition;
  return [...aggregate, ...AGGREGATES.filter((name) => Object.hasOwn(parameters, name))];
}

function toPageSchema(facts: CallFacts, row: Json): Json {
  // If a call allows groups, the answer has groups or rows.
  const items = listGroupKeys(facts).length === 0 ? row : { anyOf: [row, GROUP] };
  return {
    type: 'object',
    required: ['rows'],
    properties: {
      rows: { type: 'array', items },
      total: { type: 'integer', minimum: 0, description: 'Rows on all pages; left out with total=0' },
      total_more: {
        type: 'boolean',
        description: 'true if the count stopped at the number that total asked for, and there are more rows',
      },
      next: { type: 'string', description: 'Cursor for after, if there are rows after the page' },
      previous: { type: 'string', description: 'Cursor for before, if there may be rows before the page' },
    },
  };
}

/** The ids of both rows, with their names in the path. */
function toPairSchema({ parameters }: CallFacts): Json {
  const ids = parameters.filter(({ place, schema }) => place === 'path' && schema.type === 'integer');
  return {
    type: 'object',
    description: 'The ids of both rows',
    properties: Object.fromEntries(ids.map(({ name, schema, description }) => [name, { ...schema, description }])),
    required: ids.map(({ name }) => name),
  };
}

/** The result of each operation, in order: the row after the change, or before its removal. */
function toBatchSchema(row: Json): Json {
  return { type: 'object', required: ['rows'], properties: { rows: { type: 'array', items: row } } };
}

function toResultsSchema(facts: CallFacts, model: Model): Json {
  const { schema, action, results, answer, children } = facts;
  if (answer) return toPortable(answer);
  if (!schema || action === 'other') return results === undefined ? {} : { description: results };
  if (action === 'link' || action === 'unlink') return toPairSchema(facts);
  if (action === 'batch') return toBatchSchema(schemaRef(rowName(schema)));
  if (action === 'search') return toPageSchema(facts, schemaRef(detailName(schema, model)));
  if (action === 'detail') return schemaRef(detailName(schema, model));
  const row = schemaRef(rowName(schema));
  const more: Json = {
    ...(action === 'update' ? { original: { description: 'The row before the change', ...row } } : {}),
    ...Object.fromEntries(
      [...children].map(([name, target]) => [name, { type: 'array', items: schemaRef(rowName(target)) }]),
    ),
  };
  return Object.keys(more).length === 0 ? row : { allOf: [row, { type: 'object', properties: more }] };
}

/** The envelope of a successful answer. */
function toAnswerSchema(facts: CallFacts, model: Model): Json {
  return {
    type: 'object',
    required: ['error', 'results'],
    properties: { error: { type: 'boolean', const: false }, results: toResultsSchema(facts, model) },
  };
}

type Headers = readonly (readonly [isGiven: boolean, name: string, isNeeded: boolean])[];

const toHeaders = (names: Headers): Json =>
  Object.fromEntries(
    names.filter(([isGiven]) => isGiven).map(([, name, isNeeded]) => [name, headerRef(name, isNeeded)]),
  );

const isChange = (action: Action): boolean => action === 'create' || hasVersion(action);

/** Headers of every successful answer of a call. */
function listHeaders({ call, action, status }: CallFacts, isRead: boolean): Headers {
  const { access, deprecated, sunset } = call.definition;
  const isHeld = access !== 'public';
  const isTagged = isRead ? action !== 'other' : isChange(action) && action !== 'remove';
  return [
    [isRead || isTagged, 'ETag', isTagged],
    [action === 'search', 'Link', false],
    [status === 201, 'Location', false],
    [isHeld, 'RateLimit', true],
    [isHeld, 'RateLimit-Policy', true],
    [!isRead, 'Idempotency-Replayed', false],
    [!isRead && isChange(action), 'Preference-Applied', false],
    [deprecated !== undefined, 'Deprecation', true],
    [sunset !== undefined, 'Sunset', true],
    [true, 'X-Request-Id', true],
  ];
}

const NOT_MODIFIED: Json = {
  description: 'The client’s copy is still valid',
  headers: { ETag: headerRef('ETag', true), 'X-Request-Id': headerRef('X-Request-Id', true) },
};

const DESCRIPTIONS: Readonly<Record<number, string>> = { 201: 'Created', 202: 'Accepted' };

/** Every response of a call, by status. @param more What a success leads to, and its example. */
export function buildResponses(
  facts: CallFacts,
  method: Method,
  model: Model,
  more: { readonly links?: Json; readonly example?: Json } = {},
): Json {
  const { status, action, errors } = facts;
  const isRead = method === 'get';
  const headers = toHeaders(listHeaders(facts, isRead));
  const success = {
    description: DESCRIPTIONS[status] ?? 'Done',
    headers,
    content: {
      'application/json': {
        schema: toAnswerSchema(facts, model),
        example: more.example ?? createSampleAnswer(facts, model),
      },
    },
    ...more.links,
  };
  const met = errors.filter(({ isOfWrites }) => !isRead || !isOfWrites);
  const minimal = { description: 'Done, without the row, as Prefer requests', headers };
  return {
    [status]: success,
    ...(!isRead && isChange(action) ? { 204: minimal } : {}),
    ...(isRead && action !== 'other' ? { 304: NOT_MODIFIED } : {}),
    ...Object.fromEntries(met.map((error) => [error.status, responseRef(`problem${error.status}`)])),
    // The server failed; the project's own code may answer anything.
    default: responseRef('problem'),
  };
}
