import { type RawBuilder, sql } from 'kysely';
import { TRIAL_PREFIX } from '../../page/delivery-view.ts';

export const isTrial = (eventId: string): boolean => eventId.startsWith(TRIAL_PREFIX);

/** Condition on `treadle_delivery d`: a real event, no trial. */
export const IS_REAL: RawBuilder<unknown> = sql`substr(d.event_id, 1, ${sql.lit(TRIAL_PREFIX.length)}) <> ${sql.lit(TRIAL_PREFIX)}`;
