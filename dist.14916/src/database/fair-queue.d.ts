/** An item in the queue. */
export interface Waiting {
    /** Estimated milliseconds that it takes. */
    cost: number;
}
/**
 * A queue in which owners take turns by the service they received: a small request does not wait for
 * another owner's backlog. @see Goyal, Vin, Cheng, Start-time Fair Queueing (1996)
 */
export declare class FairQueue<T extends Waiting> {
    #private;
    get size(): number;
    /** Estimated milliseconds of all items. */
    get milliseconds(): number;
    push(owner: string, item: T): void;
    /** The next item; undefined if the queue is empty. */
    shift(): T | undefined;
    /**
     * Removes the newest item of the owner with the largest backlog; on a tie, of the owner that joined last.
     */
    dropLargest(): T | undefined;
    /** Removes all items that match a test. */
    dropWhere(test: (item: T) => boolean): T[];
}
