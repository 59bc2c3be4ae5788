import type { Clock, Random } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import type { Handle, Job, Outcome } from './queue.ts';
import type { ResultWriter } from './result-writer.ts';
export interface QueueDeps {
    readonly database: Database;
    readonly clock: Clock;
    readonly random: Random;
    readonly log: Log;
}
export interface Task {
    readonly job: Job;
    readonly owner: string;
    readonly handle: Handle;
    /** Aborted when the job returns to the queue. */
    readonly signal: AbortSignal;
}
/** Runs one claimed job and saves its outcome, unless it was released meanwhile. Never throws. */
export declare function runJob(deps: QueueDeps, resultWriter: ResultWriter, task: Task): Promise<Outcome>;
