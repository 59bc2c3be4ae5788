import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Row } from './database.ts';
/** Result of an insert, update or delete without returned rows. */
export interface Outcome {
    readonly changes: number;
    readonly lastId: number;
}
/** The connection of an open transaction; runs statements in the order of the calls. */
export interface Session {
    execute(sql: string, parameters: readonly unknown[]): Promise<Row[]>;
    change(sql: string, parameters: readonly unknown[]): Promise<Outcome>;
    /** `savepoint`, `release`, `rollback to`. */
    control(sql: string): Promise<unknown>;
}
/** Maximum seconds of a transaction. */
export declare const MAX_SECONDS = 5;
export declare function endedError(): TreadleError;
export interface FrameOptions {
    /** The database of the transaction. */
    readonly owner: object;
    readonly session: Session;
    readonly clock: Clock;
}
/**
 * An open transaction or, nested in one, a savepoint. While a nested one is open, queries of the outer one
 * and other nested ones wait: savepoints are a stack and cannot interleave.
 */
export declare class Frame {
    #private;
    readonly owner: object;
    /** The previous frame of the scope: the enclosing one, a transaction of another database, or none. */
    readonly outer: object | undefined;
    /** Run after the outermost commit. */
    readonly tasks: (() => Promise<void>)[];
    /** Run if this frame or an enclosing one is rolled back. */
    readonly undoing: (() => Promise<void>)[];
    constructor(options: FrameOptions, depth?: number);
    /** Adds a task to run after the commit. @throws DATABASE_TRANSACTION_ENDED */
    addTask(task: () => Promise<void>): void;
    /** Adds a task to run after a rollback. @throws DATABASE_TRANSACTION_ENDED */
    addUndoing(task: () => Promise<void>): void;
    /** Runs the tasks for a rollback; ignores their errors. */
    undo(): Promise<void>;
    execute(sql: string, parameters: readonly unknown[]): Promise<Row[]>;
    change(sql: string, parameters: readonly unknown[]): Promise<Outcome>;
    /** Runs `fn` in a savepoint, which can be rolled back alone. */
    nest<T>(fn: () => Promise<T>, seconds?: number): Promise<T>;
    /**
     * Runs `fn` in this transaction and ends it; later calls are refused.
     * @throws DATABASE_TRANSACTION_LONG after `seconds`.
     */
    perform<T>(fn: () => Promise<T>, seconds?: number): Promise<T>;
    /** Refuses all further calls, here and in nested frames. */
    end(reason?: TreadleError): void;
}
/** The innermost open transaction of this database in the current context. */
export declare function findFrame(owner: object): Frame | undefined;
/** Runs `fn` outside any transaction: for work that outlives the current one, such as waking a worker. */
export declare function outsideTransaction<T>(fn: () => T): T;
