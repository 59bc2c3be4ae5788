import type { Database } from '../database.ts';
import type { TableColumn, TableReference } from '../table.ts';
import type { ArchiveTable } from './shape.ts';
/** Describes a row with a dangling foreign key; undefined if every key has its row. */
export declare function findOrphan(database: Database, table: ArchiveTable, { name, references }: TableColumn & {
    readonly references: TableReference;
}): Promise<string | undefined>;
