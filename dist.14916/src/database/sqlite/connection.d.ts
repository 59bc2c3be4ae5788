import type { Clock } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Row } from '../database.ts';
import type { Binding, Changes, RawConnection, RawFault } from './binding.ts';
/** Maximum milliseconds to wait for a lock. */
export declare const BUSY_DEADLINE = 5000;
export type Mode = 'all' | 'run' | 'exec';
/** A statement to run. `done` must not throw. */
export interface Operation {
    readonly sql: string;
    readonly parameters: readonly unknown[];
    readonly mode: Mode;
    /** True for the driver's own statements: only these may control transactions and settings. */
    readonly isOwn: boolean;
    /** Clock time until which to wait for a lock; 0 for 5 s from the first try. */
    deadline: number;
    /** Failed tries to get the lock. */
    tries?: number;
    readonly done: (error: TreadleError | null, rows: Row[], changes: Changes | undefined, fault?: RawFault) => void;
}
export interface ConnectionOptions {
    readonly binding: Binding;
    readonly clock: Clock;
    /** Prepared statements kept. Default 500. */
    readonly statements?: number;
    /** Called with each statement before it runs. For tests. */
    readonly trace?: (sql: string) => void;
    /** Called for each statement that found a damaged page. */
    readonly damaged?: (error: TreadleError) => void;
}
/**
 * One connection: one statement at a time, in order; each is prepared once and cached.
 *
 * One at a time, because SQLite would block a second one inside a thread of libuv's pool.
 */
export declare class Connection {
    #private;
    /** Called when nothing is left to do, before the last operation's `done`. */
    onIdle: ((last: Operation) => void) | undefined;
    constructor(raw: RawConnection, options: ConnectionOptions);
    get isIdle(): boolean;
    /** Number of cached prepared statements. */
    get size(): number;
    execute(operation: Operation): void;
    /** Runs one of the driver's own statements. @throws the statement's error. */
    control(sql: string, mode?: Mode, deadline?: number): Promise<Row[]>;
    /**
     * Interrupts the running statement, which then fails with SQLITE_INTERRUPT; has no effect on one that has
     * not started in its thread. Never used on the writer: it would roll back units that share the transaction.
     * Not possible with `node:sqlite`, which runs on this thread.
     */
    interrupt(): void;
    /** Call it only while idle. */
    close(): Promise<void>;
}
