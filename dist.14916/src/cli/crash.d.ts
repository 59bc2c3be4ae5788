import type { Log } from '../core/log.ts';
/**
 * Keeps a server running after an unhandled rejection in the project's code, and logs it. An uncaught exception
 * is logged too; its effects are unknown, so a production server then shuts down.
 */
export declare class CrashGuard {
    #private;
    /** Resolves at the first uncaught exception. */
    readonly crashed: Promise<void>;
    /** @param root Project root, absolute. */
    constructor(log: Log, root: string);
    get isCrashed(): boolean;
    /** Restores Node's default handling. */
    release(): void;
}
