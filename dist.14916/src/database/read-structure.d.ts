import type { Database } from './database.ts';
import type { Structure } from './structure.ts';
/** The existing tables, columns and indexes. */
export declare function readStructure(database: Database): Promise<Structure>;
