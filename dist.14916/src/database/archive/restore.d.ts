import type { Database } from '../database.ts';
import type { Table } from '../table.ts';
import type { Archive, Verified } from './read-archive.ts';
import { type Replaced } from './replace.ts';
import type { Progress } from './write.ts';
export interface RestoreOptions {
    readonly archive: Archive;
    readonly database: Database;
    /** Tables of the current model; undefined to leave the database as it was backed up. */
    readonly desired: readonly Table[] | undefined;
    readonly allowLoss: boolean;
    /** Folder of the uploaded files, absolute; undefined to leave them out. */
    readonly uploads: string | undefined;
    readonly isDryRun?: boolean;
    readonly progress?: (stage: 'check' | 'load', progress: Progress) => void;
}
export interface Restored extends Replaced {
    readonly verified: Verified;
    readonly files: {
        readonly written: number;
        readonly same: number;
    };
}
/**
 * Replaces the data of a database with an archive, all or nothing, and migrates it to the current model.
 * Reads the whole archive first, so that a damaged one changes nothing.
 * @throws ARCHIVE_BROKEN, ARCHIVE_TARGET_LOSS, ARCHIVE_ROW_REFUSED, ARCHIVE_DIFFERS, ARCHIVE_FILE_DIFFERS
 */
export declare function restoreArchive(options: RestoreOptions): Promise<Restored>;
