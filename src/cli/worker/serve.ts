import { Socket } from 'node:net';
import process from 'node:process';
import { getCluster, isMessage } from '../../core/cluster.ts';
import { CrashGuard } from '../crash.ts';
import { EXIT, toExitCode, toFailure } from '../failure.ts';
import { closeInTime, createProductionLog, startProduction } from '../production.ts';
import type { Invocation, Outcome } from '../spec.ts';
import type { PrimaryMessage, WorkerMessage } from './message.ts';

/** Resolves when the message is sent: the end of the process would drop it. */
function tell(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, {}, () => resolve());
    else resolve();
  });
}

/** Messages of the first process. */
class Orders {
  readonly stopped: Promise<void>;
  #stop: () => void = () => {};
  #attach: ((url: string) => (socket: Socket) => void) | undefined;
  #drain: () => void = () => {};
  #take: ((socket: Socket) => void) | undefined;

  constructor() {
    this.stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
    process.on('message', (message: unknown, socket: unknown) => {
      if (isMessage<PrimaryMessage>(message)) this.#obey(message, socket instanceof Socket ? socket : undefined);
    });
  }

  serve(app: { attach(url: string): (socket: Socket) => void; drain(): void }): void {
    this.#attach = (url) => app.attach(url);
    this.#drain = () => app.drain();
  }

  /** Accepts no further connection; the first process hands those to others when this worker has ended. */
  refuse(): void {
    this.#take = undefined;
  }

  #obey(message: PrimaryMessage, socket: Socket | undefined): void {
    if (message.treadle === 'serve') this.#take = this.#attach?.(message.url);
    else if (message.treadle === 'drain') this.#drain();
    else if (message.treadle === 'stop') this.#stop();
    else if (message.treadle === 'connection' && this.#take !== undefined && socket !== undefined) {
      void tell({ treadle: 'taken', id: message.id });
      this.#take(socket);
    }
  }
}

/** The terminal and systemd signal every process. The first one decides, so that no worker exits early. */
function leaveSignals(): void {
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
  process.on('SIGTERM', () => void tell({ treadle: 'asked' }));
}

/** Serves the connections that the first process hands over, until it says stop. */
export async function serveAsWorker(invocation: Invocation): Promise<Outcome> {
  const log = createProductionLog(invocation);
  const guard = new CrashGuard(log, invocation.root());
  const orders = new Orders();
  leaveSignals();
  try {
    const app = await startProduction(invocation, log);
    orders.serve(app);
    void tell({ treadle: 'ready', drainSeconds: app.plan.model.settings.server.drainSeconds });
    await Promise.race([orders.stopped, guard.crashed]);
    // Otherwise the first process has already failed readiness.
    app.drain();
    if (guard.isCrashed) await tell({ treadle: 'leaving' });
    await closeInTime(app, invocation, log);
    orders.refuse();
    return { data: undefined, exitCode: guard.isCrashed ? EXIT.failed : EXIT.done };
  } catch (error) {
    await tell({ treadle: 'failed', failure: toFailure(error) });
    return { data: undefined, exitCode: toExitCode(error) };
  } finally {
    // The channel would keep this process alive.
    getCluster().worker?.disconnect();
  }
}
