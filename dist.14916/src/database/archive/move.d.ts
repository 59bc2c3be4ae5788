import type { Database } from '../database.ts';
import type { Table } from '../table.ts';
import { type Replaced } from './replace.ts';
import { type Progress } from './write.ts';
export interface MoveOptions {
    readonly from: Database;
    readonly to: Database;
    /** The model's tables for PostgreSQL, which tell what is JSON. */
    readonly wanted: readonly Table[];
    /** The model's tables for the target database; undefined to leave the tables as they are. */
    readonly desired: readonly Table[] | undefined;
    readonly allowLoss: boolean;
    /** Whether rows that change during the move are only reported. */
    readonly allowChanges: boolean;
    readonly isDryRun?: boolean;
    readonly progress?: (progress: Progress) => void;
}
export interface Moved extends Replaced {
    /** What is not moved, as sentences. */
    readonly left: readonly string[];
    /** Tables with rows that changed since they were moved. */
    readonly changed: readonly string[];
}
/**
 * Copies all rows of one database to another and compares counts and checksums on both sides. Only reads
 * the first one.
 * @throws ARCHIVE_TARGET_LOSS, ARCHIVE_ROW_REFUSED, ARCHIVE_DIFFERS, ARCHIVE_SOURCE_CHANGED
 */
export declare function moveRows(options: MoveOptions): Promise<Moved>;
