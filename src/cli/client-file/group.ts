import { toTypeName } from '../types/print.ts';
import { type Operation, toPropertyName } from './call.ts';

/** The calls of a schema, or those without one by who may call. */
export interface Group {
  readonly tag: string;
  /** Its member of the client. */
  readonly property: string;
  readonly className: string;
  readonly operations: readonly Operation[];
}

/** Names of the client's own members. */
const TAKEN = ['oauth', 'factsOf', 'tokens', 'constructor'];

export function toGroups(operations: readonly Operation[]): Group[] {
  const byTag = new Map<string, Operation[]>();
  for (const operation of operations) byTag.set(operation.tag, [...(byTag.get(operation.tag) ?? []), operation]);
  const taken = new Set(TAKEN);
  return [...byTag.keys()].sort().map((tag) => {
    let property = toPropertyName(tag);
    while (taken.has(property)) property += 'Calls';
    taken.add(property);
    return { tag, property, className: `${toTypeName(property)}Group`, operations: byTag.get(tag) ?? [] };
  });
}
