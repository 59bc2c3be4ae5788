import { sql } from 'kysely';
import type { DeliveryTests } from './delivery-filter.ts';
import { type Chosen, findChosen } from './log-sql.ts';
import { type Outbox, toDeliveryJob, toReceiverLane } from './outbox.ts';
import type { FindUnsent, LoggedReceiver } from './unsent.ts';

/** Deliveries in one write, so that others get their turn at the writer. */
const PART = 250;

/** A receiver that was disabled, and is enabled by what is sent to it again. */
export interface Enabled extends LoggedReceiver {
  readonly disabled_reason: string | null;
}

/** A receiver that is left out, why, and how many deliveries that are. */
export interface Skipped extends LoggedReceiver {
  readonly count: number;
  readonly reason: string;
}

export interface SentAgain {
  readonly count: number;
  /** The last one's id where the limit was reached. */
  readonly last: number | null;
  readonly skipped: readonly Skipped[];
  readonly enabled: readonly Enabled[];
}

/**
 * The schedule starts over and the receivers are enabled: who sends again by hand wants it to arrive.
 *
 * @returns The receivers that were disabled.
 */
async function sendPart(outbox: Outbox, chosen: readonly Chosen[]): Promise<readonly Enabled[]> {
  if (chosen.length === 0) return [];
  const { database } = outbox.context.services;
  const { kysely } = database;
  const ids = chosen.map((row) => row.delivery_id);
  // Whatever address they have by now.
  const isTheirs = sql`exists (select 1 from treadle_delivery d
    where d.delivery_id in (${sql.join(ids)}) and d.hook = treadle_receiver.hook
      and coalesce(d.client_id, '') = coalesce(treadle_receiver.client_id, ''))`;
  return database.write(async () => {
    const { rows } = await sql<Enabled>`select hook, url, client_id, disabled_reason from treadle_receiver
      where disabled_at is not null and ${isTheirs} order by hook, url`.execute(kysely);
    await sql`update treadle_receiver set disabled_at = null, disabled_reason = null, failing_since = null
      where (disabled_at is not null or failing_since is not null) and ${isTheirs}`.execute(kysely);
    await sql`update treadle_delivery
      set state = 'pending', attempts_before = attempts, next_at = ${outbox.now()}, settled_at = null
      where delivery_id in (${sql.join(ids)})`.execute(kysely);
    await outbox.queue.enqueue(
      chosen.map((row) => ({ ...toDeliveryJob(row.delivery_id), lane: toReceiverLane(row.receiver) })),
    );
    return rows;
  });
}

const toKey = ({ hook, url, client_id: clientId }: LoggedReceiver): string => JSON.stringify([hook, url, clientId]);

/** Parts what may be sent from what may not, receivers alike counted together. */
export function partSkipped<T extends LoggedReceiver & { readonly count?: number }>(
  rows: readonly T[],
  findUnsent: FindUnsent,
): { readonly sendable: readonly T[]; readonly skipped: readonly Skipped[] } {
  const skipped = new Map<string, Skipped>();
  const sendable = rows.filter((row) => {
    const reason = findUnsent(row);
    if (reason === undefined) return true;
    const { hook, url, client_id } = row;
    const count = (skipped.get(toKey(row))?.count ?? 0) + (row.count ?? 1);
    skipped.set(toKey(row), { hook, url, client_id, count, reason });
    return false;
  });
  return { sendable, skipped: [...skipped.values()] };
}

/** Counts of the same receivers added up. */
function addUp(parts: readonly Skipped[]): Skipped[] {
  const found = new Map<string, Skipped>();
  for (const each of parts)
    found.set(toKey(each), { ...each, count: each.count + (found.get(toKey(each))?.count ?? 0) });
  return [...found.values()];
}

/**
 * Sends what a filter finds again, the oldest first, with the ids it had. What goes to an app that would get nothing, such
 * as one that waits for approval, stays as it is.
 *
 * @param limit At most so many are looked at; the caller asks again after the last id where there are more.
 */
export async function sendAgain(
  outbox: Outbox,
  tests: DeliveryTests,
  { limit, findUnsent }: { readonly limit: number; readonly findUnsent: FindUnsent },
): Promise<SentAgain> {
  const skipped: Skipped[] = [];
  const enabled: Enabled[] = [];
  let [count, seen, after] = [0, 0, 0];
  const end = (last: number | null): SentAgain => ({ count, last, skipped: addUp(skipped), enabled });
  while (seen < limit) {
    const wanted = Math.min(PART, limit - seen);
    const chosen = await findChosen(outbox.context, [...tests, sql`d.delivery_id > ${after}`], wanted);
    const part = partSkipped(chosen, findUnsent);
    enabled.push(...(await sendPart(outbox, part.sendable)));
    skipped.push(...part.skipped);
    count += part.sendable.length;
    seen += chosen.length;
    after = chosen.at(-1)?.delivery_id ?? after;
    if (chosen.length < wanted) return end(null);
  }
  return end(after);
}
