import { groupBy } from '../../../core/group-by.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import type { SchemaModel } from '../../../model/model.ts';
import type { Action } from '../call-errors.ts';
import type { CallFacts } from '../call-facts.ts';

const OF_ONE: ReadonlySet<Action> = new Set<Action>(['detail', 'update', 'remove', 'restore', 'link', 'unlink']);

/** The parameter that takes the id of a row of the schema: for a link of two rows of one schema the first. */
function findIdParameter({ parameters }: CallFacts, primary: string): string | undefined {
  return parameters.find(({ name }) => name === primary || name === `${primary}_1`)?.name;
}

/** The calls that take the id of a row, by schema. */
export type CallsOfOne = ReadonlyMap<SchemaModel | undefined, readonly CallFacts[]>;

export const groupCallsOfOne = (calls: readonly CallFacts[]): CallsOfOne =>
  groupBy(
    calls.filter(({ action }) => OF_ONE.has(action)),
    ({ schema }) => schema,
  );

/**
 * Where a created row leads: the calls of the same access that take its id. A call with several methods is named by one of them.
 *
 * @see https://spec.openapis.org/oas/v3.1.2#link-object
 */
export function buildLinks({ call, action, schema }: CallFacts, near: CallsOfOne): Json {
  if (schema === undefined || action !== 'create') return {};
  const { primary } = schema;
  const found = (near.get(schema) ?? []).flatMap((other): [string, Json][] => {
    const isNear = other.call.definition.access === call.definition.access;
    const parameter = isNear ? findIdParameter(other, primary) : undefined;
    if (parameter === undefined) return [];
    const { name } = other.call;
    const operationId = other.methods.length === 1 ? name : `${name}-${other.action === 'detail' ? 'get' : 'post'}`;
    return [[name, { operationId, parameters: { [parameter]: `$response.body#/results/${primary}` } }]];
  });
  return found.length === 0 ? {} : { links: Object.fromEntries(found) };
}
