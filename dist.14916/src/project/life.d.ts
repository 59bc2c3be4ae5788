import { type Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { type OwnTimers } from './own-timer.ts';
export type Close = () => unknown;
/**
 * What one load of the project's code started and must end again: its timers, and what it closes by `app.onClose`. A
 * reload makes a new life and ends the old one, because the old code would go on beside the new.
 */
export interface Life {
    /** Runs the code while it loads. Timers and sockets that it makes belong to this life. */
    load<T>(work: () => Promise<T>): Promise<T>;
    /** The timer functions that modules of this load get. */
    readonly timers: OwnTimers;
    /** Adds a function that runs when this life ends; at once if it has ended. */
    onClose(close: Close): void;
    /** The code is served from now on: its timers run. */
    start(): void;
    /** Clears the timers, so that old code does nothing by itself. */
    silence(): void;
    /** Silences, then runs the functions of `onClose`, the last added first, for 1.5 s at most. Never rejects. */
    end(): Promise<void>;
    /** Logs later which sockets are still open. Call it after {@link end} if the process goes on. */
    tellLeft(): void;
}
export interface LifeOptions {
    /** Project root, absolute. */
    readonly root: string;
    readonly log: Log;
    /** Default: the system's. The limits are real time. */
    readonly clock?: Clock;
}
export declare function createLife(options: LifeOptions): Life;
