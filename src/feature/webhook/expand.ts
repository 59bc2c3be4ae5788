import type { Job, NewJob, Outcome } from '../../queue/queue.ts';
import { type Outbox, toDeliveryJob } from './outbox.ts';
import { findReceivers, type Receiver } from './receiver.ts';
import { insertDeliveries, touchReceivers } from './spread-sql.ts';
import { findEvent } from './sql.ts';

/** A plan that does not know a hook (an older process of a roll-out) leaves its events to others for this long. */
const UNKNOWN_SECONDS = 3600;
const UNKNOWN_RETRY_SECONDS = 30;
/** Receivers in one write, so that an event with thousands does not keep the writer. Doing it again adds none twice. */
const PART = 100;

export interface ExpandOptions {
  /** Seconds for which the queue leaves the deliveries alone. Default 0. */
  readonly holdSeconds?: number;
  readonly onDelivery?: (deliveryId: number) => void;
}

/** Turns an event into one delivery for each receiver. */
export async function expand(outbox: Outbox, job: Job, options: ExpandOptions = {}): Promise<Outcome> {
  const { database } = outbox.context.services;
  const event = await findEvent(database, job.payload);
  if (!event) return {};
  const hook = outbox.hooks.get(event.hook);
  const now = outbox.now();
  if (!hook) {
    const isFresh = now - Number(event.created_at) < UNKNOWN_SECONDS;
    return isFresh ? { retryAt: now + UNKNOWN_RETRY_SECONDS, isFailed: false } : {};
  }
  const profileId = event.profile_id === null ? undefined : Number(event.profile_id);
  const receivers = await findReceivers(outbox.context, hook, profileId);
  const version = hook.definition.secretVersion ?? 1;

  const addDeliveries = async (part: readonly Receiver[]): Promise<void> => {
    const to = part.map((receiver) => ({ ...receiver, hook: hook.name, version }));
    const disabled = await touchReceivers(database, to, now);
    const states = part.map((receiver) => ({ receiver, isDisabled: disabled.has(receiver.key) }));
    const ids = await insertDeliveries(database, { eventId: event.event_id, hook: hook.name, now }, states);
    const jobs = states.flatMap(({ receiver: { key }, isDisabled }): NewJob[] => {
      const id = ids.get(key);
      if (id === undefined || isDisabled) return [];
      options.onDelivery?.(id);
      return [{ ...toDeliveryJob(id), lane: `receiver:${key}`, dueAt: now + (options.holdSeconds ?? 0) }];
    });
    await outbox.queue.enqueue(jobs);
  };
  let from = 0;
  for (; receivers.length - from > PART; from += PART) {
    const part = receivers.slice(from, from + PART);
    await database.write(() => addDeliveries(part));
  }
  const rest = receivers.slice(from);
  return { record: () => addDeliveries(rest) };
}
