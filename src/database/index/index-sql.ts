import type { TableIndex } from './index-shape.ts';
import { quote } from './literal.ts';

/**
 * The condition of a partial index. That of a single column has a second part that says nothing new: an earlier build does not
 * read it as a condition, and so takes the index for its own. Else its processes would not be ready, and would not start again.
 */
function conditionSql({ only, columns, where }: TableIndex): string {
  if (only === undefined) return where === undefined ? '' : ` where ${where}`;
  const plain = ` where ${quote(only)} = 1`;
  return columns.length === 1 ? `${plain} and ${quote(only)} is not null` : plain;
}

export function createIndexSql(table: string, index: TableIndex): string {
  const { lowNulls, descending = [] } = index;
  const last = index.columns.length - 1;
  const isLow = (name: string, place: number): boolean =>
    lowNulls === undefined ? index.isNullsFirst === true && (place < last || last === 0) : lowNulls.includes(name);
  const columns = index.columns
    .map((name, place) => {
      const isDown = descending.includes(name);
      const nulls = isLow(name, place) ? ` nulls ${isDown ? 'last' : 'first'}` : '';
      return `${quote(name)}${isDown ? ' desc' : ''}${nulls}`;
    })
    .join(', ');
  return `create ${index.isUnique ? 'unique ' : ''}index ${quote(index.name)} on ${quote(table)} (${columns})${conditionSql(index)}`;
}

export const dropIndexSql = (name: string): string => `drop index ${quote(name)}`;
