/** Time as an argument, so that a test runs a month in a second. */
export interface Clock {
    /** Milliseconds since 1970, UTC. */
    now(): number;
    /**
     * Calls back after this many milliseconds; returns a function that cancels. Does not keep the process
     * alive.
     */
    after(milliseconds: number, callback: () => void): () => void;
}
export declare const systemClock: Clock;
/** Resolves with the promise, or after the time limit. */
export declare function waitAtMost(clock: Clock, promise: Promise<unknown>, milliseconds: number): Promise<void>;
/** Randomness as an argument. */
export type Random = (bytes: number) => Buffer;
export declare const systemRandom: Random;
/** `YYYY-MM-DD HH:MM:SS` in UTC, the format of every stored and displayed time. */
export declare function toStamp(milliseconds: number): string;
/** Milliseconds since 1970 of a stored time; NaN if invalid. */
export declare function fromStamp(stamp: string): number;
/** Unix seconds, the unit of stored `…At` columns. */
export declare const toSeconds: (milliseconds: number) => number;
/** Unix seconds of a date in UTC, with or without a time and zone; undefined if invalid. */
export declare function parseTime(text: string): number | undefined;
