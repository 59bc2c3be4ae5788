import type { Clock } from './clock.ts';
export interface LogSinkOptions {
    /**
     * Writes bytes and returns how many were accepted. Throws `EAGAIN` while the reader is slow, another
     * error once it is gone.
     */
    readonly write: (bytes: Uint8Array) => number;
    readonly clock: Clock;
    /** Creates the line that reports how many lines were dropped. */
    readonly toNotice: (dropped: number) => string;
    /** Maximum bytes buffered for a slow reader; further lines are dropped and counted. Default 1 MiB. */
    readonly limitBytes?: number;
    /** Milliseconds for which lines are collected into one write; 0 writes each at once. Default 50. */
    readonly gatherMs?: number;
}
/**
 * Writes log lines to a file descriptor. Collects them, because a write costs more than the line, and never
 * waits for the reader: a slow reader fills a bounded buffer, then lines are dropped; so are lines after
 * the reader is gone. The count is reported once a reader is back.
 */
export declare class LogSink {
    #private;
    constructor(options: LogSinkOptions);
    /** Lines dropped since the start. */
    get dropped(): number;
    /** Whether lines wait for a reader that accepts nothing now. */
    get isSlow(): boolean;
    /** @param text A line without its newline. */
    line(text: string): void;
    /** Writes the buffered lines, as far as the reader accepts them. */
    flush(): void;
}
