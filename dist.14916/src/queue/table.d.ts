import type { Database, SystemTable } from '../database/database.ts';
import type { Job, JobRef, NewJob, QueueFigures } from './queue.ts';
/** Jobs of all queues. A running job has an owner, and is due again when its lease ends. */
export declare const jobTable: SystemTable;
/** SQL statements of one queue. Times are unix seconds. */
export interface JobStore {
    insert(jobs: readonly NewJob[], now: number): Promise<void>;
    /** Lanes of jobs that fell due in a period, from at most `jobs` jobs, latest first. */
    findLanes(after: number, until: number, jobs: number): Promise<{
        readonly lanes: string[];
        readonly isAll: boolean;
    }>;
    /** The next lanes after a name, at most `limit`, and whether each has a due job. */
    walkLanes(after: string, now: number, limit: number): Promise<{
        readonly lane: string;
        readonly isDue: boolean;
    }[]>;
    measure(now: number): Promise<QueueFigures>;
    /** When the next job after now is due; undefined if there is no job. */
    findNextDue(now: number): Promise<number | undefined>;
    /** Claims the oldest due jobs of lanes, up to the given number of each. Skips jobs claimed by others. */
    claim(lanes: ReadonlyMap<string, number>, lease: Lease): Promise<Job[]>;
    /** Claims one job, due or not, unless another owner has it. */
    claimNow(ref: JobRef, lease: Lease): Promise<Job | undefined>;
    /** Renews the leases that the owner still holds. */
    extend(ids: readonly number[], lease: Lease): Promise<void>;
    /** Returns the jobs that the owner still holds to the queue, due at once. */
    release(ids: readonly number[], owner: string, now: number): Promise<void>;
    /** Ends or postpones jobs. Returns the ids of those that their owners still held. */
    finish(ends: readonly JobEnd[]): Promise<ReadonlySet<number>>;
}
interface JobEnd {
    readonly id: number;
    readonly owner: string;
    /** Unix seconds; undefined ends the job. */
    readonly retryAt: number | undefined;
}
interface Lease {
    readonly owner: string;
    /** Unix seconds. */
    readonly now: number;
    readonly seconds: number;
}
export declare function createJobStore(database: Database, queue: string): JobStore;
export declare const secondsOf: (clock: {
    now(): number;
}) => number;
export {};
