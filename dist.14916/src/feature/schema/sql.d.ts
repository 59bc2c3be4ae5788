import type { Database, Row } from '../../database/database.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { HeldRows } from '../../query/searcher.ts';
/** The violated constraint, as in the detail of a DATABASE_CONSTRAINT error. */
export interface ConstraintDetail {
    readonly kind: 'unique' | 'notnull' | 'foreign' | 'check';
    readonly columns: readonly string[];
}
/** Inserts a row and its search words; gives its id. Call it in a transaction. */
export declare function insertRow(database: Database, schema: SchemaModel, row: Row): Promise<number>;
/**
 * Updates a row and its search words. False if the row no longer exists, or `held` no longer applies to it. Call
 * it in a transaction.
 */
export declare function updateRow(database: Database, schema: SchemaModel, id: number, { row, held }: {
    readonly row: Row;
    readonly held?: HeldRows | undefined;
}): Promise<boolean>;
/** Deletes a row. False if it no longer exists, or `held` no longer applies to it. */
export declare function deleteRow(database: Database, { table, primary }: SchemaModel, id: number, held?: HeldRows): Promise<boolean>;
interface Asked {
    readonly column: string;
    readonly value: unknown;
    /** Locks the row until the transaction ends. */
    readonly isLocking?: boolean;
}
/** Selected columns of a row, removed or not; undefined if it does not exist. */
export declare function readColumns(database: Database, schema: SchemaModel, by: Asked, columns: readonly string[]): Promise<Row | undefined>;
/** Number of rows of a table that refer to a row; with `active` only active ones. */
export declare function countKeys(database: Database, table: string, { column, value, active }: {
    readonly column: string;
    readonly value: unknown;
    readonly active?: string | undefined;
}): Promise<number>;
/** Adds a row to a join table; false if it already existed. */
export declare function insertLink(database: Database, table: string, row: Row): Promise<boolean>;
/** Deletes rows of a join table; gives their number. */
export declare function deleteLinks(database: Database, table: string, row: Row): Promise<number>;
/** Sets a foreign key to null in the matching rows; gives their number. */
export declare function clearKey(database: Database, table: string, column: string, matches: Row): Promise<number>;
export {};
