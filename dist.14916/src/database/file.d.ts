/** Absolute path of the SQLite file; undefined for another database, or one in memory. */
export declare function findDatabaseFile(url: string, root: string): string | undefined;
/** Whether a URL names a file that exists, or a server, which is asked when it is opened. */
export declare function isDatabaseThere(url: string, root: string): boolean;
