import type { Context } from '../../plan/feature.ts';
import type { Job, Outcome } from '../../queue/queue.ts';
/** Delivers the mails of one plan's queue. */
export declare function createDeliver(context: Context): (job: Job) => Promise<Outcome>;
