import type { RowFilter } from '../core/access.ts';
import { Draft, type Faults } from './draft.ts';
import { parseFilters } from './filter.ts';
import type { Source } from './source.ts';

/** Options in a valid filter of a rule that their columns do not have: the rule then matches no row. One sentence or two each. */
export function findOptionFaults(source: Source, filter: RowFilter): readonly string[] {
  const faults: Faults = {};
  parseFilters({ filter }, new Draft(source, faults, { dialect: 'sqlite', isRule: true, isStrict: true }));
  return Object.values(faults).filter((fault) => fault.includes('has no option'));
}
