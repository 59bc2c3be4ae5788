import { toDidYouMean } from '../core/suggest.ts';
import type { RelationModel } from '../model/model.ts';
import { type Faults, isGiven } from './draft.ts';
import { listNames } from './operand.ts';
import { EXPAND_ROWS, isList } from './related.ts';
import type { Source } from './source.ts';

/** Maximum related rows per row of a page. */
const toCost = (relation: RelationModel): number => (isList(relation) ? EXPAND_ROWS : 1);

/** Parses `expand`; refuses it if it could return more related rows than the settings allow. */
export function parseExpand(
  raw: unknown,
  source: Source,
  { limit, expandRows }: { readonly limit: number; readonly expandRows: number },
  faults: Faults,
): RelationModel[] {
  const relations = new Set<RelationModel>();
  for (const name of isGiven(raw) ? listNames(raw) : []) {
    const relation = source.relations.get(name);
    if (relation) relations.add(relation);
    else if (!source.schema.relations.some((other) => other.name === name)) {
      const remedy = toDidYouMean(name, source.relations.keys());
      faults.expand = `"${name.slice(0, 64)}" is not a relation of ${source.schema.name}. ${remedy}`;
      return [];
    }
  }
  const found = [...relations];
  const cost = found.reduce((sum, relation) => sum + toCost(relation), 0);
  if (cost * limit > expandRows) {
    const names = found.map(({ name }) => name).join(', ');
    const most = Math.floor(expandRows / cost);
    const remedy = most > 0 ? `Lower "limit" to ${most} or expand fewer relations.` : 'Expand fewer relations.';
    faults.expand = `"expand" of ${names} on ${limit} rows may bring ${cost * limit} rows, and ${expandRows} are allowed (limits.expandRows). ${remedy}`;
  }
  return found;
}
