import type { Clock } from '../../core/clock.ts';
export interface GuessRule {
    /** Failures without a delay. */
    readonly free: number;
    /** First delay in seconds; doubles with each failure. Default 1. */
    readonly firstSeconds?: number;
    /** Maximum delay. Default 900. */
    readonly mostSeconds?: number;
    /** Failures are forgotten after this many seconds without another. */
    readonly forgetSeconds: number;
    /** Whether a success clears earlier failures. */
    readonly isForgiving: boolean;
}
/** Result of an attempt; `unknown` if it did not run, which does not count. */
export type Verdict = 'right' | 'wrong' | 'unknown';
/** Slows guessing: after some failures the next attempt must wait, each time twice as long. */
export interface GuessThrottle {
    /** Seconds to wait; 0 starts an attempt, which must then be settled. */
    begin(key: string): number;
    settle(key: string, verdict: Verdict): void;
    /** Number of remembered failures. */
    failures(key: string): number;
}
export declare function createGuessThrottle(clock: Clock, rule: GuessRule): GuessThrottle;
