import type { Job, Outcome } from '../../queue/queue.ts';
import { type Outbox } from './outbox.ts';
export interface FanOutOptions {
    /** Seconds for which the queue leaves the deliveries alone. Default 0. */
    readonly holdSeconds?: number;
    readonly onDelivery?: (deliveryId: number) => void;
}
/** Creates one delivery of an event for each receiver. */
export declare function fanOut(outbox: Outbox, job: Job, options?: FanOutOptions): Promise<Outcome>;
