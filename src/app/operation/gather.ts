import type { Worker } from 'node:cluster';
import process from 'node:process';
import type { Clock } from '../../core/clock.ts';
import { getCluster, isNumbered, isWorker } from '../../core/cluster.ts';

/** Maximum milliseconds for a worker to answer. */
const WORKER_MS = 1500;
/** Maximum milliseconds for the first process to answer: longer than it waits itself. */
const ANSWER_MS = 2000;

/** Requests that every process answers. */
export type Topic = 'traffic' | 'log' | 'refusals';
/** The answers of a process, by topic. */
export type Sources = Readonly<Partial<Record<Topic, () => unknown>>>;

/** Messages between the processes. A worker sends `ask` and `tell`; the first process sends `collect` and `all`. */
type Message =
  | { readonly treadle: 'gather-ask' | 'gather-collect'; readonly id: number; readonly topic: Topic }
  | { readonly treadle: 'gather-tell'; readonly id: number; readonly part: unknown }
  | { readonly treadle: 'gather-all'; readonly id: number; readonly parts: readonly unknown[] };

const toMessage = (value: unknown): Message | undefined => (isNumbered<Message>(value, 'gather-') ? value : undefined);

interface Collection {
  readonly parts: unknown[];
  readonly waiting: Set<number>;
  finish(): void;
}

/**
 * In the first process of `treadle start --workers`: asks every worker and sends all answers to the worker that asked.
 * A worker that does not answer in time is left out.
 *
 * @param own What this process answers itself.
 */
export function gatherFromWorkers(clock: Clock, own: Sources): void {
  const cluster = getCluster();
  const open = new Map<number, Collection>();
  const count = { last: 0 };
  const collect = (asker: Worker, question: number, topic: Topic): void => {
    count.last += 1;
    const id = count.last;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true);
    const mine = own[topic]?.();
    const collection: Collection = {
      parts: mine === undefined ? [] : [mine],
      waiting: new Set(workers.flatMap((worker) => worker?.id ?? [])),
      finish() {
        cancel();
        open.delete(id);
        const message: Message = { treadle: 'gather-all', id: question, parts: collection.parts };
        if (asker.isConnected()) asker.send(message, () => {});
      },
    };
    const cancel = clock.after(WORKER_MS, () => collection.finish());
    open.set(id, collection);
    for (const worker of workers) worker?.send({ treadle: 'gather-collect', id, topic } satisfies Message, () => {});
  };
  const settle = (collection: Collection, worker: number): void => {
    if (collection.waiting.delete(worker) && collection.waiting.size === 0) collection.finish();
  };
  cluster.on('message', (worker, value) => {
    const message = toMessage(value);
    if (message?.treadle === 'gather-ask') collect(worker, message.id, message.topic);
    if (message?.treadle !== 'gather-tell') return;
    const collection = open.get(message.id);
    if (collection?.waiting.has(worker.id)) collection.parts.push(message.part);
    if (collection) settle(collection, worker.id);
  });
  cluster.on('exit', (worker) => {
    for (const collection of [...open.values()]) settle(collection, worker.id);
  });
}

/** Asks every process of this server. */
export interface Gatherer {
  /** The answers of all processes; only this one's if there is no other, or none answers in time. */
  ask(topic: Topic): Promise<readonly unknown[]>;
}

/** In a serving process: answers the first process, and asks the others through it. */
export function createGatherer(clock: Clock, sources: Sources): Gatherer {
  const own = (topic: Topic): unknown[] => [sources[topic]?.()].filter((part) => part !== undefined);
  if (!isWorker) return { ask: async (topic) => own(topic) };
  const waiting = new Map<number, (parts: readonly unknown[]) => void>();
  const count = { last: 0 };
  const hear = (value: unknown): void => {
    const message = toMessage(value);
    if (message?.treadle === 'gather-all') waiting.get(message.id)?.(message.parts);
    if (message?.treadle !== 'gather-collect') return;
    process.send?.({ treadle: 'gather-tell', id: message.id, part: sources[message.topic]?.() } satisfies Message);
  };
  process.on('message', hear);
  return {
    ask(topic) {
      count.last += 1;
      const id = count.last;
      return new Promise((resolve) => {
        const end = (parts: readonly unknown[]): void => {
          cancel();
          waiting.delete(id);
          resolve(parts);
        };
        const cancel = clock.after(ANSWER_MS, () => end(own(topic)));
        waiting.set(id, end);
        process.send?.({ treadle: 'gather-ask', id, topic } satisfies Message);
      });
    },
  };
}
