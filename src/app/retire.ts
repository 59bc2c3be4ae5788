import type { Log } from '../core/log/log.ts';
import type { Gate } from '../http/gate.ts';
import type { Worker } from '../plan/feature.ts';
import type { Life } from '../project/life.ts';

/** What a plan leaves behind when the next one is served. */
interface RetiredPlan {
  readonly workers: readonly Worker[];
  readonly life: Life | undefined;
  readonly gate: Gate;
  readonly log: Log;
  /** Ends the streams of events that its routes have opened. */
  readonly endStreams: () => void;
}

/**
 * Ends what a former plan started: its timers at once, its workers, and once its requests have ended, what its code
 * opened. Never rejects.
 */
export async function retire({ workers, life, gate, log, endStreams }: RetiredPlan): Promise<void> {
  life?.silence();
  endStreams();
  const passed = gate.passed();
  // A worker may wait some seconds for a slow receiver; with leases, old and new workers can overlap.
  await Promise.all(workers.map((worker) => worker.stop())).catch((error: unknown) =>
    log.error('a worker did not stop', { error }),
  );
  await passed;
  // A request that was under way may have opened one meanwhile.
  endStreams();
  await life?.end();
  life?.tellLeft();
}
