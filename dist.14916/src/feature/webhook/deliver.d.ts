import type { Job, Outcome } from '../../queue/queue.ts';
import { type Outbox } from './outbox.ts';
/** Makes one attempt to send a delivery and returns the outcome for the queue. */
export declare function deliver(outbox: Outbox, job: Job, signal: AbortSignal): Promise<Outcome>;
