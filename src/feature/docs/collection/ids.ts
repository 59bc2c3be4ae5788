import type { Model } from '../../../model/model.ts';
import type { Access } from '../../../model/shape.ts';
import type { CallFacts } from '../call-facts.ts';

/** What a request keeps of its answer, for the requests after it. */
export interface StoredId {
  readonly variable: string;
  /** Where in `results`: the row itself, or the first of its rows. */
  readonly from: 'row' | 'rows';
  readonly column: string;
}

/** The ids that the requests of a collection keep, by who calls and whose rows: a user's call does not reach an app's row. */
export interface Ids {
  /** What the answer of a call gives; undefined if it names no row. */
  findStored(facts: CallFacts): StoredId | undefined;
  /** The variable with the id of a row of a schema, for a call of that access. */
  getVariable(access: Access, schema: string): string;
  /** True if a request surely keeps that variable before it is needed; a search may find no row. */
  isSure(variable: string): boolean;
}

const toVariable = (access: Access, primary: string): string => `${access}_${primary}`;

/** True for a call whose answer always names a row: a create, or a detail without an id in its path, such as the profile of a token. */
const givesRow = ({ action, parameters }: CallFacts): boolean =>
  action === 'create' || (action === 'detail' && !parameters.some(({ isRequired }) => isRequired));

export function createIds(calls: readonly CallFacts[], model: Model): Ids {
  const list = (isSource: (facts: CallFacts) => boolean): Set<string> =>
    new Set(
      calls
        .filter(isSource)
        .flatMap(({ schema, call }) => (schema ? [toVariable(call.definition.access, schema.primary)] : [])),
    );
  const sure = list(givesRow);
  const found = list(({ action }) => action === 'search');
  return {
    getVariable: (access, name) => {
      const primary = model.schemas.get(name)?.primary ?? `${name}_id`;
      const order: readonly Access[] = [access, 'user', 'app', 'public'];
      const variables = order.map((each) => toVariable(each, primary));
      const own = toVariable(access, primary);
      if (found.has(own)) return own;
      return variables.find((each) => sure.has(each)) ?? variables.find((each) => found.has(each)) ?? primary;
    },
    isSure: (variable) => sure.has(variable),
    findStored: (facts) => {
      const { schema, action, call } = facts;
      if (schema === undefined) return undefined;
      const variable = toVariable(call.definition.access, schema.primary);
      const column = schema.primary;
      if (givesRow(facts)) return { variable, from: 'row', column };
      // A row that a create made is better than any that a search finds.
      return action === 'search' && !sure.has(variable) ? { variable, from: 'rows', column } : undefined;
    },
  };
}
