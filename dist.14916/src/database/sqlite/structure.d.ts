import type { Database } from '../database.ts';
import type { Structure } from '../structure.ts';
/** The structure of the database, from SQLite's own tables and pragmas. */
export declare function readSqliteStructure({ kysely }: Database): Promise<Structure>;
