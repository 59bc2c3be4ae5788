import { fieldKinds, holdsFiles } from '../../../model/field/field-kind.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import { describePeriods } from '../../../model/period-message.ts';
import type { Plan } from '../../../plan/feature.ts';
import { toColumnsSchema } from '../call-body.ts';
import { hasVersion } from '../call-errors.ts';
import type { CallFacts, Method } from '../call-facts.ts';
import { createSampleBody } from '../sample/call-sample.ts';
import { buildResponses } from './answer.ts';
import { toParameters } from './parameter.ts';
import { parameterRef } from './parts.ts';
import { listSecurity } from './security.ts';
import type { SharedComponents } from './shared.ts';

/** What operations of one document have in common. */
export interface DocumentParts {
  readonly plan: Plan;
  readonly shared: SharedComponents;
}

function listParameters(
  facts: CallFacts,
  method: Method,
  wildcards: readonly string[],
  shared: SharedComponents,
): Json[] {
  const isWrite = method !== 'get';
  const isHeld = isWrite && hasVersion(facts.action);
  const isChange = isHeld || facts.action === 'create';
  return [
    ...facts.parameters.flatMap((parameter) => toParameters(parameter, `${toTag(facts)}-${facts.action}`, shared)),
    ...wildcards.map((name) => ({
      name,
      in: 'path',
      description: 'Rest of the path',
      required: true,
      schema: { type: 'string' },
      example: 'text',
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
export function buildOperation(
  facts: CallFacts,
  method: Method,
  { plan, shared }: DocumentParts,
  wildcards: readonly string[],
): Json {
  const { call, action } = facts;
  const isRead = method === 'get';
  const parameters = listParameters(facts, method, wildcards, shared);
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
