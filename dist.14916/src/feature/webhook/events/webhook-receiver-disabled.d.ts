import type { EventContribution } from '../../../plan/feature.ts';
import type { Outbox } from '../outbox.ts';
/** A disabled receiver and the reason. */
export interface Disabled {
    readonly hook: string;
    readonly clientId: string | null;
    readonly url: string;
    readonly reason: string;
}
/** Calls the project's listeners after the commit. The queue continues meanwhile. */
export declare function tellDisabled({ context, beside }: Outbox, disabled: Disabled): Promise<void>;
export declare const webhookReceiverDisabled: () => EventContribution;
