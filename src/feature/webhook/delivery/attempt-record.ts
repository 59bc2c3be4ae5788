import { toReason } from '../../../core/text/reason.ts';
import { createEntries } from '../../../queue/entry.ts';
import type { Outcome } from '../../../queue/queue.ts';
import { tellDisabled } from '../events/webhook-receiver-disabled.ts';
import { updateReceiver } from '../receiver/receiver-sql.ts';
import type { DeliveryRow } from '../sql.ts';
import { isTrial } from '../trial.ts';
import {
  type AttemptRow,
  clearFailing,
  disableReceiver,
  endDelivery,
  markFailing,
  recordAttempts,
} from './attempt-sql.ts';
import { type Outbox, toDeliveryJob, toReceiverLane } from './outbox.ts';

/** Data to save for an attempt. */
export interface AttemptRecord {
  readonly outbox: Outbox;
  readonly row: DeliveryRow;
  readonly attempt: AttemptRow;
  /** Reason for disabling the receiver. */
  readonly disabling?: string;
  /** Whether to count the receiver's failures from this one. */
  readonly isAnew?: boolean;
}

async function recordFailure({ outbox, row, attempt, disabling, isAnew }: AttemptRecord): Promise<void> {
  const { database, log } = outbox.context.services;
  const { hook, client_id: clientId, url, receiver } = row;
  if (disabling === undefined) {
    if (isAnew === true) await updateReceiver(database, receiver, { failing_since: attempt.at });
    else await markFailing(database, receiver, attempt.at);
    return;
  }
  // Of several concurrent calls only one disables the receiver and reports it.
  const isNew = await disableReceiver(database, receiver, { at: outbox.now(), reason: disabling });
  if (!isNew) return;
  // Not the URL: its path or query may contain the receiver's secret.
  log.warn('webhook.receiver.disabled', { hook, clientId, reason: disabling });
  await tellDisabled(outbox, { hook, clientId, url, reason: disabling });
}

/** End of an attempt, in milliseconds. */
const toEndTime = ({ attempt }: AttemptRecord): number => attempt.at * 1000 + attempt.milliseconds;

/**
 * The failure that decides each receiver's state: one that disables it, else the last one, unless a success
 * followed. Failed trials do not count.
 */
function findFailures(items: readonly AttemptRecord[]): AttemptRecord[] {
  const last = new Map<string, AttemptRecord>();
  const real = items.filter(({ row, attempt }) => attempt.state === 'delivered' || !isTrial(row.event_id));
  for (const item of real.sort((a, b) => toEndTime(a) - toEndTime(b)))
    if (last.get(item.row.receiver)?.disabling === undefined) last.set(item.row.receiver, item);
  const failures = [...last.values()].filter(({ attempt }) => attempt.state !== 'delivered');
  // Always in the same order, so that two processes cannot deadlock.
  return failures.sort((a, b) => (a.row.receiver < b.row.receiver ? -1 : 1));
}

/** Wakes the queue for deliveries that were replayed by hand meanwhile. */
const sendNow = ({ queue }: Outbox, rows: readonly DeliveryRow[]): Promise<void> =>
  queue.enqueue(rows.map((row) => ({ ...toDeliveryJob(Number(row.delivery_id)), lane: toReceiverLane(row.receiver) })));

/** Saves attempts and the resulting state of their receivers. */
export const recordAttempt = createEntries<AttemptRecord>(async (items) => {
  const [first] = items;
  if (first === undefined) return;
  const { outbox } = first;
  const { database } = outbox.context.services;
  const attempts = items.map(({ attempt }) => attempt);
  const answered = items.filter(({ attempt }) => attempt.state === 'delivered').map(({ row }) => row.receiver);
  const [again] = await Promise.all([
    recordAttempts(database, attempts, outbox.now()),
    clearFailing(database, [...new Set(answered)].sort()),
  ]);
  const rows = items.map(({ row }) => row);
  if (again.size > 0)
    await sendNow(
      outbox,
      rows.filter((row) => again.has(Number(row.delivery_id))),
    );
  for (const failure of findFailures(items)) await recordFailure(failure);
});

interface DeliveryEnd {
  readonly outbox: Outbox;
  readonly row: DeliveryRow;
  readonly state: 'failed' | 'disabled';
  readonly error: string;
}

const recordEnd = createEntries<DeliveryEnd>(async (items) => {
  for (const { outbox, row, state, error } of items) {
    const ids = { deliveryId: Number(row.delivery_id), attemptsBefore: Number(row.attempts_before) };
    const end = { ...ids, state, error, now: outbox.now() };
    if (!(await endDelivery(outbox.context.services.database, end))) await sendNow(outbox, [row]);
  }
});

/** Ends a delivery without an attempt. */
export const toEnd = (outbox: Outbox, row: DeliveryRow, state: DeliveryEnd['state'], error: string): Outcome => ({
  entry: recordEnd({ outbox, row, state, error: toReason(error) }),
});
