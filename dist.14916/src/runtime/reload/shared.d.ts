import type { Clock } from '../../core/clock.ts';
import { type Problem } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Database } from '../../database/database.ts';
import type { Gate } from '../gate.ts';
/** The part of an application that reloads. */
export interface Reloadable {
    readonly problems: readonly Problem[];
    reload(): Promise<readonly Problem[]>;
}
export interface SharedReloadOptions {
    readonly root: string;
    readonly clock: Clock;
    readonly log: Log;
    /** False for a one-off command, which neither announces nor receives reloads. */
    readonly isServer: boolean;
}
/**
 * Reloads this process and then all others that serve the project: the workers of the same `treadle start --workers`,
 * through the first process, and on PostgreSQL every process on the database. A notified process reads its own files
 * again, but only if they changed since it compiled them, because it may be notified of one reload more than once.
 */
export declare class SharedReload {
    #private;
    constructor(options: SharedReloadOptions);
    /** Records the state of the files; called before each compilation. */
    note(): void;
    start(application: Reloadable, database: Database, gate: Gate): void;
    /** Implements `Services.reload`. */
    reload(): Promise<readonly Problem[]>;
    close(): void;
}
