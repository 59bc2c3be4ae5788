import type { Worker } from '../../plan/feature.ts';
import { type Outbox } from './outbox.ts';
export interface WebhookWorker extends Worker {
    /** Resolves when nothing is running and nothing is due. */
    idle(): Promise<void>;
}
/** Creates deliveries and sends them in the background, until stopped. */
export declare function createWebhookWorker(outbox: Outbox): WebhookWorker;
