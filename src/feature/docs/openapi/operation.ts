import { fieldKinds, holdsFiles } from '../../../model/field/field-kind.ts';
import { OPERATOR_NAMES } from '../../../model/filter/operator.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import { describePeriods } from '../../../model/period-message.ts';
import type { Plan } from '../../../plan/feature.ts';
import { toColumnsSchema } from '../call-body.ts';
import { hasVersion } from '../call-errors.ts';
import type { CallFacts, Method } from '../call-facts.ts';
import { createSampleBody } from '../sample/call-sample.ts';
import type { ParameterFacts } from '../search-parameters.ts';
import { buildResponses } from './answer.ts';
import { parameterRef, schemaRef } from './parts.ts';
import { listSecurity } from './security.ts';

const FILTER = /^filter\[(.+)\]$/;

const withoutDescription = ({ description: _, ...schema }: Json): Json => schema;

function toParameter({ name, place, description, isRequired, schema }: ParameterFacts): Json {
  return { name, in: place, description, required: isRequired, schema: withoutDescription(schema) };
}

/** The operators below a column in `filter`, with the values that they compare with. */
export const COMPARED: Json = {
  type: 'object',
  title: 'Comparison',
  description: 'Operators and what they compare with; in, nin and between take a list by comma',
  properties: Object.fromEntries(OPERATOR_NAMES.map((name) => [name, { type: ['string', 'number'] }])),
  additionalProperties: false,
};

/** The operators below the key of a tree's parent, with the id of a row. */
const IN_TREE: Json = {
  type: 'object',
  title: 'Place in a tree',
  properties: { below: { type: 'integer', minimum: 1 }, above: { type: 'integer', minimum: 1 } },
  additionalProperties: false,
};

/** All conditions as one object: `filter[column]=value`, `filter[column][op]=value`. */
function toFilterParameter(conditions: readonly ParameterFacts[]): Json {
  const properties = conditions.map(({ name, description, schema, isTree }): [string, Json] => [
    FILTER.exec(name)?.[1] ?? name,
    {
      description,
      anyOf: [withoutDescription(schema), schemaRef('comparison'), ...(isTree === true ? [IN_TREE] : [])],
    },
  ]);
  return {
    name: 'filter',
    in: 'query',
    style: 'deepObject',
    explode: true,
    description: 'Conditions that rows must meet, all of them: filter[column]=value, or filter[column][op]=value',
    required: false,
    schema: { type: 'object', properties: Object.fromEntries(properties) },
  };
}

function listParameters(facts: CallFacts, method: Method, wildcards: readonly string[]): Json[] {
  const isWrite = method !== 'get';
  const conditions = facts.parameters.filter(({ name }) => FILTER.test(name));
  const plain = facts.parameters.filter(({ name }) => !FILTER.test(name));
  const isHeld = isWrite && hasVersion(facts.action);
  const isChange = isHeld || facts.action === 'create';
  return [
    ...plain.map(toParameter),
    ...(conditions.length === 0 ? [] : [toFilterParameter(conditions)]),
    ...wildcards.map((name) => ({
      name,
      in: 'path',
      description: 'Rest of the path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(isWrite || facts.action === 'other' ? [] : [parameterRef('IfNoneMatch')]),
    ...(isHeld ? [parameterRef(facts.call.definition.concurrency === 'required' ? 'NeededIfMatch' : 'IfMatch')] : []),
    ...(isWrite ? [parameterRef('IdempotencyKey')] : []),
    ...(isWrite && isChange ? [parameterRef('Prefer')] : []),
  ];
}

/** Calls are grouped by their schema; calls without one, by access. */
export const toTag = ({ schema, call }: CallFacts): string => schema?.name ?? call.definition.access;

/** A call with one method, as an operation. */
export function buildOperation(facts: CallFacts, method: Method, plan: Plan, wildcards: readonly string[]): Json {
  const { call, action } = facts;
  const isRead = method === 'get';
  const parameters = listParameters(facts, method, wildcards);
  const { title, description, access, deprecated } = call.definition;
  return {
    operationId: facts.methods.length === 1 ? call.name : `${call.name}-${method}`,
    summary: title,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated: true }),
    tags: [toTag(facts)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(isRead ? {} : buildRequestBody(facts, method)),
    responses: buildResponses(facts, method, plan.model),
    security: listSecurity(call, plan.model, isRead),
    'x-treadle-access': access,
    ...(action === 'other' ? {} : { 'x-treadle-action': action }),
  };
}

/** The body of a hand-written call is unknown: any object. */
const OPEN: Json = { required: false, content: { 'application/json': { schema: { type: 'object' } } } };

function buildRequestBody(facts: CallFacts, method: Method): { readonly requestBody?: Json } {
  const shape = method === 'get' ? undefined : facts.call.body?.json;
  if (shape) return { requestBody: { required: true, content: { 'application/json': { schema: shape } } } };
  if (facts.body.length === 0) return facts.call.handler ? { requestBody: OPEN } : {};
  return {
    requestBody: {
      required: facts.body.some(({ isRequired }) => isRequired),
      content: toContents(facts, method),
    },
  };
}

/** The body types that a call accepts, each with its schema. */
function toContents(facts: CallFacts, method: Method): Json {
  const { additionalProperties, ...columns } = toColumnsSchema(facts.body);
  const isRow = facts.action === 'create' || facts.action === 'update';
  const periods = isRow && facts.schema !== undefined ? describePeriods(facts.schema) : [];
  const open = periods.length === 0 ? columns : { ...columns, description: periods.join(' ') };
  const schema = facts.action === 'other' ? open : { ...open, additionalProperties };
  const json = { schema, example: createSampleBody(facts) };
  if (method === 'patch' && facts.action === 'update')
    return { 'application/merge-patch+json': json, 'application/json': json };
  if (facts.action === 'batch') return { 'application/json': json };
  const hasFiles = facts.schema?.columns.some(holdsFiles) === true;
  return {
    'application/json': json,
    'application/x-www-form-urlencoded': { schema },
    ...(hasFiles ? { 'multipart/form-data': toFormContent(facts, open) } : {}),
  };
}

/** A form with files: values that are URLs or data URIs in a JSON body may be files here. */
function toFormContent({ schema: owner }: CallFacts, schema: { readonly properties: Json }): Json {
  const bytes = { type: 'string', contentMediaType: 'application/octet-stream' };
  const files = (owner?.columns ?? [])
    .filter(({ name, field }) => name in schema.properties && fieldKinds[field.type].group === 'file')
    .map(({ name, field, label }) => {
      const file = fieldKinds[field.type].isJson ? { type: 'array', items: bytes } : bytes;
      return [name, { ...file, description: label }] as const;
    });
  return { schema: { ...schema, properties: { ...schema.properties, ...Object.fromEntries(files) } } };
}
