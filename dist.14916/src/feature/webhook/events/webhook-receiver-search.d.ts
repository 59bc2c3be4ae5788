import type { EventContribution } from '../../../plan/feature.ts';
/** Stage keys that select receivers. */
export declare const RECEIVER_STAGE: {
    readonly receiver: 'Key of one receiver.';
    readonly hook: 'Name of the web hook.';
    readonly url: 'Its URL.';
    readonly app_id: 'Id of the receiving app.';
    readonly client_id: 'Client id of the receiving app.';
    readonly owner: 'Only apps of this account (`auth_id`).';
};
export declare const webhookReceiverSearch: () => EventContribution;
