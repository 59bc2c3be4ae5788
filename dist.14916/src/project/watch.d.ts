export interface Watch {
    /** Resolves when the watcher is ready. */
    readonly ready: Promise<void>;
    close(): Promise<void>;
}
export interface WatchOptions {
    /** Milliseconds without a change before changes are reported. Default 20. */
    readonly settle?: number;
    /** Called with errors of the watcher itself. Default: ignored. */
    readonly onError?: (error: unknown) => void;
}
/**
 * Watches `config/`, `app/`, `public/` and `.env` of a project. Calls `onChange` with the added, changed
 * and removed files (relative to the root, forward slashes) once no more changes arrive.
 */
export declare function watchProject(root: string, onChange: (files: string[]) => void, options?: WatchOptions): Watch;
