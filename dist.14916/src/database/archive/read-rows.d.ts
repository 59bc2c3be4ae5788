import type { Database } from '../database.ts';
import type { ArchiveTable, EncodedRow } from './shape.ts';
/** All rows of a table in batches. Call it within one snapshot or transaction. */
export declare function readRows(database: Database, table: ArchiveTable): AsyncGenerator<EncodedRow[]>;
/** The highest id that an auto-increment table ever gave; undefined for other tables. */
export declare function readCounter(database: Database, table: ArchiveTable): Promise<number | undefined>;
