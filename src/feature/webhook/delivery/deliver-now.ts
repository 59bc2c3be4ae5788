import { deliver } from './deliver.ts';
import { fanOut } from './fan-out.ts';
import { type Outbox, toDeliveryJob, toEventJob } from './outbox.ts';

/** Seconds after the hook's time-out before the queue may take over a delivery that is sent inline. */
const SLACK_SECONDS = 10;

/** Seconds for which the queue leaves inline deliveries alone. */
export const toReservedSeconds = ({ timeoutSeconds }: Outbox): number => Math.ceil(timeoutSeconds) + SLACK_SECONDS;

/**
 * Attempts these deliveries, and those of the given events, once and in parallel, each limited by the
 * hook's time-out. The queue continues with failed and interrupted ones. Skips deliveries that a worker has
 * claimed.
 */
export async function deliverNow(
  outbox: Outbox,
  { eventId, deliveryIds = [] }: { readonly eventId?: string; readonly deliveryIds?: readonly number[] },
): Promise<void> {
  const { queue } = outbox;
  const holdSeconds = toReservedSeconds(outbox);
  const ids = [...deliveryIds];
  if (eventId !== undefined) {
    const onDelivery = (id: number): void => void ids.push(id);
    await queue.runNow(
      [toEventJob(eventId)],
      (job) => fanOut(outbox, job, { reservedSeconds: holdSeconds, onDelivery }),
      holdSeconds,
    );
  }
  await queue.runNow(ids.map(toDeliveryJob), (job, signal) => deliver(outbox, job, signal), holdSeconds);
}
