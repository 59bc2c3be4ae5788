import { toDidYouMean } from '../core/suggest.ts';
import { AGGREGATES } from '../model/shape.ts';
import type { Faults } from './draft.ts';

/** Parameters of a search; beside them the older system's names, which mean the same. */
const SEARCH_PARAMETERS: readonly string[] = [
  ...['q', 'filter', 'sort', 'limit', 'offset', 'after', 'before', 'fields', 'expand', 'total'],
  ...['order', 'start', 'range', 'columns', 'like', 'in', 'span', 'null', 'notnull'],
];
/** Parameters that turn rows into groups: a request may have them only where its call allows it. */
export const AGGREGATE_PARAMETERS: readonly string[] = AGGREGATES;

const KNOWN: ReadonlySet<string> = new Set([...SEARCH_PARAMETERS, 'schema']);
/** Unknown names that an answer lists: a posted search may have thousands, each compared with every parameter. */
const MOST_NAMED = 20;

/** Names in a search's input that are no parameters of one, with the remedy; those in `allowed` may stand beside them. */
export function findUnknownNames(
  input: Readonly<Record<string, unknown>>,
  allowed: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  const faults: Faults = {};
  for (const name of Object.keys(input)) {
    if (KNOWN.has(name) || allowed.has(name)) continue;
    const isHeld = AGGREGATE_PARAMETERS.includes(name);
    faults[name] = isHeld
      ? `"${name}" is not open on this call: its definition lists what is under "aggregate".`
      : `"${name.slice(0, 64)}" is not a parameter of a search. ${toDidYouMean(name, SEARCH_PARAMETERS)}`;
    if (Object.keys(faults).length === MOST_NAMED) break;
  }
  return faults;
}
