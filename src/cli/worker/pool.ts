import type { Worker } from 'node:cluster';
import { type Clock, systemClock } from '../../core/clock.ts';
import { getCluster, isMessage } from '../../core/cluster.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Log } from '../../core/log/log.ts';
import type { ListenAddress } from '../../http/connection/listen.ts';
import { type Failure, toFailure } from '../failure.ts';
import { END_MS } from '../production.ts';
import { Balancer } from './balancer.ts';
import type { PrimaryMessage, WorkerMessage } from './message.ts';

/** Milliseconds before the first restart. */
const FIRST_MS = 100;
const LONGEST_MS = 30_000;
/** A worker that served this long was healthy: the pauses start over. */
const HEALTHY_MS = 10_000;

/** Computes the pause before a restart: twice the last one, unless the worker served well meanwhile. */
export class RestartPause {
  #next = FIRST_MS;

  /** @param servedMs Milliseconds that the worker served; 0 if its start failed. */
  take(servedMs: number): number {
    if (servedMs >= HEALTHY_MS) this.#next = FIRST_MS;
    const pause = this.#next;
    this.#next = Math.min(LONGEST_MS, pause * 2);
    return pause;
  }
}

export interface PoolOptions {
  readonly count: number;
  readonly address: ListenAddress;
  readonly log: Log;
  /** Called with the URL when the first worker serves. */
  readonly announce: (url: string) => void;
  readonly clock?: Clock;
}

/** One of the `count` places; a place outlives its workers. */
interface Place {
  readonly number: number;
  readonly pause: RestartPause;
  worker: Worker | undefined;
  servesSince: number | undefined;
  failure: Failure | undefined;
  cancel: () => void;
}

/** A signal may be sent to all processes; then this process gets it within this time too. */
const SIGNAL_MS = 100;
/** Milliseconds that accepted connections wait for a worker at shutdown. */
const SETTLE_MS = 1000;
/** Milliseconds between attempts to listen again on a released port. */
const PORT_MS = 1000;

/** The log redacts the key `code` as a secret. */
function toLogged({ data }: Failure): { readonly failure: object } {
  const { error: _, code: errorCode, ...rest } = data;
  return { failure: { errorCode, ...rest } };
}

function toUnknownFailure(cause: string): Failure {
  return toFailure(new TreadleError('CLI_WORKER_ENDED', `A worker ended before it served (${cause}).`));
}

/**
 * Supervises workers: starts them, hands them connections, and restarts ended ones with growing pauses. If none can
 * start at first, it ends with the failure of one.
 */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #clock: Clock;
  readonly #balancer: Balancer;
  readonly #places: Place[];
  #url: string | undefined;
  #isStopping = false;
  #drainSeconds = 0;
  #failure: Failure | undefined;
  #end: (failure: Failure | undefined) => void = () => {};
  /** Resolves when no worker is left, with the failure that kept all of them from starting. */
  readonly ended: Promise<Failure | undefined>;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#balancer = new Balancer(this.#clock);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#places = Array.from({ length: options.count }, (_, index) => ({
      number: index + 1,
      pause: new RestartPause(),
      worker: undefined,
      servesSince: undefined,
      failure: undefined,
      cancel: () => {},
    }));
  }

  start(): void {
    for (const place of this.#places) this.#fork(place);
  }

  /** Shuts down in order: readiness, listener, workers. Resolves when they have ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const place of this.#places) place.cancel();
    this.#tellAll({ treadle: 'drain' });
    if (this.#drainSeconds > 0) await this.#wait(this.#drainSeconds * 1000);
    this.#balancer.close();
    await Promise.race([this.#balancer.settled(), this.#wait(SETTLE_MS)]);
    this.#tellAll({ treadle: 'stop' });
    this.#clock.after(END_MS, () => this.#killAll());
    this.#endIfEmpty();
    await this.ended;
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(milliseconds, resolve);
    });
  }

  #tell(worker: Worker | undefined, message: PrimaryMessage): void {
    if (worker?.isConnected()) worker.send(message, () => {});
  }

  #tellAll(message: PrimaryMessage): void {
    for (const { worker } of this.#places) this.#tell(worker, message);
  }

  #killAll(): void {
    for (const { worker, number } of this.#places) {
      if (worker === undefined) continue;
      this.#options.log.error('a worker did not end in time', { worker: number, pid: worker.process.pid });
      worker.process.kill('SIGKILL');
    }
  }

  #fork(place: Place): void {
    const worker = getCluster().fork();
    Object.assign(place, { worker, servesSince: undefined, failure: undefined });
    worker.on('message', (message: unknown) => {
      if (isMessage<WorkerMessage>(message)) this.#hear(place, worker, message);
    });
    worker.on('error', (error) => this.#options.log.error('a worker cannot be reached', { error }));
    worker.on('exit', (code, signal) => this.#bury(place, worker, code, signal));
  }

  #hear(place: Place, worker: Worker, message: WorkerMessage): void {
    if (message.treadle === 'taken') this.#balancer.taken(worker, message.id);
    else if (message.treadle === 'failed') place.failure = message.failure;
    else if (message.treadle === 'leaving') this.#balancer.retire(worker);
    else if (message.treadle === 'asked') this.#clock.after(SIGNAL_MS, () => this.#release(place, worker));
    else if (message.treadle === 'ready') void this.#employ(place, worker, message.drainSeconds);
  }

  /** Somebody sent SIGTERM to this worker: it alone shuts down. */
  #release(place: Place, worker: Worker): void {
    if (this.#isStopping || place.worker !== worker) return;
    this.#balancer.retire(worker);
    this.#tell(worker, { treadle: 'stop' });
  }

  async #employ(place: Place, worker: Worker, drainSeconds: number): Promise<void> {
    this.#drainSeconds = drainSeconds;
    if (this.#isStopping) {
      this.#tell(worker, { treadle: 'stop' });
      return;
    }
    try {
      await this.#listen();
    } catch (error) {
      this.#refuse(place, worker, error);
      return;
    }
    if (!worker.isConnected() || this.#url === undefined) return;
    place.servesSince = this.#clock.now();
    this.#options.log.info('a worker serves', { worker: place.number, pid: worker.process.pid });
    this.#tell(worker, { treadle: 'serve', url: this.#url });
    this.#balancer.add(worker);
  }

  /** Listens on the address, later again on the same port; concurrent calls share one attempt. */
  async #listen(): Promise<void> {
    const { address, announce } = this.#options;
    const port = this.#url === undefined ? address.port : Number(new URL(this.#url).port) || 80;
    const url = await this.#balancer.open({ ...address, port });
    if (this.#url !== undefined) return;
    this.#url = url;
    announce(url);
    // Workers that failed while others were still starting are restarted too.
    for (const place of this.#places) if (place.worker === undefined) this.#restart(place, 0);
  }

  #refuse(place: Place, worker: Worker, error: unknown): void {
    if (this.#url === undefined) {
      this.#failure ??= toFailure(error);
      this.#isStopping = true;
      this.#tellAll({ treadle: 'stop' });
      return;
    }
    this.#options.log.error('cannot listen on the port', { error });
    this.#clock.after(PORT_MS, () => void this.#employ(place, worker, this.#drainSeconds));
  }

  /** A worker has ended. */
  #bury(place: Place, worker: Worker, code: number | null, signal: string | null): void {
    const { servesSince, failure, number } = place;
    place.worker = undefined;
    this.#balancer.remove(worker);
    if (this.#isStopping || this.#url === undefined) {
      if (!this.#isStopping) this.#failure ??= failure ?? toUnknownFailure(signal ?? `exit code ${code}`);
      this.#endIfEmpty();
      return;
    }
    const pauseMs = this.#restart(place, servesSince === undefined ? 0 : this.#clock.now() - servesSince);
    const end = { worker: number, pid: worker.process.pid, exitCode: code, signal, restartMilliseconds: pauseMs };
    this.#options.log.error('a worker ended', { ...end, ...(failure === undefined ? {} : toLogged(failure)) });
  }

  /** Returns the pause in milliseconds. */
  #restart(place: Place, servedMs: number): number {
    const pauseMs = place.pause.take(servedMs);
    place.cancel = this.#clock.after(pauseMs, () => this.#fork(place));
    return pauseMs;
  }

  #endIfEmpty(): void {
    if (this.#places.some(({ worker }) => worker !== undefined)) return;
    this.#balancer.close();
    this.#end(this.#failure);
  }
}
