import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { ADDRESS_OPTIONS, readAddress } from '../address.ts';
import { createUsageError, EXIT } from '../failure.ts';
import { type CommandSpec, findText, type Invocation, type Outcome } from '../spec.ts';

const MAX_WORKERS = 64;

export const command: CommandSpec = {
  options: [...ADDRESS_OPTIONS, { name: 'workers', value: 'n', description: 'processes that serve; 1 if left out' }],
  examples: ['treadle start', 'treadle start --port 8080 --host 0.0.0.0 --workers 4'],
  async run(invocation) {
    const workers = readWorkers(invocation);
    if (workers > 1 && cluster.isPrimary) return serveByWorkers(invocation, workers);
    return serve(invocation);
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

function announce({ terminal }: Invocation, url: string): void {
  if (terminal.isJson) terminal.document({ url });
  terminal.print(url);
}

async function serve(invocation: Invocation): Promise<Outcome> {
  const address = readAddress(invocation);
  const { createApp } = await import('../../boot.ts');
  const app = await createApp({ root: invocation.root(), mode: 'production', env: invocation.env });
  const stopped = invocation.untilStopped();
  const url = await app.listen(address).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  if (cluster.isPrimary) announce(invocation, url);
  await stopped;
  await app.close();
  // The channel to the first process would keep this one alive.
  cluster.worker?.disconnect();
  return { data: undefined };
}

/** The first process only starts the others, and starts one again that died after it had served. */
async function serveByWorkers(invocation: Invocation, count: number): Promise<Outcome> {
  const { host } = readAddress(invocation);
  const state = { isStopping: false, url: '', failure: 0 };
  const serving = new Set<number>();
  const ended = new Promise<void>((resolve) => {
    cluster.on('listening', (worker, { port }) => {
      serving.add(worker.id);
      if (state.url !== '') return;
      state.url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
      announce(invocation, state.url);
    });
    cluster.on('exit', (worker, code) => {
      if (!state.isStopping && serving.delete(worker.id)) return void cluster.fork();
      if (!state.isStopping) state.failure = code === 0 ? EXIT.failed : code;
      if (Object.keys(cluster.workers ?? {}).length === 0) resolve();
    });
  });
  for (let index = 0; index < count; index += 1) cluster.fork();
  await Promise.race([invocation.untilStopped(), ended]);
  state.isStopping = true;
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  if (Object.keys(cluster.workers ?? {}).length > 0) await ended;
  return { data: undefined, exitCode: state.failure };
}
