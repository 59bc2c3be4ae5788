import type { JobStore } from './table.ts';
/** Finds lanes with due jobs that no notifier announced. */
export interface Poller {
    /** Lets the next {@link find} read what fell due since the last one. */
    poll(): void;
    /** Lets the next {@link find} start a walk over all lanes. */
    walk(): void;
    /** Announces that a job falls due at this time (unix seconds). */
    expect(dueAt: number): void;
    /** Lanes with due jobs that one step finds. Does not query if nothing was requested. */
    find(now: number): Promise<{
        readonly lanes: readonly string[];
        readonly isMore: boolean;
    }>;
    /** Unix seconds of the next poll. */
    next(): number;
}
/** The first poll is a walk. */
export declare function createPoller(store: JobStore): Poller;
