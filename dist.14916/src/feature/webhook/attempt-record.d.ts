import type { Outcome } from '../../queue/queue.ts';
import { type AttemptRow } from './attempt-sql.ts';
import { type Outbox } from './outbox.ts';
import type { DeliveryRow } from './sql.ts';
/** Data to save for an attempt. */
export interface Recorded {
    readonly outbox: Outbox;
    readonly row: DeliveryRow;
    readonly attempt: AttemptRow;
    /** Reason for disabling the receiver. */
    readonly disabling?: string;
    /** Whether to count the receiver's failures from this one. */
    readonly isAnew?: boolean;
}
/** Saves attempts and the resulting state of their receivers. */
export declare const recordAttempt: (item: Recorded, weight?: number) => import("../../queue/entry.ts").Entry;
interface Ended {
    readonly outbox: Outbox;
    readonly row: DeliveryRow;
    readonly state: 'failed' | 'disabled';
    readonly error: string;
}
/** Ends a delivery without an attempt. */
export declare const toEnd: (outbox: Outbox, row: DeliveryRow, state: Ended['state'], error: string) => Outcome;
export {};
