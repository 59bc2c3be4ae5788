import { sql } from 'kysely';
import { waitAtMost } from '../../../core/clock.ts';
import { listOf } from '../../../database/bound-rows.ts';
import type { Context, Worker } from '../../../plan/feature.ts';
import { findFailingReceivers } from '../receiver/receiver-sql.ts';
import { findKnown } from '../receiver/receiver-state.ts';
import { purgeEvents } from '../sql.ts';
import { deliver } from './deliver.ts';
import { fanOut } from './fan-out.ts';
import { isEventLane, type Outbox, toReceiverLane } from './outbox.ts';

/** Receivers per transaction. */
const PART = 500;

/**
 * Removes receivers that have no delivery in the log and that no hook or app names. A named receiver stays
 * however long it is silent, because its row holds whether it is disabled and which secret it knows.
 * @param before Unix seconds; younger ones stay.
 */
async function forgetReceivers(context: Context, before: number): Promise<void> {
  const { database } = context.services;
  const { dialect, kysely: db } = database;
  const { rows } = await sql<{ receiver: string }>`select receiver from treadle_receiver
    where created_at < ${before}
      and not exists (select 1 from treadle_delivery d where d.receiver = treadle_receiver.receiver)
    order by receiver`.execute(db);
  if (rows.length === 0) return;
  const known = new Set((await findKnown(context, {})).map(({ key }) => key));
  const old = rows.map(({ receiver }) => receiver).filter((key) => !known.has(key));
  for (let from = 0; from < old.length; from += PART) {
    const keys = old.slice(from, from + PART);
    await database.write(() =>
      sql`delete from treadle_receiver where receiver in (select l.value from ${listOf(dialect, keys)} l)
        and not exists (select 1 from treadle_delivery d where d.receiver = treadle_receiver.receiver)`.execute(db),
    );
  }
}

/** Days that events, deliveries and attempts are stored. */
const RETENTION_DAYS = 30;
const PURGE_MS = 3_600_000;
/** Maximum failing receivers that a new process loads: as many as it keeps lanes. */
const MAX_FAILING = 10_000;
/** Pause between two batches, so that other writers get a turn. */
const PURGE_PAUSE_MS = 200;
/** Time for listeners of a disabled receiver to end before the process exits. */
const LISTENER_MS = 3000;

export interface WebhookWorker extends Worker {
  /** Resolves when nothing is running and nothing is due. */
  idle(): Promise<void>;
}

/** Every hour, in batches, removes events older than thirty days and receivers without any data. */
function startPurge(outbox: Outbox): () => void {
  const { database, clock, log } = outbox.context.services;
  let isStopped = false;
  let cancel: () => void = () => {};
  const purge = async (): Promise<void> => {
    const before = outbox.now() - RETENTION_DAYS * 86_400;
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

/** Creates deliveries and sends them in the background, until stopped. */
export function createWebhookWorker(outbox: Outbox): WebhookWorker {
  const worker = outbox.queue.work({
    handle: (job, signal) => (job.kind === 'event' ? fanOut(outbox, job) : deliver(outbox, job, signal)),
    // Creating deliveries calls no receiver, so its duration does not count.
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
      do await worker.idle();
      while (await outbox.quiet());
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
