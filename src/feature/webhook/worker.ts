import { waitAtMost } from '../../core/clock.ts';
import type { Worker } from '../../plan/feature.ts';
import { deliver } from './deliver.ts';
import { expand } from './expand.ts';
import { isEventLane, type Outbox, toReceiverLane } from './outbox.ts';
import { forgetReceivers } from './receiver-purge.ts';
import { findFailingReceivers, purgeEvents } from './sql.ts';

/** Days that events, deliveries and attempts are kept. */
const KEPT_DAYS = 30;
const PURGE_MS = 3_600_000;
/** Failing receivers that a new process knows of: as many as it remembers lanes. */
const MAX_FAILING = 10_000;
/** Between two batches others get their turn at the writer. */
const PURGE_PAUSE_MS = 200;
/** Listeners that hear of a disabled receiver have this long to end before the process does. */
const LISTENER_MS = 3000;

export interface WebhookWorker extends Worker {
  /** Resolves when nothing is under way and nothing is due. */
  idle(): Promise<void>;
}

/** Removes what is older than thirty days, a batch at a time, once an hour; and receivers of which nothing is left. */
function startPurge(outbox: Outbox): () => void {
  const { database, clock, log } = outbox.context.services;
  let isStopped = false;
  let cancel: () => void = () => {};
  const purge = async (): Promise<void> => {
    const before = outbox.now() - KEPT_DAYS * 86_400;
    let isMore = false;
    try {
      isMore = await purgeEvents(database, before);
      if (!isMore) await forgetReceivers(outbox.context, before);
    } catch (error) {
      log.error('webhook.purge.failed', { error });
    }
    if (!isStopped) cancel = clock.after(isMore ? PURGE_PAUSE_MS : PURGE_MS, () => void purge());
  };
  cancel = clock.after(PURGE_PAUSE_MS, () => void purge());
  return () => {
    isStopped = true;
    cancel();
  };
}

/** Spreads events and sends deliveries beside the requests, until it is stopped. */
export function createWebhookWorker(outbox: Outbox): WebhookWorker {
  const worker = outbox.queue.work({
    handle: (job, signal) => (job.kind === 'event' ? expand(outbox, job) : deliver(outbox, job, signal)),
    // How long a spread takes is no receiver's affair.
    isOwn: isEventLane,
    findFailing: async () =>
      (await findFailingReceivers(outbox.context.services.database, MAX_FAILING)).map(toReceiverLane),
  });
  const endPurge = startPurge(outbox);
  const state: { stopping: Promise<void> | undefined } = { stopping: undefined };
  const stop = async (): Promise<void> => {
    endPurge();
    await worker.stop();
    await waitAtMost(outbox.context.services.clock, outbox.quiet(), LISTENER_MS);
  };
  return {
    wake: () => worker.wake(),
    async idle() {
      await worker.idle();
      await outbox.quiet();
      // A listener may have done what fires another hook.
      await worker.idle();
    },
    hurry() {
      endPurge();
      return worker.hurry();
    },
    stop() {
      state.stopping ??= stop();
      return state.stopping;
    },
  };
}
