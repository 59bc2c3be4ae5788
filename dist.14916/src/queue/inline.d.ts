import type { Handle, JobRef } from './queue.ts';
import { type ReleaseDeps } from './release.ts';
import type { ResultWriter } from './result-writer.ts';
import { type QueueDeps } from './run.ts';
/** Jobs that run while a caller waits for them: a limited number at once, callers in turn. */
export interface Inline {
    /** See {@link Queue.runNow}. */
    run(jobs: readonly JobRef[], handle: Handle, leaseSeconds: number): Promise<void>;
    /** Jobs that wait for their turn stay in the queue. Running ones have 3 s, then they return to it. */
    stop(): Promise<void>;
    /** Starts no more jobs: new ones stay in the queue. */
    end(): void;
}
interface InlineDeps extends QueueDeps, ReleaseDeps {
    readonly resultWriter: ResultWriter;
}
export declare function createInline(deps: InlineDeps): Inline;
export {};
