/** Swap and backup files of editors, and Treadle's own temporary files. */
export declare function isNoise(path: string): boolean;
/** Identifies the state of a file; empty if it does not exist. */
export declare function toState(path: string): string;
/** Files of a folder and its subfolders; empty if it is gone. */
export declare function listFiles(folder: string): string[];
/**
 * A text that changes when a file of `config/`, `app/` or `.env` is written, made or removed. It reads no contents, and
 * holds on this machine only.
 */
export declare function readFingerprint(root: string): string;
