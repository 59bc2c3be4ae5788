/** How the queue of web hooks stands. */
export interface QueueState {
    readonly queued: number;
    /** Seconds for which the one that is due for longest has been due. */
    readonly overdueSeconds: number;
    /** Of the last 24 hours. */
    readonly attempts: number;
    readonly failures: number;
    readonly disabled: number;
    /** Whether it looks as if nobody sends, or as if somebody hears nothing any more. */
    readonly isStuck: boolean;
}
/** Reads the queue without starting the project; undefined if its tables do not exist. @param now Unix seconds. */
export declare function readQueue(at: {
    readonly url: string;
    readonly root: string;
}, now: number): Promise<QueueState | undefined>;
export declare function toQueueText({ queued, overdueSeconds, attempts, failures, disabled }: QueueState): string;
