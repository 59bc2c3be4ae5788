/**
 * Checks that the database file and its log are still the opened ones. SQLite keeps writing to a deleted or
 * replaced file: every commit succeeds, and all of it is lost when the process ends.
 * The check is synchronous: it takes 2 µs per file, and a commit takes 1 ms.
 */
export declare class FileGuard {
    #private;
    /** @param file Path of the database, which a connection has open in WAL mode. */
    constructor(file: string);
    /** @throws DATABASE_REPLACED */
    check(): void;
}
