import type { Database } from '../database.ts';
import type { RowSource, TableSum } from './shape.ts';
export interface LoadOptions {
    readonly database: Database;
    readonly source: RowSource;
    readonly told?: (rows: number, table: string) => void;
}
/**
 * Creates the tables of a source in a database without them, fills them, reads them back, and compares
 * counts and checksums. Call it in one transaction.
 * @throws ARCHIVE_ROW_REFUSED naming the table and the row. @throws ARCHIVE_DIFFERS
 */
export declare function loadTables({ database, source, told }: LoadOptions): Promise<TableSum[]>;
