import type { Queue } from './queue.ts';
import type { QueueDeps } from './run.ts';
/**
 * A queue in a table of the project's own database, so that jobs commit with the data.
 * @param name Separates the jobs of one feature from those of others, such as `webhook`.
 */
export declare function createTableQueue(deps: QueueDeps, name: string): Queue;
