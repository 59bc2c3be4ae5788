import type { Worker } from '../../plan/feature.ts';
import { deliver } from './deliver.ts';
import { expand } from './expand.ts';
import { type Outbox, toReceiverLane } from './outbox.ts';
import { findFailingReceivers, purgeEvents } from './sql.ts';

/** Days that events, deliveries and attempts are kept. */
const KEPT_DAYS = 30;
const PURGE_MS = 3_600_000;
/** Failing receivers that a new process knows of: as many as it remembers lanes. */
const MAX_FAILING = 10_000;
/** Between two batches others get their turn at the writer. */
const PURGE_PAUSE_MS = 200;

export interface WebhookWorker extends Worker {
  /** Resolves when nothing is under way and nothing is due. */
  idle(): Promise<void>;
}

/** Removes what is older than thirty days, a batch at a time, once an hour. */
function startPurge(outbox: Outbox): () => void {
  const { database, clock, log } = outbox.context.services;
  let isStopped = false;
  let cancel: () => void = () => {};
  const purge = async (): Promise<void> => {
    const before = outbox.now() - KEPT_DAYS * 86_400;
    const isMore = await purgeEvents(database, before).catch((error: unknown) => {
      log.error('webhook.purge.failed', { error });
      return false;
    });
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
    findFailing: async () =>
      (await findFailingReceivers(outbox.context.services.database, MAX_FAILING)).map(toReceiverLane),
  });
  const endPurge = startPurge(outbox);
  return {
    wake: () => worker.wake(),
    idle: () => worker.idle(),
    async stop() {
      endPurge();
      await worker.stop();
    },
  };
}
