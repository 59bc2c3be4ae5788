import type { Worker } from 'node:cluster';
import process from 'node:process';
import type { Clock } from '../../core/clock.ts';
import { getCluster, isNumbered } from '../../core/cluster.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Prometheus, Snapshot } from './registry.ts';

/** Maximum milliseconds for a worker to send its metrics. */
const WORKER_MS = 2000;
/** Maximum milliseconds for the first process to answer: longer than it waits itself. */
const ANSWER_MS = 3000;

/** Messages between the processes. A worker sends `ask` and `tell`; the first process sends `collect` and `total`. */
type Message =
  | { readonly treadle: 'metrics-ask' | 'metrics-collect'; readonly id: number }
  | { readonly treadle: 'metrics-tell'; readonly id: number; readonly snapshot: Snapshot }
  | { readonly treadle: 'metrics-total'; readonly id: number; readonly text: string };

const toMessage = (value: unknown): Message | undefined => (isNumbered<Message>(value, 'metrics-') ? value : undefined);

/** Series that only grow: the counts of an ended worker stay in the sum, which would otherwise fall. */
const toGrowing = (snapshot: Snapshot): Snapshot =>
  snapshot.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram');

const sum = (prometheus: Prometheus, snapshots: Snapshot[]) => prometheus.AggregatorRegistry.aggregate(snapshots);

/** The other process of a channel. */
export interface Peer {
  readonly id: number;
  send(message: Message): void;
}

interface Round {
  readonly asker: Peer;
  readonly question: number;
  readonly waiting: Set<number>;
  readonly finish: () => void;
}

/** The first process's part: collects the metrics of every worker and sums them. */
export class WorkerMetrics {
  readonly #workers: () => readonly Peer[];
  readonly #clock: Clock;
  readonly #load: () => Promise<Prometheus>;
  /** The last metrics of each worker. */
  readonly #last = new Map<number, Snapshot>();
  #ended: Snapshot = [];
  readonly #rounds = new Map<number, Round>();
  #count = 0;

  constructor(workers: () => readonly Peer[], clock: Clock, load: () => Promise<Prometheus>) {
    this.#workers = workers;
    this.#clock = clock;
    this.#load = load;
  }

  hear(from: Peer, value: unknown): void {
    const message = toMessage(value);
    if (message?.treadle === 'metrics-ask') this.#collect(from, message.id);
    if (message?.treadle !== 'metrics-tell') return;
    this.#last.set(from.id, message.snapshot);
    const round = this.#rounds.get(message.id);
    if (round?.waiting.delete(from.id) && round.waiting.size === 0) round.finish();
  }

  /** A worker ended: stops waiting for it, and keeps its counts. */
  async leave(id: number): Promise<void> {
    const last = this.#last.get(id);
    this.#last.delete(id);
    for (const round of this.#rounds.values()) if (round.waiting.delete(id) && round.waiting.size === 0) round.finish();
    if (last === undefined) return;
    this.#ended = [...this.#ended, ...toGrowing(last)];
    // Kept as one sum, however many workers end. If another ends meanwhile, the next pass sums both.
    const ended = this.#ended;
    const total = toGrowing(await sum(await this.#load(), [ended]).getMetricsAsJSON());
    if (this.#ended === ended) this.#ended = total;
  }

  #collect(asker: Peer, question: number): void {
    const workers = this.#workers();
    this.#count += 1;
    const id = this.#count;
    const state = { cancel: (): void => {} };
    const round: Round = {
      asker,
      question,
      waiting: new Set(workers.map((worker) => worker.id)),
      finish: () => {
        state.cancel();
        this.#rounds.delete(id);
        void this.#answer(round, workers.length);
      },
    };
    this.#rounds.set(id, round);
    state.cancel = this.#clock.after(WORKER_MS, round.finish);
    for (const worker of workers) worker.send({ treadle: 'metrics-collect', id });
  }

  /** For a worker that does not answer in time, uses its last metrics. */
  async #answer({ asker, question, waiting }: Round, count: number): Promise<void> {
    const prometheus = await this.#load();
    const told = [...this.#last].map(([id, snapshot]) => (waiting.has(id) ? toGrowing(snapshot) : snapshot));
    const total = sum(prometheus, [this.#ended, ...told]);
    const workers = new prometheus.Gauge({
      name: 'treadle_workers',
      help: 'Workers, by whether they sent their metrics in time.',
      labelNames: ['state'],
      registers: [total],
    });
    workers.set({ state: 'answering' }, count - waiting.size);
    workers.set({ state: 'silent' }, waiting.size);
    asker.send({ treadle: 'metrics-total', id: question, text: await total.metrics() });
  }
}

/** In the first process of `treadle start --workers`: sums the metrics of the workers. */
export function gatherWorkerMetrics(clock: Clock): void {
  const cluster = getCluster();
  const toPeer = (worker: Worker): Peer => ({
    id: worker.id,
    // A worker that has ended has no channel.
    send: (message) => void (worker.isConnected() && worker.send(message, () => {})),
  });
  const gathered = new WorkerMetrics(
    () =>
      Object.values(cluster.workers ?? {})
        .filter((worker) => worker !== undefined)
        .filter((worker) => worker.isConnected())
        .map(toPeer),
    clock,
    () => import('prom-client'),
  );
  cluster.on('message', (worker, message) => gathered.hear(toPeer(worker), message));
  cluster.on('exit', (worker) => void gathered.leave(worker.id));
}

/** A worker's part. */
export interface WorkerLink {
  /**
   * The metrics of all workers, summed; undefined if the first process has never answered, for example if another
   * program started the workers.
   *
   * @throws METRICS_UNREAD (503) if it answered before and does not now.
   */
  readTotal(): Promise<string | undefined>;
  close(): void;
}

function unreadError(): TreadleError {
  return new TreadleError('METRICS_UNREAD', 'The first process did not sum the metrics of the workers in time.', {
    status: 503,
  });
}

/** In a worker: sends its metrics when the first process asks, and requests the sum of all. */
export function createWorkerLink(clock: Clock, tell: () => Promise<Snapshot>): WorkerLink {
  const replies = new Map<number, (text: string) => void>();
  const state = { count: 0, isKnown: false };
  const hear = (value: unknown): void => {
    const message = toMessage(value);
    if (message?.treadle === 'metrics-total') replies.get(message.id)?.(message.text);
    if (message?.treadle !== 'metrics-collect') return;
    const { id } = message;
    // This answer omits a worker that fails.
    tell().then(
      (snapshot) => process.send?.({ treadle: 'metrics-tell', id, snapshot }),
      () => {},
    );
  };
  process.on('message', hear);
  return {
    readTotal() {
      state.count += 1;
      const id = state.count;
      return new Promise<string | undefined>((resolve, reject) => {
        const cancel = clock.after(ANSWER_MS, () => {
          replies.delete(id);
          if (state.isKnown) reject(unreadError());
          else resolve(undefined);
        });
        replies.set(id, (text) => {
          cancel();
          state.isKnown = true;
          replies.delete(id);
          resolve(text);
        });
        process.send?.({ treadle: 'metrics-ask', id });
      });
    },
    close: () => void process.off('message', hear),
  };
}
