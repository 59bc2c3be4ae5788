import type { Dialect } from '../database.ts';
import type { ActualTable } from '../structure.ts';
import { quote, toLiteral } from '../table-sql.ts';

const COPY = /^treadle_copy_(\d+)$/;

/** Number of a table that keeps what a migration took away; undefined for any other table. */
export function readCopyNumber(name: string): number | undefined {
  const digits = COPY.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export interface CopyShape {
  readonly copy: string;
  /** The table that it is about, as it is there. */
  readonly table: ActualTable;
  /** Types of the former and of the later value; a column that goes has no later one. */
  readonly former: string;
  readonly later?: string;
}

const listKeys = (table: ActualTable): string[] => table.primaryKey.map((_, index) => quote(`key_${index + 1}`));

/** Makes a table for the primary key and the values of one column; on SQLite values keep whatever type they had. */
export function createCopySql({ copy, table, former, later }: CopyShape, dialect: Dialect): string {
  const typed = (type: string): string => (dialect === 'sqlite' ? '' : ` ${type}`);
  const keys = table.primaryKey.map(
    (name, index) => `${quote(`key_${index + 1}`)} ${table.columns.get(name)?.type ?? 'text'} not null`,
  );
  const values = [`former${typed(former)}`, ...(later === undefined ? [] : [`later${typed(later)}`])];
  return `create table ${quote(copy)} (${[...keys, ...values, `primary key (${listKeys(table).join(', ')})`].join(', ')})`;
}

/** Keeps all values of a column. */
export function keepColumnSql({ copy, table }: CopyShape, column: string): string {
  const keys = table.primaryKey.map(quote);
  return `insert into ${quote(copy)} (${[...listKeys(table), 'former'].join(', ')}) select ${[...keys, quote(column)].join(', ')} from ${quote(table.name)} where ${quote(column)} is not null`;
}

/** Keeps which rows had no value, and what they get. */
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
export function joinCopySql(table: ActualTable): string {
  return table.primaryKey
    .map((name, index) => `${quote(table.name)}.${quote(name)} = kept.${quote(`key_${index + 1}`)}`)
    .join(' and ');
}

/** Writes what a copy holds into a column. */
export function writeKeptSql(table: ActualTable, column: string, copy: string, value: string): string {
  return `update ${quote(table.name)} set ${quote(column)} = ${value} from ${quote(copy)} as kept where ${joinCopySql(table)}`;
}

/** A type without its collation, as `cast` takes it. */
export const toCastType = (type: string): string => type.replace(/ collate .*$/i, '');
