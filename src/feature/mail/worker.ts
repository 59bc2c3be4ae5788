import { toSeconds } from '../../core/clock.ts';
import type { Context, Worker } from '../../plan/feature.ts';
import { removeSettled } from '../../plan/table/settled.ts';
import { createDeliver } from './deliver.ts';
import { createMailQueue, PREPARE_LANE } from './enqueue.ts';
import { MAIL_STATES, mailTable } from './sql.ts';

/** Days that the state of a mail is stored; its content goes when it is sent. */
const RETENTION_DAYS = 30;
const PURGE_MS = 3_600_000;
const SETTLED_STATES = MAIL_STATES.filter((state) => state !== 'waiting');
/** Pause between two batches, so that other writers get a turn. */
const PURGE_PAUSE_MS = 200;
/** Connections to the mail server at once, of one process. */
const CONNECTIONS = 4;

export interface MailWorker extends Worker {
  /** Resolves when nothing is running and nothing is due. */
  idle(): Promise<void>;
}

function startPurge({ services }: Context): () => void {
  const { database, clock, log } = services;
  const state = { isStopped: false, cancel: () => {} };
  const purge = async (): Promise<void> => {
    const before = toSeconds(clock.now()) - RETENTION_DAYS * 86_400;
    const isMore = await removeSettled(mailTable, database, { states: SETTLED_STATES, before }).catch(
      (error: unknown) => {
        log.error('mail.purge.failed', { error });
        return false;
      },
    );
    if (!state.isStopped) state.cancel = clock.after(isMore ? PURGE_PAUSE_MS : PURGE_MS, () => void purge());
  };
  state.cancel = clock.after(PURGE_PAUSE_MS, () => void purge());
  return () => {
    state.isStopped = true;
    state.cancel();
  };
}

/** Sends what is queued, in the background, until stopped. */
export function createMailWorker(context: Context): MailWorker {
  const worker = createMailQueue(context.services).work({
    handle: createDeliver(context),
    perLane: CONNECTIONS,
    isOwn: (lane) => lane === PREPARE_LANE,
  });
  const endPurge = startPurge(context);
  return {
    wake: () => worker.wake(),
    idle: () => worker.idle(),
    hurry() {
      endPurge();
      return worker.hurry();
    },
    stop() {
      endPurge();
      return worker.stop();
    },
  };
}
