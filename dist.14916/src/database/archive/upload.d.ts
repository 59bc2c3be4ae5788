/** Uploaded files by path relative to the folder, with forward slashes; skips partial files. */
export declare function listUploads(folder: string): Promise<string[]>;
export interface Parts {
    readonly bytes: number;
    /** Base64, in parts. */
    read(): AsyncIterable<string>;
    /** Call after the last part. */
    sha256(): string;
}
/** A file in parts; undefined if it has been removed. */
export declare function readParts(folder: string, name: string): Promise<Parts | undefined>;
/** Whether a name from an archive stays within the folder, on every operating system. */
export declare function isSafeUpload(name: string): boolean;
/** Writes the files of an archive into a folder; can remove them again. */
export declare class UploadWriter {
    #private;
    /** Number of files written or already present with the same bytes. */
    written: number;
    same: number;
    constructor(folder: string);
    begin(name: string): Promise<void>;
    part(text: string): Promise<void>;
    /**
     * Renames the file to its final name. Keeps an existing file with other bytes.
     * @throws ARCHIVE_FILE_DIFFERS
     */
    end(sha256: string): Promise<void>;
    /** Removes the written files. */
    undo(): Promise<void>;
}
