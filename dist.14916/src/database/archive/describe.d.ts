import type { Database } from '../database.ts';
import type { Table } from '../table.ts';
import type { ArchiveTable } from './shape.ts';
/** Contents of a database, as an archive describes them. */
export interface Described {
    readonly tables: readonly ArchiveTable[];
    /** What is not archived, as sentences. */
    readonly left: readonly string[];
}
/**
 * All tables of a database, including those that no definition names. Leaves out the word index of `q`,
 * which is rebuilt.
 * @param wanted The model's tables for PostgreSQL, which tell what is JSON.
 */
export declare function describe(database: Database, wanted: readonly Table[]): Promise<Described>;
