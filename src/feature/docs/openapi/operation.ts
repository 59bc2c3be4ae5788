import type { Json } from '../../../model/json/value-schema.ts';
import type { Plan } from '../../../plan/feature.ts';
import { type Action, hasVersion } from '../call-errors.ts';
import type { CallFacts, Method } from '../call-facts.ts';
import { listBranches } from '../row.ts';
import { createSampleAnswer } from '../sample/call-sample.ts';
import { toNoun } from '../value.ts';
import { buildResponses } from './answer.ts';
import { buildLinks, type CallsOfOne } from './links.ts';
import { toParameters } from './parameter.ts';
import { parameterRef, rowName, schemaRef } from './parts.ts';
import { buildRequestBody } from './request-body.ts';
import { listSecurity } from './security.ts';
import type { SharedComponents } from './shared.ts';

/** What operations of one document have in common. */
export interface DocumentParts {
  readonly plan: Plan;
  readonly shared: SharedComponents;
  readonly calls: readonly CallFacts[];
  readonly ofOne: CallsOfOne;
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

/** What a call does, in the words of its definition or else in those of its action. */
function describeCall({ call, action, schema }: CallFacts, { model }: Plan): string {
  const { title, description } = call.definition;
  if (description !== undefined) return description;
  if (schema === undefined || action === 'other') return `${title}.`;
  const one = `one ${toNoun(schema.singular)}`;
  const isSoft = schema.active !== undefined;
  const hasBranches = listBranches(schema, model).length > 0;
  const says: Readonly<Record<Exclude<Action, 'other'>, string>> = {
    search: `Finds ${toNoun(schema.plural)} by words and conditions, a page at a time.`,
    detail: `Reads ${one}${hasBranches ? ' with its related rows' : ''}.`,
    create: `Creates ${one}. The answer is the new row.`,
    update: `Changes the columns of ${one} that are sent; the others stay.`,
    remove: `Removes ${one}${isSoft ? '. It can be restored' : ''}.`,
    restore: `Brings ${one} back that was removed.`,
    link: 'Links two rows. A link that is there stays.',
    unlink: 'Takes the link of two rows away; the rows stay.',
    batch: `Creates, changes and removes ${toNoun(schema.plural)} together: all of it is done, or nothing.`,
  };
  return says[action];
}

/** A call with one method, as an operation. */
export function buildOperation(
  facts: CallFacts,
  method: Method,
  { plan, shared, ofOne }: DocumentParts,
  wildcards: readonly string[],
): Json {
  const { call, action, schema } = facts;
  const isRead = method === 'get';
  const parameters = listParameters(facts, method, wildcards, shared);
  const { title, access, deprecated } = call.definition;
  const shows = [schema?.name, action, ...(action === 'link' || action === 'unlink' ? call.parameters : [])].join(' ');
  const example = shared.example(shows, () => createSampleAnswer(facts, plan.model));
  return {
    operationId: facts.methods.length === 1 ? call.name : `${call.name}-${method}`,
    summary: title,
    description: describeCall(facts, plan),
    ...(deprecated === undefined ? {} : { deprecated: true }),
    tags: [toTag(facts)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(isRead ? {} : buildRequestBody(facts, shared)),
    responses: buildResponses(facts, method, plan.model, { links: buildLinks(facts, ofOne), example }),
    security: listSecurity(call, plan.model, isRead),
    'x-treadle-access': access,
    ...(action === 'other' ? {} : { 'x-treadle-action': action }),
    // The row without `fields`.
    ...(schema && (action === 'search' || action === 'detail') ? { 'x-treadle-row': schemaRef(rowName(schema)) } : {}),
  };
}
