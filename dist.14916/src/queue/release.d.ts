import { type Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import { type JobStore } from './table.ts';
/** A job that is running. */
export interface RunningJob {
    readonly lane: string;
    /** Resolves when it has ended; never rejects. */
    readonly promise: Promise<unknown>;
    readonly abort: AbortController;
}
export interface ReleaseDeps {
    readonly database: Database;
    readonly clock: Clock;
    readonly log: Log;
    readonly store: JobStore;
    /** Name of the queue. */
    readonly name: string;
}
type Jobs = ReadonlyMap<number, RunningJob>;
export declare function waitForAll(jobs: Jobs): Promise<void>;
/** Waits up to 3 s for an owner's jobs. Then aborts the rest and returns them to the queue, due at once. */
export declare function releaseJobs(deps: ReleaseDeps, owner: string, jobs: Jobs): Promise<void>;
export {};
