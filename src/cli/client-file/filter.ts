import type { Json } from '../../model/json/value-schema.ts';
import { toComment, toKey } from '../types/print.ts';
import { type ComponentNames, printType } from './type.ts';

/** A condition's name: `filter[column]` or `filter[column][operator]`. */
export const FILTER = /^filter\[([^\]]+)\](?:\[(\w+)\])?$/;

interface Condition {
  readonly description: string;
  readonly type: string;
  readonly operators: readonly string[];
}

/** The conditions by column, each with the value that equals it and its operators. */
function listConditions(parameters: readonly Json[], names: ComponentNames): Map<string, Condition> {
  const conditions = new Map<string, Condition>();
  for (const { name, schema, description = '' } of parameters) {
    const [, column, operator] = FILTER.exec(String(name)) ?? [];
    if (column === undefined) continue;
    const type = printType(schema, names);
    const known = conditions.get(column) ?? { description: String(description), type, operators: [`eq?: ${type}`] };
    const list = /^\[|\[\]$/.test(type) ? `readonly ${type}` : type;
    const operators = operator === undefined ? known.operators : [...known.operators, `${toKey(operator)}?: ${list}`];
    conditions.set(column, { ...known, operators });
  }
  return conditions;
}

/** The name in a filter under which alternatives are a list; a relation of that name takes it. */
export const ALTERNATIVES = 'or';

/**
 * The type of the conditions of a call, and the member `filter` of its parameters: each column with a value, or with operators.
 *
 * @param wanted Name of the type.
 * @returns Undefined if the call takes no condition.
 */
export function printFilter(
  parameters: readonly Json[],
  names: ComponentNames,
  wanted: string,
): { readonly type: string; readonly member: readonly string[] } | undefined {
  const conditions = listConditions(parameters, names);
  if (conditions.size === 0) return undefined;
  const members = [...conditions].flatMap(([column, { description, type, operators }]) => [
    ...toComment(description, '  '),
    `  readonly ${toKey(column)}?: ${type} | { ${operators.join('; ')} };`,
  ]);
  const more = conditions.has(ALTERNATIVES) ? '' : ` & { readonly ${ALTERNATIVES}?: readonly ${wanted}[] }`;
  return {
    type: [`export interface ${wanted} {`, ...members, '}', ''].join('\n'),
    member: [
      ...toComment('Conditions that rows must meet, all of them; of the alternatives in `or` one.', '  '),
      `  readonly filter?: ${wanted}${more};`,
    ],
  };
}
