import type { Database, SystemTable } from '../database/database.ts';
export declare const LIMIT = "treadle_limit";
/** Takes per limit and window, summed over all processes. */
export declare const limitTable: SystemTable;
/** Takes of one process in a window since it last reported. */
export interface Tally {
    readonly key: string;
    readonly window: number;
    readonly count: number;
    /** Unix milliseconds. */
    readonly expiresAt: number;
}
/** Sums the counts of all processes. */
export interface LimitStore {
    /** Adds counts and returns the totals in the same order. */
    add(tallies: readonly Tally[]): Promise<readonly number[]>;
    /** Removes windows that ended before this time (milliseconds). */
    purge(before: number): Promise<void>;
}
export declare function createLimitStore(database: Database): LimitStore;
