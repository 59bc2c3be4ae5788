import type { Readable } from 'node:stream';
import type { Random } from '../core/clock.ts';
/** A stored file that has been found but not read. */
export interface StoredFile {
    readonly name: string;
    readonly bytes: number;
    /** Milliseconds since 1970. */
    readonly savedAt: number;
    /** Reads the whole file or a range of bytes: first and last, both counted from 0. */
    read(range?: {
        readonly start: number;
        readonly end: number;
    }): Readable;
}
/** Uploaded files. On disk under `var/upload/`; another implementation may keep them elsewhere. */
export interface Files {
    /**
     * Stores bytes under a random name. They are on disk when it resolves. Returns the file's address.
     * @param extension Extension for the detected type, not for what the sender claims: letters and digits,
     *   at most 8.
     * @throws FILE_STORE_FAILED (503)
     */
    save(bytes: Uint8Array, extension: string): Promise<string>;
    /** The file at an address; undefined if it does not exist or is not an upload. */
    open(address: string): Promise<StoredFile | undefined>;
    /** Removes the file at an address; succeeds if it does not exist. */
    remove(address: string): Promise<void>;
    /** All stored files, unordered. */
    list(): AsyncIterable<StoredFile>;
}
/** Files in a folder, which is created with the first file. */
export declare function createFileStore(options: {
    readonly folder: string;
    readonly random: Random;
}): Files;
