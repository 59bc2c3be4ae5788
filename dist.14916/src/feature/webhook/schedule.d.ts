import type { Random } from '../../core/clock.ts';
/** Seconds between attempts; with the first, ten attempts over 75 h 35 min. */
export declare const DELAYS: readonly number[];
/** Seconds of a `Retry-After` header, at most 24 h; 0 if missing or invalid. @see RFC 9110 10.2.3 */
export declare function parseRetryAfter(header: string | undefined, now: number): number;
/**
 * Seconds for which all deliveries of a receiver pause because it is overloaded and said when to return.
 * Otherwise each waiting event would use up attempts on the same refusal.
 * @see RFC 6585 4, RFC 9110 15.6.4
 */
export declare function toRest(status: number | undefined, retryAfter: number): number;
/**
 * Seconds until the next attempt; undefined after the last. A jitter of ±20% fanOuts receivers that failed
 * together.
 * @param failed Number of failed attempts, 1 to 10.
 */
export declare function toDelay(failed: number, retryAfter: number, random: Random): number | undefined;
