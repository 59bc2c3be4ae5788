import type { Worker } from 'node:cluster';
import process from 'node:process';
import type { Clock } from '../../core/clock.ts';
import { getCluster, isNumbered } from '../../core/cluster.ts';

/** Maximum milliseconds for the other workers to compile. */
const WORKER_MS = 10_000;
/** Maximum milliseconds for the first process to answer: longer than it waits itself. */
const ANSWER_MS = 12_000;

/**
 * Messages between the processes. A worker sends `join` before it reads its files, `ask` when it has reloaded, and
 * `done` when it serves the new version. The first process welcomes it, notifies the others, and answers the one that
 * asked.
 */
type Message =
  | { readonly treadle: 'reload-join' | 'reload-welcome'; readonly id: 0 }
  | { readonly treadle: 'reload-ask' | 'reload-now' | 'reload-done' | 'reload-told'; readonly id: number };

const toMessage = (value: unknown): Message | undefined => (isNumbered<Message>(value, 'reload-') ? value : undefined);

/** The other process of a channel. */
export interface Peer {
  readonly id: number;
  send(message: Message): void;
}

interface Round {
  readonly waiting: Set<number>;
  readonly finish: () => void;
}

/**
 * The first process's part: notifies every other worker of a reload, and answers the one that asked when all have
 * replied.
 */
export class WorkerReloads {
  readonly #clock: Clock;
  readonly #joined = new Map<number, Peer>();
  readonly #rounds = new Map<number, Round>();
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  hear(from: Peer, value: unknown): void {
    const message = toMessage(value);
    if (message?.treadle === 'reload-join') {
      this.#joined.set(from.id, from);
      from.send({ treadle: 'reload-welcome', id: 0 });
    } else if (message?.treadle === 'reload-ask') this.#spread(from, message.id);
    else if (message?.treadle === 'reload-done') this.#settle(message.id, from.id);
  }

  /** A worker ended: stops waiting for it. */
  leave(id: number): void {
    this.#joined.delete(id);
    for (const number of [...this.#rounds.keys()]) this.#settle(number, id);
  }

  #settle(number: number, worker: number): void {
    const round = this.#rounds.get(number);
    if (round?.waiting.delete(worker) && round.waiting.size === 0) round.finish();
  }

  #spread(asker: Peer, question: number): void {
    const others = [...this.#joined.values()].filter(({ id }) => id !== asker.id);
    this.#count += 1;
    const id = this.#count;
    const state = { cancel: (): void => {} };
    const finish = (): void => {
      state.cancel();
      this.#rounds.delete(id);
      asker.send({ treadle: 'reload-told', id: question });
    };
    if (others.length === 0) {
      finish();
      return;
    }
    this.#rounds.set(id, { waiting: new Set(others.map((worker) => worker.id)), finish });
    state.cancel = this.#clock.after(WORKER_MS, finish);
    for (const worker of others) worker.send({ treadle: 'reload-now', id });
  }
}

/** In the first process of `treadle start --workers`: passes reloads from one worker to the others. */
export function spreadWorkerReloads(clock: Clock): void {
  const cluster = getCluster();
  const toPeer = (worker: Worker): Peer => ({
    id: worker.id,
    // A worker that has ended has no channel.
    send: (message) => void (worker.isConnected() && worker.send(message, () => {})),
  });
  const reloads = new WorkerReloads(clock);
  cluster.on('message', (worker, message) => reloads.hear(toPeer(worker), message));
  cluster.on('exit', (worker) => reloads.leave(worker.id));
}

/** A worker's part. */
export interface ReloadLink {
  /** Notifies the other workers; resolves when they have reloaded, after 12 s at most. */
  spread(): Promise<void>;
  close(): void;
}

/** In a worker: notifies the others of a reload, and reloads when another worker did. */
export function createReloadLink(clock: Clock, reload: () => Promise<unknown>): ReloadLink {
  const waiting = new Map<number, () => void>();
  const state = { count: 0, isKnown: false };
  const send = (message: Message): void => {
    if (process.connected) process.send?.(message, undefined, {}, () => {});
  };
  const hear = (value: unknown): void => {
    const message = toMessage(value);
    if (message?.treadle === 'reload-welcome') state.isKnown = true;
    else if (message?.treadle === 'reload-told') waiting.get(message.id)?.();
    else if (message?.treadle === 'reload-now') {
      const done = (): void => send({ treadle: 'reload-done', id: message.id });
      reload().then(done, done);
    }
  };
  process.on('message', hear);
  send({ treadle: 'reload-join', id: 0 });
  return {
    spread() {
      // Another program that started the workers does not answer these messages.
      if (!state.isKnown) return Promise.resolve();
      state.count += 1;
      const id = state.count;
      return new Promise((resolve) => {
        const finish = (): void => {
          cancel();
          waiting.delete(id);
          resolve();
        };
        const cancel = clock.after(ANSWER_MS, finish);
        waiting.set(id, finish);
        send({ treadle: 'reload-ask', id });
      });
    },
    close: () => void process.off('message', hear),
  };
}
