import type { IndexTerm } from '../../model/model.ts';
import { toLiteral } from './literal.ts';

/**
 * A condition of a partial index as SQL, with its value as a literal: the planners prove that a statement's rows are in the
 * index only from literals. The same text stands in the index and in the statement. Column and value come from the model.
 *
 * @param column Quoted.
 */
export function printTerm(column: string, { operator, value }: Pick<IndexTerm, 'operator' | 'value'>): string {
  if (operator === 'null') return `${column} is ${value === true ? '' : 'not '}null`;
  if (Array.isArray(value)) return `${column} in (${value.map(toLiteral).join(', ')})`;
  const sign = SIGNS[operator === 'in' ? 'eq' : operator];
  return `${column} ${sign} ${toLiteral(value as string | number)}`;
}

const SIGNS = { eq: '=', ne: 'is distinct from', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;
