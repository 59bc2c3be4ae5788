import { sql } from 'kysely';
import * as z from 'zod';
import type { Test } from '../../../plan/table/table.ts';
import { type ChosenDelivery, findChosen } from './log-sql.ts';
import { type Outbox, toDeliveryJob, toReceiverLane } from './outbox.ts';
import type { FindSkipReason, LoggedReceiver } from './skip-reason.ts';

/** Deliveries per transaction, so that other writers get a turn. */
const PART = 250;

/** A disabled receiver that a replay enabled. */
export interface EnabledReceiver extends LoggedReceiver {
  readonly disabled_reason: string | null;
}

/** A skipped receiver, the reason, and its number of deliveries. */
export interface SkippedReceiver extends LoggedReceiver {
  readonly count: number;
  readonly reason: string;
}

const logged = () => ({ hook: z.string(), url: z.string(), client_id: z.string().nullable() });

/** Skipped receivers in results. */
export const skippedReceivers = () =>
  z.array(z.object({ ...logged(), count: z.number(), reason: z.string() })).readonly();

export interface ReplayResult {
  readonly count: number;
  /** The last delivery's id if the limit was reached. */
  readonly last: number | null;
  readonly skipped: readonly SkippedReceiver[];
  readonly enabled: readonly EnabledReceiver[];
}

/**
 * Restarts the schedule and enables the receivers: a replay by hand should arrive.
 * @returns The receivers that were disabled.
 */
async function sendPart(outbox: Outbox, chosen: readonly ChosenDelivery[]): Promise<readonly EnabledReceiver[]> {
  if (chosen.length === 0) return [];
  const { database } = outbox.context.services;
  const { kysely } = database;
  const ids = chosen.map((row) => row.delivery_id);
  // At any of the receiver's addresses.
  const isTheirs = sql`exists (select 1 from treadle_delivery d
    where d.delivery_id in (${sql.join(ids)}) and d.hook = treadle_receiver.hook
      and coalesce(d.client_id, '') = coalesce(treadle_receiver.client_id, ''))`;
  return database.write(async () => {
    const { rows } = await sql<EnabledReceiver>`select hook, url, client_id, disabled_reason from treadle_receiver
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

/** Separates what may be sent from what is skipped, counted by receiver. */
export function splitSkipped<T extends LoggedReceiver & { readonly count?: number }>(
  rows: readonly T[],
  findSkipReason: FindSkipReason,
): { readonly sendable: readonly T[]; readonly skipped: readonly SkippedReceiver[] } {
  const skipped = new Map<string, SkippedReceiver>();
  const sendable = rows.filter((row) => {
    const reason = findSkipReason(row);
    if (reason === undefined) return true;
    const { hook, url, client_id } = row;
    const count = (skipped.get(toKey(row))?.count ?? 0) + (row.count ?? 1);
    skipped.set(toKey(row), { hook, url, client_id, count, reason });
    return false;
  });
  return { sendable, skipped: [...skipped.values()] };
}

/** Sums the counts by receiver. */
function addUp(parts: readonly SkippedReceiver[]): SkippedReceiver[] {
  const found = new Map<string, SkippedReceiver>();
  for (const each of parts)
    found.set(toKey(each), { ...each, count: each.count + (found.get(toKey(each))?.count ?? 0) });
  return [...found.values()];
}

/**
 * Replays the deliveries that match a filter, oldest first, with their ids. Skips apps that may receive
 * nothing now, such as one that waits for approval.
 * @param limit Maximum deliveries to examine; call again with the last id if there are more.
 */
export async function replayDeliveries(
  outbox: Outbox,
  tests: readonly Test[],
  { limit, findSkipReason }: { readonly limit: number; readonly findSkipReason: FindSkipReason },
): Promise<ReplayResult> {
  const skipped: SkippedReceiver[] = [];
  const enabled: EnabledReceiver[] = [];
  let [count, seen, after] = [0, 0, 0];
  const end = (last: number | null): ReplayResult => ({ count, last, skipped: addUp(skipped), enabled });
  while (seen < limit) {
    const wanted = Math.min(PART, limit - seen);
    const chosen = await findChosen(outbox.context, [...tests, sql`d.delivery_id > ${after}`], wanted);
    const part = splitSkipped(chosen, findSkipReason);
    enabled.push(...(await sendPart(outbox, part.sendable)));
    skipped.push(...part.skipped);
    count += part.sendable.length;
    seen += chosen.length;
    after = chosen.at(-1)?.delivery_id ?? after;
    if (chosen.length < wanted) return end(null);
  }
  return end(after);
}
