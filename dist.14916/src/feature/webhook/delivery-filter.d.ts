import { type RawBuilder } from 'kysely';
import type { Request } from '../../core/request.ts';
import type { Refusal } from '../../core/response.ts';
import type { Context } from '../../plan/feature.ts';
/** Conditions on `treadle_delivery d` joined to `treadle_event e`; an empty list matches all. */
export type DeliveryTests = readonly RawBuilder<unknown>[];
/** Stage keys of every event that selects deliveries. */
export declare const FILTER_STAGE: {
    readonly hook: 'Name of the web hook.';
    readonly app_id: 'Id of the receiving app.';
    readonly client_id: 'Client id of the receiving app.';
    readonly url: "The receiver's URL.";
    readonly receiver: 'Key of the receiver, from `webhook-receiver-search`.';
    readonly type: 'Type of the event, such as `profile.created`.';
    readonly event_id: 'Id of the event (`msg_…`).';
    readonly since: 'From this time on: unix seconds, or `YYYY-MM-DD HH:MM:SS` in UTC.';
    readonly until: 'Before this time, in the same form.';
    readonly owner: 'Only deliveries to the apps of this account (`auth_id`).';
};
/** Parses a time of a stage to unix seconds; undefined if invalid. */
export declare function parseStageTime(value: unknown): number | undefined;
/** The deliveries that a stage selects, or why it is invalid. */
export declare function parseFilter(context: Context, request: Request): Promise<DeliveryTests | Refusal>;
/** `where …`, or an empty fragment. */
export declare const toWhere: (tests: DeliveryTests) => RawBuilder<unknown>;
