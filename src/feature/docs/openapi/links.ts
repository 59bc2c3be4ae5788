import type { Json } from '../../../model/json/value-schema.ts';
import type { Action } from '../call-errors.ts';
import type { CallFacts } from '../call-facts.ts';

const OF_ONE: ReadonlySet<Action> = new Set<Action>(['detail', 'update', 'remove', 'restore', 'link', 'unlink']);

/** The parameter that takes the id of a row of the schema: for a link of two rows of one schema the first. */
function findIdParameter({ parameters }: CallFacts, primary: string): string | undefined {
  return parameters.find(({ name }) => name === primary || name === `${primary}_1`)?.name;
}

/**
 * Where a created row leads: the calls of the same access that take its id. A call with several methods is named by one of them.
 *
 * @see https://spec.openapis.org/oas/v3.1.2#link-object
 */
export function buildLinks({ call, action, schema }: CallFacts, calls: readonly CallFacts[]): Json {
  if (schema === undefined || action !== 'create') return {};
  const { primary } = schema;
  const found = calls.flatMap((other): [string, Json][] => {
    const isNear = other.schema === schema && other.call.definition.access === call.definition.access;
    const parameter = isNear && OF_ONE.has(other.action) ? findIdParameter(other, primary) : undefined;
    if (parameter === undefined) return [];
    const { name } = other.call;
    const operationId = other.methods.length === 1 ? name : `${name}-${other.action === 'detail' ? 'get' : 'post'}`;
    return [[name, { operationId, parameters: { [parameter]: `$response.body#/results/${primary}` } }]];
  });
  return found.length === 0 ? {} : { links: Object.fromEntries(found) };
}
