import { sql } from 'kysely';
import type { DeliveryTests } from './delivery-filter.ts';
import { type Chosen, findChosen } from './log-sql.ts';
import { type Outbox, toDeliveryJob, toReceiverLane } from './outbox.ts';

/** Deliveries in one write, so that others get their turn at the writer. */
const PART = 250;

/** The schedule starts over and the receivers are enabled: who sends again by hand wants it to arrive. */
async function sendPart(outbox: Outbox, chosen: readonly Chosen[]): Promise<void> {
  const { database } = outbox.context.services;
  const { kysely } = database;
  const receivers = [...new Set(chosen.map((row) => row.receiver))];
  const ids = chosen.map((row) => row.delivery_id);
  await database.write(async () => {
    await sql`update treadle_receiver set disabled_at = null, disabled_reason = null, failing_since = null
      where receiver in (${sql.join(receivers)})`.execute(kysely);
    await sql`update treadle_delivery
      set state = 'pending', attempts_before = attempts, next_at = ${outbox.now()}, settled_at = null
      where delivery_id in (${sql.join(ids)})`.execute(kysely);
    await outbox.queue.enqueue(
      chosen.map((row) => ({ ...toDeliveryJob(row.delivery_id), lane: toReceiverLane(row.receiver) })),
    );
  });
}

/**
 * Sends what a filter finds again, the oldest first, with the ids it had.
 *
 * @param limit At most so many; the caller asks again after the last id where there are more.
 * @returns How many, and the last one's id where the limit was reached.
 */
export async function sendAgain(
  outbox: Outbox,
  tests: DeliveryTests,
  limit: number,
): Promise<{ readonly count: number; readonly last: number | null }> {
  let count = 0;
  let after = 0;
  while (count < limit) {
    const wanted = Math.min(PART, limit - count);
    const chosen = await findChosen(outbox.context, [...tests, sql`d.delivery_id > ${after}`], wanted);
    if (chosen.length === 0) return { count, last: null };
    await sendPart(outbox, chosen);
    count += chosen.length;
    after = chosen.at(-1)?.delivery_id ?? after;
    if (chosen.length < wanted) return { count, last: null };
  }
  return { count, last: after };
}
