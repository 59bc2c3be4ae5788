import type { Database, Row } from '../database.ts';
import { type TableVersions } from '../table-version.ts';
/** Reads the versions on one connection, which never writes. */
export declare class SqliteTableVersions {
    #private;
    /** @param signal Statement with a result that changes after each commit. */
    constructor(ask: (sql: string) => Promise<readonly Row[]>, signal: string);
    /** Must not be called concurrently. */
    read(): Promise<TableVersions>;
}
/** Creates the missing triggers, and removes those of other tables. */
export declare function trackSqliteTables(database: Database, tables: readonly string[]): Promise<void>;
/** Changes the version of every table, in the transaction of the change that affects query results. */
export declare function touchSqliteTables(database: Database): Promise<void>;
