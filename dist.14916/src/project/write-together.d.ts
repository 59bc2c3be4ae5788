/** A file to write; without a text it is removed. */
export interface FileChange {
    /** Path from the project's root. */
    readonly file: string;
    readonly text: string | undefined;
}
/**
 * Writes, moves and removes files together: writes all texts to disk before it replaces the first file, and
 * restores the old files if a later step fails.
 * @throws PROJECT_WRITE_FAILED with the cause; every file is as it was.
 */
export declare function writeTogether(root: string, changes: readonly FileChange[]): Promise<void>;
