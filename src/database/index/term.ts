import { fromUnits } from '../../model/decimal/decimal.ts';
import type { IndexTerm } from '../../model/model.ts';
import type { Dialect } from '../database.ts';
import { toLiteral } from './literal.ts';

/**
 * A condition of a partial index as SQL, with its value as a literal: the planners prove that a statement's rows are in the
 * index only from literals. The same text stands in the index and in the statement. Column and value come from the model.
 *
 * @param column Quoted.
 */
export function printTerm(
  column: string,
  { operator, value, scale }: Pick<IndexTerm, 'operator' | 'value' | 'scale'>,
  dialect: Dialect,
): string {
  if (typeof value === 'boolean') return `${column} is ${value ? '' : 'not '}null`;
  const print = (item: string | number): string =>
    toLiteral(scale !== undefined && dialect === 'postgres' ? fromUnits(Number(item), scale) : item);
  if (typeof value === 'object') return `${column} in (${value.map(print).join(', ')})`;
  const sign = SIGNS[operator === 'in' || operator === 'null' ? 'eq' : operator];
  return `${column} ${sign} ${print(value)}`;
}

const SIGNS = { eq: '=', ne: 'is distinct from', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;
