import type { Services } from '../../plan/feature.ts';
import type { Queue } from '../../queue/queue.ts';
import type { MailContent } from './content.ts';
/** Seconds for which a mail is tried, unless its sender says less. */
export declare const KEEP_SECONDS: number;
export declare const createMailQueue: (services: Services) => Queue;
/** Preparing a mail calls no mail server: it does not wait behind mails that one refuses. */
export declare const PREPARE_LANE = "prepare";
/** Queues sealed contents, in one write that joins the open transaction. */
export declare function enqueueMails(services: Services, contents: readonly MailContent[], { template, seconds }: {
    readonly template: string;
    readonly seconds?: number | undefined;
}): Promise<void>;
