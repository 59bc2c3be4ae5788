import { type Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { ListenAddress } from '../../runtime/listen.ts';
import { type Failure } from '../failure.ts';
export interface PoolOptions {
    readonly count: number;
    readonly address: ListenAddress;
    readonly log: Log;
    /** Called with the URL when the first worker serves. */
    readonly announce: (url: string) => void;
    readonly clock?: Clock;
}
/**
 * Supervises workers: starts them, hands them connections, and restarts ended ones with growing pauses. If none can
 * start at first, it ends with the failure of one.
 */
export declare class WorkerPool {
    #private;
    /** Resolves when no worker is left, with the failure that kept all of them from starting. */
    readonly ended: Promise<Failure | undefined>;
    constructor(options: PoolOptions);
    start(): void;
    /** Shuts down in order: readiness, listener, workers. Resolves when they have ended. */
    stop(): Promise<void>;
}
