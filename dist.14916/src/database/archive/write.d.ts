import type { Database } from '../database.ts';
import type { Table } from '../table.ts';
import { type ArchiveTable, Header, type TableSum } from './shape.ts';
/** Progress report. */
export interface Progress {
    /** Rows of all tables. */
    readonly total: number;
    readonly done: number;
    readonly table: string;
}
export interface BackupOptions {
    readonly database: Database;
    /** File to write, absolute. */
    readonly file: string;
    readonly isReplacing: boolean;
    /** The model's tables for PostgreSQL; empty if the definitions are invalid. */
    readonly wanted: readonly Table[];
    readonly project: string;
    /** Version of Treadle. */
    readonly version: string;
    /** Time of the backup, `YYYY-MM-DD HH:MM:SS`. */
    readonly at: string;
    /** Folder of the uploaded files, absolute; undefined to leave them out. */
    readonly uploads: string | undefined;
    readonly progress?: (progress: Progress) => void;
}
export interface BackupResult {
    readonly header: Header;
    readonly sums: readonly TableSum[];
    readonly rows: number;
    readonly files: number;
    readonly bytes: number;
}
/** Runs `fn` with a consistent view of the database. */
export declare function inSnapshot<T>(database: Database, fn: () => Promise<T>): Promise<T>;
export declare function countRows(database: Database, { name }: Pick<ArchiveTable, 'name'>): Promise<number>;
/**
 * Writes all rows of a database at one moment, and the uploaded files, into one file. Does not block
 * writers; memory use does not depend on the number of rows.
 * @throws ARCHIVE_EXISTS, ARCHIVE_UNWRITABLE
 */
export declare function writeArchive(options: BackupOptions): Promise<BackupResult>;
