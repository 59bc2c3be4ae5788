import type { HookModel } from '../../../model/model.ts';
import { createEntries } from '../../../queue/entry.ts';
import type { Job, NewJob, Outcome } from '../../../queue/queue.ts';
import { findReceivers, type Receiver } from '../receiver/receiver.ts';
import { addReceivers } from '../receiver/receiver-sql.ts';
import { findEvent, insertDeliveries, type NewDelivery } from '../sql.ts';
import { type Outbox, toDeliveryJob, toReceiverLane, toUnknownRetry } from './outbox.ts';

/**
 * Receivers per transaction, so that an event with thousands does not block other writers. Repeating a
 * batch adds no duplicates.
 */
const PART = 100;

export interface FanOutOptions {
  /** Seconds for which the queue leaves the deliveries alone. Default 0. */
  readonly reservedSeconds?: number;
  readonly onDelivery?: (deliveryId: number) => void;
}

/** An event and some of its receivers. */
interface FanOut {
  readonly outbox: Outbox;
  readonly eventId: string;
  readonly hook: HookModel;
  readonly receivers: readonly Receiver[];
  readonly options: FanOutOptions;
}

/** Writes the deliveries of events and their jobs, with few statements for any number. */
async function writeDeliveries(fanOuts: readonly FanOut[]): Promise<void> {
  const [first] = fanOuts;
  if (first === undefined) return;
  const { queue, context, now: readNow } = first.outbox;
  const { database } = context.services;
  const now = readNow();
  const to = fanOuts.flatMap(({ hook: { name, definition }, receivers }) =>
    receivers.map((receiver) => ({ ...receiver, hook: name, version: definition.secretVersion ?? 1 })),
  );
  await addReceivers(database, to, now);
  const deliveries = fanOuts.flatMap(({ eventId, hook, receivers }) =>
    receivers.map((receiver): NewDelivery => ({ eventId, hook: hook.name, receiver })),
  );
  const added = await insertDeliveries(database, deliveries, now);
  const options = new Map(fanOuts.map((each) => [each.eventId, each.options] as const));
  const jobs = added.map(({ delivery_id: id, receiver, event_id: eventId }): NewJob => {
    const { onDelivery, reservedSeconds: holdSeconds = 0 } = options.get(eventId) ?? {};
    onDelivery?.(id);
    return { ...toDeliveryJob(id), lane: toReceiverLane(receiver), dueAt: now + holdSeconds };
  });
  await queue.enqueue(jobs);
}

const recordDeliveries = createEntries(writeDeliveries);

/** Creates one delivery of an event for each receiver. */
export async function fanOut(outbox: Outbox, job: Job, options: FanOutOptions = {}): Promise<Outcome> {
  const { database } = outbox.context.services;
  const event = await findEvent(database, job.payload);
  if (!event) return {};
  const hook = outbox.findHook(event.hook);
  if (!hook) {
    const retryAt = toUnknownRetry(outbox.now(), Number(event.created_at));
    if (retryAt !== undefined) return { retryAt, isFailed: false };
    outbox.context.services.log.warn('webhook.event.dropped', { hook: event.hook, event: event.event_id });
    return {};
  }
  const profileId = event.profile_id === null ? undefined : Number(event.profile_id);
  const receivers = await findReceivers(outbox.context, hook, profileId);
  const to = { outbox, eventId: event.event_id, hook, options };
  let from = 0;
  for (; receivers.length - from > PART; from += PART) {
    const part = receivers.slice(from, from + PART);
    await database.write(() => writeDeliveries([{ ...to, receivers: part }]));
  }
  const rest = receivers.slice(from);
  return { entry: recordDeliveries({ ...to, receivers: rest }, rest.length) };
}
