import type { Dialect } from '../database.ts';
import type { ActualTable } from '../structure.ts';
import { quote, toLiteral } from '../table-sql.ts';

const COPY = /^treadle_copy_(\d+)$/;

/** Number of a copy table; undefined for any other table. */
export function readCopyNumber(name: string): number | undefined {
  const digits = COPY.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export interface CopyShape {
  readonly copy: string;
  /** The copied table as it exists. */
  readonly table: ActualTable;
  /** Types of the former and new value; a dropped column has no new one. */
  readonly former: string;
  readonly later?: string;
}

const listKeys = (table: ActualTable): string[] => table.primaryKey.map((_, index) => quote(`key_${index + 1}`));

/** Creates a table for the primary key and the values of one column. On SQLite values keep their type. */
export function createCopySql({ copy, table, former, later }: CopyShape, dialect: Dialect): string {
  const typed = (type: string): string => (dialect === 'sqlite' ? '' : ` ${type}`);
  const keys = table.primaryKey.map(
    (name, index) => `${quote(`key_${index + 1}`)} ${table.columns.get(name)?.type ?? 'text'} not null`,
  );
  const values = [`former${typed(former)}`, ...(later === undefined ? [] : [`later${typed(later)}`])];
  return `create table ${quote(copy)} (${[...keys, ...values, `primary key (${listKeys(table).join(', ')})`].join(', ')})`;
}

/** Copies all values of a column. */
export function keepColumnSql({ copy, table }: CopyShape, column: string): string {
  const keys = table.primaryKey.map(quote);
  return `insert into ${quote(copy)} (${[...listKeys(table), 'former'].join(', ')}) select ${[...keys, quote(column)].join(', ')} from ${quote(table.name)} where ${quote(column)} is not null`;
}

/** Copies the keys of rows without a value, and the value that they get. */
export function keepEmptySql(
  { copy, table, former, later }: CopyShape & { readonly later: string },
  column: string,
  value: string | number,
  dialect: Dialect,
): string {
  const cast = (text: string, type: string): string =>
    dialect === 'sqlite' ? text : `cast(${text} as ${toCastType(type)})`;
  const values = [...table.primaryKey.map(quote), cast('null', former), cast(toLiteral(value), later)];
  return `insert into ${quote(copy)} (${[...listKeys(table), 'former', 'later'].join(', ')}) select ${values.join(', ')} from ${quote(table.name)} where ${quote(column)} is null`;
}

/** `"t"."id" = kept."key_1" and …` */
function joinCopySql(table: ActualTable): string {
  return table.primaryKey
    .map((name, index) => `${quote(table.name)}.${quote(name)} = kept.${quote(`key_${index + 1}`)}`)
    .join(' and ');
}

/** Restores a column from a copy. */
export function writeKeptSql(table: ActualTable, column: string, copy: string, value: string): string {
  return `update ${quote(table.name)} set ${quote(column)} = ${value} from ${quote(copy)} as kept where ${joinCopySql(table)}`;
}

/** A type without its collation, for `cast`. */
export const toCastType = (type: string): string => type.replace(/ collate .*$/i, '');
