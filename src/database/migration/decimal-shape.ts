import type { TableColumn } from '../table.ts';
import { toStorage } from './convert-value.ts';

/** The type of a column for people. @param isLong True to say how many digits a decimal has. */
export function nameType(column: TableColumn | undefined, type: string, isLong: boolean): string {
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

/** True if a column has its default. PostgreSQL may print that of a decimal without zeros at its end. */
export function isSameDefault(actual: string | undefined, wanted: string | undefined, { field }: TableColumn): boolean {
  if (actual === wanted) return true;
  return field?.type === 'decimal' && actual !== undefined && wanted !== undefined && Number(actual) === Number(wanted);
}
