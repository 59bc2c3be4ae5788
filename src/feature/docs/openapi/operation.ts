import type { Json } from '../../../model/json/value-schema.ts';
import type { Plan } from '../../../plan/feature.ts';
import { hasVersion } from '../call-errors.ts';
import type { CallFacts, Method } from '../call-facts.ts';
import { buildResponses } from './answer.ts';
import { toParameters } from './parameter.ts';
import { parameterRef } from './parts.ts';
import { buildRequestBody } from './request-body.ts';
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
  const prefix = facts.action === 'other' ? undefined : `${toTag(facts)}-${facts.action}`;
  const isHeld = isWrite && hasVersion(facts.action);
  const isChange = isHeld || facts.action === 'create';
  return [
    ...facts.parameters.flatMap((parameter) => toParameters(parameter, prefix, shared)),
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
    ...(isRead ? {} : buildRequestBody(facts, shared)),
    responses: buildResponses(facts, method, plan.model),
    security: listSecurity(call, plan.model, isRead),
    'x-treadle-access': access,
    ...(action === 'other' ? {} : { 'x-treadle-action': action }),
  };
}
