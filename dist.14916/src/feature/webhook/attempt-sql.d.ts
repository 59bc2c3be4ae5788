import type { Database } from '../../database/database.ts';
import type { DeliveryState } from './tables.ts';
/** One attempt and the state of its delivery afterwards. Times are unix seconds. */
export interface AttemptRow {
    readonly delivery_id: number;
    readonly number: number;
    /** Value before the attempt. It differs now if the delivery was replayed by hand meanwhile. */
    readonly attempts_before: number;
    readonly status: number | null;
    readonly error: string | null;
    readonly milliseconds: number;
    readonly request_head: string | null;
    readonly response_head: string | null;
    readonly response_body: string | null;
    readonly at: number;
    readonly state: DeliveryState;
    readonly next_at: number | null;
    readonly settled_at: number | null;
}
/**
 * Adds attempts and updates their deliveries, with few statements for any number.
 * @returns Deliveries that were replayed by hand during a failed attempt: their schedule starts over now.
 */
export declare function recordAttempts(database: Database, attempts: readonly AttemptRow[], now: number): Promise<ReadonlySet<number>>;
/**
 * Ends a delivery without an attempt. One that arrived before and was replayed stays delivered. False if it
 * was replayed, or its receiver enabled, after it was read.
 */
export declare function endDelivery(database: Database, end: {
    readonly deliveryId: number;
    readonly attemptsBefore: number;
    readonly state: 'failed' | 'disabled';
    readonly error: string;
    readonly now: number;
}): Promise<boolean>;
/** Saves since when receivers have only failed. */
export declare function markFailing(database: Database, receiver: string, now: number): Promise<void>;
/** Clears the failure state. Locks no row if none had failed. */
export declare function clearFailing(database: Database, receivers: readonly string[]): Promise<void>;
/** Disables a receiver; false if it was disabled already. */
export declare function disableReceiver(database: Database, receiver: string, { at, reason }: {
    readonly at: number;
    readonly reason: string;
}): Promise<boolean>;
/** Since when a receiver has failed, and whether anything was sent since a time. */
export declare function readFailing(database: Database, receiver: string, since: number): Promise<{
    readonly failingSince: number | undefined;
    readonly isTried: boolean;
}>;
