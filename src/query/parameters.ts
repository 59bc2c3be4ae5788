import { toDidYouMean } from '../core/suggest.ts';
import { AGGREGATES } from '../model/shape.ts';
import type { Faults } from './draft.ts';

/** Parameters of a search, including the older system's names for the same. */
const SEARCH_PARAMETERS: readonly string[] = [
  ...['q', 'filter', 'sort', 'limit', 'offset', 'after', 'before', 'fields', 'expand', 'total'],
  ...['order', 'start', 'range', 'columns', 'like', 'in', 'span', 'null', 'notnull'],
];
/** Parameters that group rows. A request may use them only if its call allows it. */
export const AGGREGATE_PARAMETERS: readonly string[] = AGGREGATES;

const KNOWN: ReadonlySet<string> = new Set([...SEARCH_PARAMETERS, 'schema']);
/**
 * Maximum unknown names in an answer: a posted search may have thousands, and each is compared with every
 * parameter.
 */
const MOST_NAMED = 20;

/** Unknown parameters of a search, with the remedy. Names in `allowed` are accepted. */
export function findUnknownNames(
  input: Readonly<Record<string, unknown>>,
  allowed: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const faults: Faults = {};
  for (const name of Object.keys(input)) {
    if (KNOWN.has(name) || allowed.has(name)) continue;
    const isHeld = AGGREGATE_PARAMETERS.includes(name);
    faults[name] = isHeld
      ? `"${name}" is not allowed on this call: its definition must list it under "aggregate".`
      : `"${name.slice(0, 64)}" is not a parameter of a search. ${toDidYouMean(name, SEARCH_PARAMETERS)}`;
    if (Object.keys(faults).length === MOST_NAMED) break;
  }
  return faults;
}
