import { availableParallelism } from 'node:os';
import { gatherWorkerMetrics } from '../../app/metrics/workers.ts';
import { gatherFromWorkers } from '../../app/operation/gather.ts';
import { toLogSource } from '../../app/operation/operation.ts';
import { spreadWorkerReloads } from '../../app/reload/workers.ts';
import { systemClock } from '../../core/clock.ts';
import { isWorker } from '../../core/cluster.ts';
import { ADDRESS_OPTIONS, readAddress } from '../address.ts';
import { createUsageError, printFailure } from '../failure.ts';
import { announce, createProductionLog, serveProduction } from '../production.ts';
import { noteRunning } from '../running.ts';
import { type CommandSpec, findText, type Invocation, type Outcome } from '../spec.ts';
import { WorkerPool } from '../worker/pool.ts';
import { serveAsWorker } from '../worker/serve.ts';

const MAX_WORKERS = 64;

export const command: CommandSpec = {
  options: [...ADDRESS_OPTIONS, { name: 'workers', value: 'n', description: 'number of server processes. Default: 1' }],
  examples: ['treadle start', 'treadle start --port 8080 --host 0.0.0.0 --workers 4'],
  async run(invocation) {
    const workers = readWorkers(invocation);
    if (workers > 1 && !isWorker) return serveByWorkers(invocation, workers);
    return isWorker ? serveAsWorker(invocation) : serveProduction(invocation);
  },
};

function readWorkers({ values }: Invocation): number {
  const given = findText(values, 'workers') ?? '1';
  const workers = Number(given);
  if (Number.isInteger(workers) && workers >= 1 && workers <= MAX_WORKERS) return workers;
  throw createUsageError(
    `--workers can't be "${given}".`,
    `A whole number from 1 to ${MAX_WORKERS}; this machine has ${availableParallelism()} processors.`,
  );
}

/** The first process accepts connections and supervises the workers, which serve them. */
async function serveByWorkers(invocation: Invocation, count: number): Promise<Outcome> {
  const log = createProductionLog(invocation);
  const stopped = invocation.untilStopped();
  const noted: { forget: () => void } = { forget: () => {} };
  const pool = new WorkerPool({
    count,
    address: readAddress(invocation),
    log,
    announce(url) {
      noted.forget = noteRunning(invocation.root(), url, 'start');
      announce(invocation, url);
    },
  });
  gatherWorkerMetrics(systemClock);
  gatherFromWorkers(systemClock, toLogSource(log));
  spreadWorkerReloads(systemClock);
  pool.start();
  const failure = await Promise.race([stopped.then(() => undefined), pool.ended]);
  if (failure === undefined) await pool.stop();
  noted.forget();
  if (failure !== undefined) return { data: undefined, exitCode: printFailure(failure, invocation.terminal) };
  return { data: undefined };
}
