import { deliver } from './deliver.ts';
import { expand } from './expand.ts';
import { type Outbox, toDeliveryJob, toEventJob } from './outbox.ts';

/** Seconds beyond a hook's time-out for which the queue leaves to whoever sends now what is sent. */
const SLACK_SECONDS = 10;

/** For how long the queue leaves alone what is sent now, in seconds. */
export const toHoldSeconds = ({ timeoutSeconds }: Outbox): number => Math.ceil(timeoutSeconds) + SLACK_SECONDS;

/**
 * Makes one attempt at these deliveries, and at those that an event makes, here and side by side, each at most the
 * hook's time-out. What fails, and what a crash cuts short, goes on in the queue; what a worker has taken is left to it.
 */
export async function deliverNow(
  outbox: Outbox,
  { eventId, deliveryIds = [] }: { readonly eventId?: string; readonly deliveryIds?: readonly number[] },
): Promise<void> {
  const { queue } = outbox;
  const holdSeconds = toHoldSeconds(outbox);
  const ids = [...deliveryIds];
  if (eventId !== undefined) {
    const onDelivery = (id: number): void => void ids.push(id);
    await queue.runNow([toEventJob(eventId)], (job) => expand(outbox, job, { holdSeconds, onDelivery }), holdSeconds);
  }
  await queue.runNow(ids.map(toDeliveryJob), (job, signal) => deliver(outbox, job, signal), holdSeconds);
}
