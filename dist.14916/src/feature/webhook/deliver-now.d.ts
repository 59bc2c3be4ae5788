import { type Outbox } from './outbox.ts';
/** Seconds for which the queue leaves inline deliveries alone. */
export declare const toHoldSeconds: ({ timeoutSeconds }: Outbox) => number;
/**
 * Attempts these deliveries, and those of the given events, once and in parallel, each limited by the
 * hook's time-out. The queue continues with failed and interrupted ones. Skips deliveries that a worker has
 * claimed.
 */
export declare function deliverNow(outbox: Outbox, { eventId, deliveryIds }: {
    readonly eventId?: string;
    readonly deliveryIds?: readonly number[];
}): Promise<void>;
