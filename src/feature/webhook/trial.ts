import { type RawBuilder, sql } from 'kysely';

/** How the ids of trial events begin, which `webhook-test` fires. */
export const TRIAL_PREFIX = 'msg_test_';

export const isTrial = (eventId: string): boolean => eventId.startsWith(TRIAL_PREFIX);

/** Of `treadle_delivery d`: that it tells of what happened, and is no trial. */
export const IS_REAL: RawBuilder<unknown> = sql`substr(d.event_id, 1, ${sql.lit(TRIAL_PREFIX.length)}) <> ${sql.lit(TRIAL_PREFIX)}`;
