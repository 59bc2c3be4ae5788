import { CompiledQuery } from 'kysely';
import type { Database, Row } from '../database.ts';
import { type TableVersions } from '../table-version.ts';
type Run = (query: CompiledQuery, parameters?: readonly unknown[]) => Promise<readonly Row[]>;
/** Reads the versions. */
export declare class PostgresTableVersions {
    #private;
    /** True if the table of counts exists: {@link trackPostgresTables} created or found it. */
    isTracking: boolean;
    constructor(run: Run);
    /** Must not be called concurrently. */
    read(): Promise<TableVersions>;
}
/** Creates the table of counts and the missing triggers. */
export declare function trackPostgresTables(database: Database, tables: readonly string[]): Promise<void>;
/** Changes the version of every table, in the transaction of the change that affects query results. */
export declare function touchPostgresTables(database: Database): Promise<void>;
export {};
