import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Caller } from '../core/scope.ts';
import { type Waiting } from './fair-queue.ts';
import { type Priced } from './read-cost.ts';
/** 0: no search, such as a row by its key. 1: a search that proved cheap. 2: a costly read, or a search that has not run yet. */
export type Rank = 0 | 1 | 2;
/** A read that waits or runs. The admission stores its own fields here to avoid a second object per read. */
export interface Read extends Waiting, Priced {
    /** Undefined for work outside requests, which is neither refused nor cut off. */
    readonly caller: Caller | undefined;
    rank: Rank;
    /** Clock time of its start, without the time by which the process was late. */
    begunAt: number;
    /** Number of the check at which it began to wait, later at which it began to run. */
    since: number;
    /** Why the admission ended it. The database's own error says only that it was interrupted. */
    ended: Error | undefined;
}
export interface AdmissionOptions<T extends Read> {
    readonly clock: Clock;
    readonly log: Log;
    /** Reads that run at once. */
    readonly slots: number;
    /** Costly reads among them; fewer than `slots`, so that other reads never wait for a costly one. */
    readonly costlySlots: number;
    /** Milliseconds that a read of a request may wait, and then run. */
    readonly limit: () => number;
    begin(read: T): void;
    /** Rejects a waiting read; `ended` has the reason. */
    refuse(read: T): void;
    /** Interrupts a running read, perhaps after several tries; undefined if the database cannot. */
    readonly cancel?: (read: T) => void;
}
/**
 * Figures of the reads, for operators; `refused`, `dropped` and `cut` count from the start of the process.
 */
export interface ReadFigures {
    readonly running: number;
    readonly waiting: number;
    /** Answered with 503 because too many reads waited. */
    readonly refused: number;
    /** Ended because the client had disconnected. */
    readonly dropped: number;
    /** Ended after `limits.readSeconds`. */
    readonly cut: number;
}
/**
 * Decides which reads run. Each rank has its own line, and client networks take turns. If the waiting reads would
 * take too long, the network with the largest backlog loses its newest read. With no backlog a read starts at once.
 */
export declare class Admission<T extends Read> {
    #private;
    constructor(options: AdmissionOptions<T>);
    get figures(): ReadFigures;
    enter(read: T): void;
    /** Must be called when a read has ended, successfully or not. */
    leave(read: T): void;
}
