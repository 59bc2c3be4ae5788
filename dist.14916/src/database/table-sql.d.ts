import type { Dialect } from './database.ts';
import type { Table, TableColumn, TableIndex, TableReference } from './table.ts';
/** Quotes an identifier for SQL. */
export declare const quote: (name: string) => string;
/** Formats a value for SQL that people read; values from requests are bound instead. */
export declare function toLiteral(value: string | number | null): string;
export interface DdlOptions {
    readonly dialect: Dialect;
    /** Default: the table's own. */
    readonly name?: string;
    /**
     * True to include foreign keys. PostgreSQL accepts them only once every table exists: {@link addKeySql}.
     */
    readonly hasKeys?: boolean;
}
export declare function createTableSql(table: Table, options: DdlOptions): string;
export declare function addColumnSql(table: string, column: TableColumn, options: DdlOptions): string;
/** Adds a foreign key on PostgreSQL, which names it: the name of a renamed column may still be in use. */
export declare function addKeySql(table: string, column: TableColumn & {
    readonly references: TableReference;
}): string;
export declare function createIndexSql(table: string, index: TableIndex): string;
export declare const dropIndexSql: (name: string) => string;
