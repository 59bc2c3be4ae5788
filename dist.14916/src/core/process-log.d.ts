import { type Clock } from './clock.ts';
import { type Log, type LogLevel, type LogOptions } from './log.ts';
export interface ProcessLogOptions {
    /** `json` collects lines for 50 ms; `text` writes each at once. Default `json`. */
    readonly form?: LogOptions['form'];
    /** Lowest level that is written. Default `info`. */
    readonly level?: LogLevel | undefined;
    readonly clock?: Clock;
}
/**
 * A log on standard error that keeps the server running when the reader is slow or gone: {@link LogSink}.
 * It writes to the descriptor, because a Node stream buffers unread data without limit, keeps the process
 * alive for it, and closes for ever when its reader exits.
 */
export declare function createProcessLog(options?: ProcessLogOptions): Log;
