import type { Inline } from './inline.ts';
import type { QueueWorker, QueueWorkerOptions } from './queue.ts';
import type { ResultWriter } from './result-writer.ts';
import { type QueueDeps } from './run.ts';
import { type JobStore } from './table.ts';
interface WorkerDeps extends QueueDeps {
    readonly store: JobStore;
    readonly resultWriter: ResultWriter;
    readonly inline: Inline;
}
/** Creates a worker for a queue in a table. It runs until stopped. */
export declare function createQueueWorker(deps: WorkerDeps, options: QueueWorkerOptions & {
    readonly name: string;
}): QueueWorker;
export {};
