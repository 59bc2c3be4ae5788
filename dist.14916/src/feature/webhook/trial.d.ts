import { type RawBuilder } from 'kysely';
/** Prefix of the ids of trial events, which `webhook-test` fires. */
export declare const TRIAL_PREFIX = "msg_test_";
export declare const isTrial: (eventId: string) => boolean;
/** Condition on `treadle_delivery d`: a real event, no trial. */
export declare const IS_REAL: RawBuilder<unknown>;
