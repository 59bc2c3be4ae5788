import type { DeliveryTests } from './delivery-filter.ts';
import { type Outbox } from './outbox.ts';
import type { FindSkipReason, LoggedReceiver } from './skip-reason.ts';
/** A disabled receiver that a replay enabled. */
export interface Enabled extends LoggedReceiver {
    readonly disabled_reason: string | null;
}
/** A skipped receiver, the reason, and its number of deliveries. */
export interface Skipped extends LoggedReceiver {
    readonly count: number;
    readonly reason: string;
}
export interface Replayed {
    readonly count: number;
    /** The last delivery's id if the limit was reached. */
    readonly last: number | null;
    readonly skipped: readonly Skipped[];
    readonly enabled: readonly Enabled[];
}
/** Separates what may be sent from what is skipped, counted by receiver. */
export declare function splitSkipped<T extends LoggedReceiver & {
    readonly count?: number;
}>(rows: readonly T[], findSkipReason: FindSkipReason): {
    readonly sendable: readonly T[];
    readonly skipped: readonly Skipped[];
};
/**
 * Replays the deliveries that match a filter, oldest first, with their ids. Skips apps that may receive
 * nothing now, such as one that waits for approval.
 * @param limit Maximum deliveries to examine; call again with the last id if there are more.
 */
export declare function replayDeliveries(outbox: Outbox, tests: DeliveryTests, { limit, findSkipReason }: {
    readonly limit: number;
    readonly findSkipReason: FindSkipReason;
}): Promise<Replayed>;
