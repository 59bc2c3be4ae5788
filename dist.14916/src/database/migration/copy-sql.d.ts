import type { Dialect } from '../database.ts';
import type { ActualTable } from '../structure.ts';
/** Number of a copy table; undefined for any other table. */
export declare function readCopyNumber(name: string): number | undefined;
export interface CopyShape {
    readonly copy: string;
    /** The copied table as it exists. */
    readonly table: ActualTable;
    /** Types of the former and new value; a dropped column has no new one. */
    readonly former: string;
    readonly later?: string;
}
/** Creates a table for the primary key and the values of one column. On SQLite values keep their type. */
export declare function createCopySql({ copy, table, former, later }: CopyShape, dialect: Dialect): string;
/** Copies all values of a column. */
export declare function keepColumnSql({ copy, table }: CopyShape, column: string): string;
/** Copies the keys of rows without a value, and the value that they get. */
export declare function keepEmptySql({ copy, table, former, later }: CopyShape & {
    readonly later: string;
}, column: string, value: string | number, dialect: Dialect): string;
/** Restores a column from a copy. */
export declare function writeKeptSql(table: ActualTable, column: string, copy: string, value: string): string;
/** A type without its collation, for `cast`. */
export declare const toCastType: (type: string) => string;
