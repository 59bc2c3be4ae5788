import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Exchange } from './exchange.ts';
/** The path with its query, with secrets redacted. */
export declare function toLoggedPath(path: string, query: string): string;
/** The trace id of a request, as a field of a log line. @see W3C Trace Context section 3.2 */
export declare function toTraceField({ req }: Exchange): {
    readonly trace?: string;
};
/** Writes one line for an answered request. */
export type AccessLog = (exchange: Exchange, status: number) => void;
/** Logs structured data, or one short line for a terminal. */
export declare function createAccessLog(log: Log, clock: Clock, isText: boolean): AccessLog;
/** Calls two listeners for each answer. */
export declare const toBoth: (first: AccessLog | undefined, second: AccessLog) => AccessLog;
