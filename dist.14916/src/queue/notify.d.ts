import type { Database } from '../database/database.ts';
/** A committed job, as far as a worker must know it to start it. */
export interface Notice {
    readonly lane: string;
    /** Unix seconds before which it is not started. Default now. */
    readonly dueAt?: number;
}
/** Tells the workers of this process which jobs were committed, so that they need not poll for them. */
export interface Notifier {
    notify(jobs: readonly Notice[]): void;
    /** Returns a function that unsubscribes. */
    listen(callback: (jobs: readonly Notice[]) => void): () => void;
}
/** The notifier of a queue, one per database: jobs that an old plan enqueues wake the new plan's worker. */
export declare function notifierOf(database: Database, queue: string): Notifier;
