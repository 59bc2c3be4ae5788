import type { Context, Worker } from '../../plan/feature.ts';
export interface MailWorker extends Worker {
    /** Resolves when nothing is running and nothing is due. */
    idle(): Promise<void>;
}
/** Sends what is queued, in the background, until stopped. */
export declare function createMailWorker(context: Context): MailWorker;
