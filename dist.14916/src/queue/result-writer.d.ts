import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import type { Job, Outcome } from './queue.ts';
import type { JobStore } from './table.ts';
export interface ResultWriterDeps {
    readonly database: Database;
    readonly clock: Clock;
    readonly log: Log;
}
/** A job that ran, with its outcome. */
export interface JobResult {
    readonly job: Job;
    readonly owner: string;
    readonly outcome: Outcome;
    /** Aborted when the job returns to the queue: then nothing is written. */
    readonly signal: AbortSignal;
}
/**
 * Saves the outcomes of jobs and other writes of the queue: on SQLite one commit at a time for all of them.
 */
export interface ResultWriter {
    /** Resolves when the outcome is saved or the job returned to the queue. */
    save(result: JobResult): Promise<void>;
    /** Runs a write in the next commit, after the outcomes of jobs. */
    share<T>(work: () => Promise<T>): Promise<T>;
}
export declare function createResultWriter(deps: ResultWriterDeps, store: JobStore): ResultWriter;
