import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Database } from './database.ts';
import { type BindingName } from './sqlite/binding.ts';
export interface OpenOptions {
    /**
     * `sqlite:var/app.db` (relative to the project's root, or absolute), `sqlite::memory:`,
     * `postgres://user@host/name?schema=…`.
     */
    readonly url: string;
    /** Project root, absolute. */
    readonly root: string;
    readonly log: Log;
    readonly clock: Clock;
    /** Maximum read connections of SQLite. Default 4. */
    readonly readers?: number;
    /** Seconds that a read of a request may take; called each time, so that a reload changes it. Default 5. */
    readonly readSeconds?: () => number;
    /** Prepared statements kept by each connection. Default 500. */
    readonly statements?: number;
    /** Called with each statement (of SQLite's writer) before it runs. For tests. */
    readonly trace?: (sql: string) => void;
    /**
     * Called once when an error of SQLite's file or disk ended all writing and a restart may help. If given,
     * the file is watched, as a server needs.
     */
    readonly failed?: (error: TreadleError) => void;
    /** Uses only this SQLite binding. For tests. */
    readonly binding?: BindingName;
    /** Whether to create a missing PostgreSQL schema; else it reads as empty. Default true. */
    readonly isMaking?: boolean;
}
/**
 * Opens the database of a URL and checks its settings. Creates a missing SQLite file and folder, or
 * PostgreSQL schema.
 * @throws DATABASE_URL_UNSUPPORTED, DATABASE_BINDING_MISSING, DATABASE_UNWRITABLE, DATABASE_UNREACHABLE,
 *   DATABASE_SETTING_REFUSED
 */
export declare function openDatabase(options: OpenOptions): Promise<Database>;
