import type { Services, Worker } from './feature.ts';
export interface Repeated {
    /** Milliseconds from the end of one round to the next. */
    readonly every: number;
    /** Log message of a failed round; the next round runs anyway. */
    readonly fault: string;
    /**
     * True if a last round follows when it is stopped, for what was collected in the meantime. Default false.
     */
    readonly isLast?: boolean;
    /** Runs one round. `isStopped` tells a long round to leave the rest to the next process. */
    run(isStopped: () => boolean): Promise<void>;
}
/** Creates a worker that repeats one job, one round at a time, until it is stopped. */
export declare function createRepeating({ clock, log }: Pick<Services, 'clock' | 'log'>, repeated: Repeated): Worker;
