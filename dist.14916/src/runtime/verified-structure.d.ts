import type { Database } from '../database/database.ts';
import type { Table } from '../database/table.ts';
/**
 * Remembers the structure that a start verified, so that the next start compares one text instead of reading every
 * table. The text is the database's whole schema with the tables of the plan: any difference causes a new check.
 */
export interface VerifiedStructure {
    isKnown(): boolean;
    keep(): void;
}
/** For SQLite; undefined for a database that cannot print its schema. */
export declare function readVerified(database: Database, tables: readonly Table[], root: string): Promise<VerifiedStructure | undefined>;
