import type { Clock } from './clock.ts';
export declare const LOG_LEVELS: readonly ['debug', 'info', 'warn', 'error'];
export type LogLevel = (typeof LOG_LEVELS)[number];
type Fields = Readonly<Record<string, unknown>>;
/** Structured log: one event per line. Fields with secret names are left out. */
export interface Log {
    debug(event: string, fields?: Fields): void;
    info(event: string, fields?: Fields): void;
    warn(event: string, fields?: Fields): void;
    error(event: string, fields?: Fields): void;
    /** Lines dropped since the start because the reader was too slow or gone. */
    readonly dropped?: () => number;
}
export interface LogOptions {
    readonly clock: Clock;
    /** Lowest level that is written. Default `info`. */
    readonly level?: LogLevel;
    /** Writes a whole line, given without its newline. */
    readonly write: (line: string) => void;
    /** `json`: one document per line; `text`: for a person at a terminal. Default `json`. */
    readonly form?: 'json' | 'text';
}
export declare function createLog(options: LogOptions): Log;
/** A log that writes nothing, for tests. */
export declare const silentLog: Log;
export {};
