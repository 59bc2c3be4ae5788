import type { Clock } from '../core/clock.ts';
import type { LimitStore } from './store.ts';
/** State of a key after a take. */
export interface Taken {
    readonly isAllowed: boolean;
    readonly left: number;
    /** Whole seconds until the next take is allowed; 0 if one is allowed now. */
    readonly retrySeconds: number;
    /** Whole seconds until the end of the window, at least 1. */
    readonly resetSeconds: number;
}
export interface LimiterOptions {
    readonly clock: Clock;
    /** Maximum number of keys; the oldest are dropped. Default 100,000 (some 15 MB). */
    readonly maxKeys?: number;
    /** Store that other processes share. Default none: this process counts alone. */
    readonly store?: LimitStore;
}
/**
 * Counts takes per key in memory over a sliding window: the previous window counts in proportion to its
 * overlap, so nobody gets double the limit at a window boundary.
 */
export declare function createLimiter(options: LimiterOptions): {
    take(key: string, limit: number, windowSeconds: number): Taken;
};
