import type { Line } from './shape.ts';
export interface WriteArchiveOptions {
    /** Whether to replace an existing file. */
    readonly isReplacing: boolean;
}
/**
 * Writes an archive's lines, compressed, to a file that appears complete or not at all and that only its
 * owner can read.
 */
export declare class ArchiveFile {
    #private;
    /** Bytes written so far. */
    bytes: number;
    readonly path: string;
    private constructor();
    /** @throws ARCHIVE_EXISTS if the file exists and must not be replaced. @throws ARCHIVE_UNWRITABLE */
    static create(path: string, { isReplacing }: WriteArchiveOptions): Promise<ArchiveFile>;
    /** Writes a line that is JSON already: a row. */
    text(line: string): Promise<void>;
    line(value: Line | object): Promise<void>;
    /**
     * Writes the last line with the SHA-256 of everything before, syncs, and renames the file to its final
     * name.
     */
    finish(last: Omit<Extract<Line, {
        tables: number;
    }>, 'sha256'>): Promise<void>;
    /** Removes the partial file. */
    abandon(): Promise<void>;
}
