import { suggest } from '../core/suggest.ts';
import { toPlain } from './draft.ts';
import { toRawList } from './operand.ts';
import type { OperatorName } from './operator.ts';
import type { SourceColumn } from './source-column.ts';

const MANY: ReadonlySet<OperatorName> = new Set(['in', 'nin']);
const ONE: ReadonlySet<OperatorName> = new Set(['eq', 'ne', 'has']);
/** Options that a message lists. */
const MOST_LISTED = 12;

/**
 * Why a column with options can never have a value; undefined if it can. An empty value passes: forms send it for
 * "any".
 */
export function findOptionFault(
  { options, reader }: Pick<SourceColumn, 'options' | 'reader'>,
  operator: OperatorName,
  raw: unknown,
): string | undefined {
  if (options === undefined || !(MANY.has(operator) || ONE.has(operator))) return undefined;
  const wanted = (MANY.has(operator) ? toRawList(raw) : [raw]).map(toPlain);
  const isOption = (value: string): boolean => options.has(value) || options.has(reader?.read(value) ?? value);
  const unknown = wanted.find((value) => value !== '' && !isOption(value));
  if (unknown === undefined) return undefined;
  const near = suggest(unknown, options);
  const all = [...options];
  const more = all.length > MOST_LISTED ? ` and ${all.length - MOST_LISTED} more` : '';
  const listed = `There are ${all.slice(0, MOST_LISTED).join(', ')}${more}.`;
  return `has no option "${unknown.slice(0, 64)}". ${near === undefined ? listed : `Did you mean "${near}"?`}`;
}
