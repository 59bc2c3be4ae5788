import type { Dialect } from '../../../database/database.ts';
import { fromUnits } from '../../../model/decimal/decimal.ts';
import type { OperatorName } from '../../../model/filter/operator.ts';

/**
 * The value of a condition on a column of decimals as its column compares it: SQLite stores the whole number of the smallest unit
 * that the condition has, PostgreSQL the decimal.
 */
export function toBoundDecimal(value: unknown, scale: number, operator: OperatorName, dialect: Dialect): unknown {
  if (dialect === 'sqlite' || operator === 'null') return value;
  if (operator !== 'in' && operator !== 'nin') return fromUnits(Number(value), scale);
  const list: readonly number[] = JSON.parse(String(value));
  return JSON.stringify(list.map((units) => fromUnits(units, scale)));
}
