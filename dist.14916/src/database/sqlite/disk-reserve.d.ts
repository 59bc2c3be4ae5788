/**
 * A file that reserves disk space, so that a server can start on a full disk and serve reads. It is removed
 * if SQLite finds no room for its shared memory.
 */
export declare class Reserve {
    #private;
    /** @param file Path of the database. */
    constructor(file: string);
    /** Creates the file if missing, unless the disk is too full. */
    keep(): Promise<void>;
    /** Frees the space; false if nothing was reserved. */
    release(): Promise<boolean>;
}
