import type { TableColumn } from '../table.ts';
import { findScale } from '../table-default.ts';
import type { Conversion } from './convert.ts';
import { toStorage } from './convert-value.ts';

type NamedColumn = readonly [column: TableColumn | undefined, type: string];

/** `decimal instead of number`. @param isLong True to say how many digits a decimal has. */
export const nameTypes = (wanted: NamedColumn, actual: NamedColumn, isLong: boolean): string =>
  `${nameType(wanted, isLong)} instead of ${nameType(actual, isLong)}`;

function nameType([column, type]: NamedColumn, isLong: boolean): string {
  const field = column?.field;
  if (field === undefined) return toStorage(type);
  return isLong ? `${field.type}(${field.precision},${field.scale})` : field.type;
}

/** True for decimals of other digits: they are stored otherwise, or have no room for a value. */
export function isReshaped(known: TableColumn | undefined, wanted: TableColumn): boolean {
  const [from, to] = [known?.field, wanted.field];
  if (from?.type !== 'decimal' || to?.type !== 'decimal') return false;
  return from.scale !== to.scale || from.precision !== to.precision;
}

/** True if the same stored number means another one afterwards: SQLite stores decimals in their smallest unit. */
export const changesUnits = ({ from, to }: Conversion): boolean =>
  from.dialect === 'sqlite' && findScale(from.field) !== findScale(to.field);

/** True if a column has its default. PostgreSQL may print that of a decimal without zeros at its end. */
export function isSameDefault(actual: string | undefined, wanted: string | undefined, { field }: TableColumn): boolean {
  if (actual === wanted) return true;
  return field?.type === 'decimal' && actual !== undefined && wanted !== undefined && Number(actual) === Number(wanted);
}
